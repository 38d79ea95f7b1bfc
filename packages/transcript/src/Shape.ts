/**
 * The two wire shapes that messages are rendered in, and what a message is made of when it is.
 *
 * @since 0.1.0
 */
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Role } from "@palimpsest/ledger/Part"
import type { Format } from "./Format.ts"

/**
 * The provider's wire shape: Anthropic Messages, or OpenAI Chat Completions.
 *
 * @since 0.1.0
 * @category models
 */
export type Shape = "anthropic" | "openai-chat"

/**
 * The shape that the entries of a format are in. Rendering splices the bytes that came, so it is also the only shape they
 * can be rendered in.
 *
 * @since 0.1.0
 * @category accessors
 */
export const shapeOf = (format: Format): Shape =>
  format === "claude-code" || format === "anthropic-messages" ? "anthropic" : "openai-chat"

/**
 * One entry of a message: the text of the record that it was read from, and perhaps the words that stand in its place.
 * What `replaced` replaces: of a result its content, of a text the text, of a call its arguments (a JSON text). An entry
 * that was not read from a record has only `replaced`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly _tag: "Entry"
  readonly entered: Pick<Entered, "part" | "origin">
  readonly record: string
  readonly replaced?: string
}

/**
 * A call that never got its result, answered in these words.
 *
 * @since 0.1.0
 * @category models
 */
export interface Closed {
  readonly _tag: "Closed"
  readonly call: string
  readonly text: string
}

/**
 * Words of the view's own, alone in their message: they stand where entries left with their messages.
 *
 * @since 0.1.0
 * @category models
 */
export interface Words {
  readonly _tag: "Words"
  readonly text: string
}

/** @since 0.1.0 */
export type Item = Entry | Closed | Words

/**
 * A message to render: its role and its parts in order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  readonly role: Role
  readonly items: ReadonlyArray<Item>
}

/**
 * The messages that the preset `harn` compacts, in either shape: content as one string, with the calls beside it and the
 * results in messages of a role of their own; or content as blocks, with calls and results among them. Nothing here
 * changes a message.
 *
 * One function flattens both shapes for every path (mask, truncation, prompt, measurement, pins), so a block array is
 * compacted as the same words in a string would be (HA-19, mending HA-W2). Reasoning is weighed (HA-25), never flattened.
 *
 * @since 0.1.0
 */
import { sorted } from "@palimpsest/ledger/Canonical"

/**
 * @since 0.1.0
 * @category models
 */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

/**
 * A block of content: `text`, `tool_use`, `tool_result`, or one of another type, which is kept as it came.
 *
 * @since 0.1.0
 * @category models
 */
export interface Block {
  readonly type: string
  readonly [key: string]: Json
}

/**
 * One message. `data` is what the harness, not the tool's text, says of it: the receipt of a mutation, an exit status.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  readonly role: string
  readonly content: string | ReadonlyArray<Block> | null
  readonly reasoning?: Json
  readonly tool_calls?: ReadonlyArray<Json>
  readonly tool_call_id?: string
  readonly name?: string
  readonly data?: Json
}

/**
 * A call of a tool, from either shape. `id` is absent where the source gave none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly id: string | undefined
  readonly name: string
  readonly args: string
}

/**
 * The words of a message: its text and the text of its results; where it has none, its calls. Media are a placeholder.
 *
 * @since 0.1.0
 * @category accessors
 */
export const bodyOf = (message: Message): string => {
  const words = wordsOf(message)
  return words === "" ? callLines(message) : words
}

/**
 * The words of a message and its calls, for a reader that needs both.
 *
 * @since 0.1.0
 * @category accessors
 */
export const fullBodyOf = (message: Message): string =>
  [wordsOf(message), callLines(message)].filter((text) => text !== "").join("\n")

/**
 * The calls that a message makes.
 *
 * @since 0.1.0
 * @category accessors
 */
export const callsOf = (message: Message): ReadonlyArray<Call> => [
  ...(message.tool_calls ?? []).flatMap((call) => {
    if (!isObject(call)) return []
    const of = isObject(call.function) ? call.function : call
    return [{ id: text(call.id), name: text(of.name) ?? "", args: argsText(of.arguments ?? of.input) }]
  }),
  ...blocksOf(message).flatMap((block) =>
    block.type === "tool_use" ? [{ id: text(block.id), name: text(block.name) ?? "", args: argsText(block.input) }] : []
  )
]

/**
 * The ids of the calls that a message answers; undefined for an answer that names none. Empty: it is no result.
 *
 * @since 0.1.0
 * @category accessors
 */
export const answersOf = (message: Message): ReadonlyArray<string | undefined> => {
  if (message.role === "assistant") return []
  const inBlocks = blocksOf(message).flatMap((block) =>
    block.type === "tool_result" ? [text(block.tool_use_id) ?? text(block.tool_call_id)] : []
  )
  if (inBlocks.length > 0) return inBlocks
  return RESULT_ROLES.has(message.role) ? [message.tool_call_id] : []
}

/**
 * Whether a message is the result of a tool, in any shape: the roles `tool` and `tool_result`, or a block of that type.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isResult = (message: Message): boolean => answersOf(message).length > 0

/**
 * Whether the user speaks in a message, rather than a tool in the role of the user.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isUserTurn = (message: Message): boolean => message.role === "user" && !isResult(message)

/**
 * The blocks of a message; none where its content is a string.
 *
 * @since 0.1.0
 * @category accessors
 */
export const blocksOf = (message: Message): ReadonlyArray<Block> =>
  message.content === null || typeof message.content === "string" ? [] : message.content

/**
 * The text of the content of a result block, or of any content.
 *
 * @since 0.1.0
 * @category accessors
 */
export const textIn = (content: Json | undefined): string => {
  if (typeof content === "string") return content
  return isList(content)
    ? content
        .map(blockText)
        .filter((part) => part !== "")
        .join("\n")
    : ""
}

/**
 * @since 0.1.0
 * @category predicates
 */
export const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * @since 0.1.0
 * @category predicates
 */
export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

const RESULT_ROLES: ReadonlySet<string> = new Set(["tool", "tool_result"])
/** Reasoning goes whole or is sent back as it came, never as words of a summary; calls have a line of their own. */
const WORDLESS: ReadonlySet<string> = new Set(["thinking", "redacted_thinking", "reasoning", "tool_use"])

const wordsOf = (message: Message): string => textIn(message.content)

const callLines = (message: Message): string =>
  callsOf(message)
    .map(({ name, args }) => `${name}(${args})`)
    .join("\n")

const blockText = (block: Json): string => {
  if (typeof block === "string") return block
  if (!isObject(block)) return ""
  const type = text(block.type) ?? ""
  if (type === "tool_result") return textIn(block.content)
  const own = text(block.text)
  if (own !== undefined) return own
  return WORDLESS.has(type) ? "" : `[${type}]`
}

const argsText = (args: Json | undefined): string => (typeof args === "string" ? args : sorted(args ?? {}))

const text = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined)

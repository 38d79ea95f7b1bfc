/**
 * Which of the known formats a file is in. Recognised by what stands in it, never by its name.
 *
 * Other people's formats change: whatever is not recognised inside a file is kept and counted (law 14), but a file that
 * is none of these at all is a typed error that says where it was looked at and what was expected.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Recognise from "./internal/Recognise.ts"

/**
 * `claude-code`: a session file, one JSON object a line. `anthropic-messages`, `openai-chat`: one JSON document, a list
 * of messages or an object with `messages`. `openai-chat-rows`: one object with its own `messages` a line (or a JSON list
 * of objects with `messages` or `traj`), each a run of its own.
 *
 * @since 0.1.0
 * @category models
 */
export type Format = "claude-code" | "anthropic-messages" | "openai-chat" | "openai-chat-rows"

/**
 * The four formats.
 *
 * @since 0.1.0
 * @category constants
 */
export const FORMATS: ReadonlyArray<Format> = ["claude-code", "anthropic-messages", "openai-chat", "openai-chat-rows"]

/**
 * A file in none of the formats: the 1-based line that was looked at, what was found there, and what was expected.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownFormat extends Data.TaggedError("UnknownFormat")<{
  readonly line: number
  readonly found: string
  readonly expected: string
}> {
  override get message(): string {
    return `unknown format at line ${this.line}: found ${this.found}, expected ${this.expected}`
  }
}

/**
 * The format of a file's bytes. A torn file is recognised by what is whole in it. One object with `messages` on a single
 * line is a document; rows begin with two.
 *
 * @since 0.1.0
 * @category recognising
 */
export const detect = (bytes: Uint8Array): Either.Either<Format, UnknownFormat> =>
  Either.mapLeft(Recognise.detect(bytes), (stranger) => new UnknownFormat({ ...stranger, expected: EXPECTED }))

const EXPECTED =
  "a Claude Code session (JSON Lines), a list of Anthropic or OpenAI chat messages or an object with `messages` (JSON), or rows with `messages` (JSON Lines)"

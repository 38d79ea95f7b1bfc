/**
 * The transcript as this preset sees it: messages in order, appended to, each with the bytes of its text.
 *
 * Passes change the text of a message and nothing else: none is removed, and the id that pairs a result with its call,
 * the calls of an assistant message and whatever else a caller keeps on it travel untouched (CA-11; law 8).
 *
 * Keeps CA-W1: arguments of calls, reasoning, and what the user and the system prompt say are not counted (law 5 does
 * not hold for the whole request), and CA-W14: results alone and results with assistant text go by one pair of budgets.
 *
 * @since 0.1.0
 */
import type { Sized } from "./Sized.ts"

/**
 * A tool call; the id is empty where there was none. `arguments` is the text that the model wrote.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/**
 * A message. `answers` and `label` are of a tool message: the id of its call, and what the call was.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message extends Sized {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly answers?: string
  readonly label?: Sized
  readonly calls?: ReadonlyArray<Call>
}

/**
 * The name of a result for the life of a run: the id of its call, or its place, which never changes as a transcript is
 * only appended to.
 *
 * @since 0.1.0
 * @category names
 */
export const keyOf = (message: Message, index: number): string =>
  message.answers === undefined || message.answers === "" ? `#${index}` : message.answers

/**
 * The name of an assistant message.
 *
 * @since 0.1.0
 * @category names
 */
export const assistantKey = (index: number): string => `assistant#${index}`

/**
 * Bytes of all results as they stand; a stub counts as the stub.
 *
 * @since 0.1.0
 * @category sizes
 */
export const liveObservationBytes = (messages: ReadonlyArray<Message>): number =>
  messages.reduce((sum, { bytes, role }) => (role === "tool" ? sum + bytes : sum), 0)

/**
 * Bytes of all results and of what the assistant said, as they stand.
 *
 * @since 0.1.0
 * @category sizes
 */
export const liveTranscriptBytes = (messages: ReadonlyArray<Message>): number =>
  messages.reduce((sum, { bytes, role }) => (role === "tool" || role === "assistant" ? sum + bytes : sum), 0)

/**
 * A message with another text, and all else as it was.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withText = <M extends Message>(message: M, { bytes, text }: Sized): M => ({ ...message, bytes, text })

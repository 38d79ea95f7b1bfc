/**
 * What a provider would refuse, found before it is sent. The rules are those that providers document and that agents
 * have run into: pairing of calls and results (law 8; B01 to B18), alternation, reasoning whole and in its place (law 8;
 * B19, B21), empty content, ill-formed Unicode (B68), cache marks. What only the provider can know is not judged: whether
 * a signature is good, whether reasoning was asked for, whether a model has a window for all of it.
 *
 * @since 0.1.0
 */
import * as AnthropicRules from "./internal/AnthropicRules.ts"
import * as ChatRules from "./internal/ChatRules.ts"

/**
 * A fault: the 0-based index of the message, the rule, and what is wrong.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fault {
  readonly index: number
  readonly rule: Rule
  readonly why: string
}

/**
 * The rules, by name.
 *
 * @since 0.1.0
 * @category models
 */
export type Rule =
  | "message" // not a message at all: no role, content of no known shape, or a block that its role cannot have
  | "first" // the first message is not the user's
  | "unanswered" // a call without its result in the message(s) right behind it
  | "orphan" // a result without its call in the message right before it
  | "duplicate" // an id used twice
  | "order" // other content before a result of the same message
  | "empty" // an empty text block, or no content
  | "unicode" // a lone surrogate
  | "reasoning" // reasoning without its signature, or not first in a message of the loop that is open
  | "marks" // more than four cache marks, a longer time to live behind a shorter, or a mark where none may be

/**
 * The faults of a list of Anthropic messages, equal roles taken as merged.
 *
 * @since 0.1.0
 * @category validating
 */
export const anthropic = (messages: ReadonlyArray<unknown>): ReadonlyArray<Fault> => AnthropicRules.faults(messages)

/**
 * The faults of a list of OpenAI chat messages.
 *
 * @since 0.1.0
 * @category validating
 */
export const openAiChat = (messages: ReadonlyArray<unknown>): ReadonlyArray<Fault> => ChatRules.faults(messages)

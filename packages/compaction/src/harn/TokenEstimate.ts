/**
 * The seed's estimate of tokens: the UTF-8 bytes of content, reasoning and tool calls of all messages, over four, rounded
 * down once at the end (HA-25). It weighs every string it finds at any depth, and neither keys nor numbers.
 *
 * Kept: HA-W13 (bytes over four, whatever the language); base64 of an image counts as text, as in the seed. Law 5 is
 * therefore broken by this preset: its estimate is no bound.
 *
 * @since 0.1.0
 */
import { bytesOf } from "./Bytes.ts"
import { isList, isObject, type Json, type Message } from "./Message.ts"

/**
 * Estimated tokens of messages.
 *
 * @since 0.1.0
 * @category estimates
 */
export const tokensOf = (messages: ReadonlyArray<Message>): number =>
  Math.floor(messages.reduce((sum, message) => sum + weigh(message), 0) / BYTES_PER_TOKEN)

/**
 * The bytes of a message that are charged.
 *
 * @since 0.1.0
 * @category sizes
 */
export const weigh = (message: Message): number =>
  deep(message.content) + deep(message.reasoning) + deep(message.tool_calls)

const BYTES_PER_TOKEN = 4

const deep = (value: Json | undefined): number => {
  if (typeof value === "string") return bytesOf(value)
  if (isList(value)) return value.reduce<number>((sum, item) => sum + deep(item), 0)
  return isObject(value) ? Object.values(value).reduce<number>((sum, item) => sum + deep(item), 0) : 0
}

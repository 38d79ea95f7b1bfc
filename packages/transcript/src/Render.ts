/**
 * Messages as a provider takes them, spliced from the records that they were read from: what is unchanged keeps its bytes
 * (large integers, escapes, the order of keys), and only what a decision replaced is written anew (laws 2 and 7).
 *
 * @since 0.1.0
 */
import * as anthropic from "./internal/RenderAnthropic.ts"
import * as chat from "./internal/RenderChat.ts"
import type { Message, Shape } from "./Shape.ts"

/**
 * The JSON text of one message. In the chat shape an unchanged message is the whole element of its record, so its items
 * have to be all the entries of that element; a closed call is a message of its own.
 *
 * @since 0.1.0
 * @category rendering
 */
export const renderMessage = (shape: Shape, message: Message): string =>
  shape === "anthropic" ? anthropic.render(message) : chat.render(message)

/**
 * The strategy `truncate`: the beginnings of the oldest fifteen archived messages, and a count of the others.
 *
 * Laws that its text breaks: 4 (no address) and 9 (the words of the user are cut). Kept: HA-W17, the messages that a count
 * stands for are named by the fates only.
 *
 * @since 0.1.0
 */
import { bytesOf, head } from "./Bytes.ts"
import type { Fate, Summary } from "./Fate.ts"
import { bodyOf, type Message } from "./Message.ts"

/**
 * The summary by truncation, under its own header or another one.
 *
 * @since 0.1.0
 * @category strategies
 */
export const truncate = (messages: ReadonlyArray<Message>, header = truncateHeader(messages.length)): Summary => {
  const lines: Array<string> = [header]
  const fates: Array<Fate> = []
  let carriedBytes = 0
  for (const [at, message] of messages.entries()) {
    const body = bodyOf(message)
    if (at >= MAX_LINES) {
      fates.push(body === "" ? "empty" : "dropped")
      continue
    }
    const size = bytesOf(body)
    const shown = head(body, LINE_BYTES)
    carriedBytes += bytesOf(shown)
    lines.push(`[${message.role}] ${size > LINE_BYTES ? `${shown}... [truncated from ${size} chars]` : body}`)
    fates.push(body === "" ? "empty" : size > LINE_BYTES ? "masked" : "whole")
  }
  if (messages.length > MAX_LINES) lines.push(`... and ${messages.length - MAX_LINES} more`)
  return { text: lines.join("\n"), carriedBytes, fates }
}

/**
 * @since 0.1.0
 * @category headers
 */
export const truncateHeader = (n: number): string => `[auto-compacted ${n} older messages via truncate strategy]`

/**
 * The header where a summariser answered nothing.
 *
 * @since 0.1.0
 * @category headers
 */
export const emptyAnswerHeader = (n: number): string =>
  `[auto-compact fallback: LLM summarizer returned empty; ${n} older messages abbreviated to ~500 chars each]`

const MAX_LINES = 15
const LINE_BYTES = 500

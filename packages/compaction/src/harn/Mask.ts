/**
 * How one archived message reads in a recap: short results and errors as they are, a verbose result as its first line, its
 * size and its failure lines, an assistant's text as its beginning (results are preferred over calls).
 *
 * Pins and prior recaps are known by text, as in the seed (HA-W6, kept): a tool result can forge either, so this preset
 * breaks law 15. A line has no address (law 4, HA-W4), and the user's own words are masked like any other (law 9).
 *
 * Mended: HA-W2 (block arrays are read) and HA-W5 (how often a line repeats is a number beside it, not read back from its
 * text).
 *
 * @since 0.1.0
 */
import { bytesOf, head, linesOf } from "./Bytes.ts"
import { failureLines } from "./FailureLines.ts"
import { bodyOf, type Message } from "./Message.ts"

/**
 * The text that pins the message that has it.
 *
 * @since 0.1.0
 * @category constants
 */
export const NO_COMPACT_MARKER = "[no-compact]"

/**
 * How many of the newest pins hold; an older one is a message like any other.
 *
 * @since 0.1.0
 * @category constants
 */
export const MAX_PINNED_SEGMENTS = 3

/**
 * An assistant's text up to this many bytes is shown whole.
 *
 * @since 0.1.0
 * @category constants
 */
export const ASSISTANT_PREVIEW_CHARS = 240

/**
 * A host's own way to show a verbose result; undefined leaves it to the mask.
 *
 * @since 0.1.0
 * @category models
 */
export type MaskCallback = (message: Message, body: string) => string | undefined

/**
 * A rendered message; `carriedBytes` is how much of its words are in it, `whole` whether all are.
 *
 * @since 0.1.0
 * @category models
 */
export interface Masked {
  readonly text: string
  readonly carriedBytes: number
  readonly whole: boolean
}

/**
 * One message as it reads in a recap.
 *
 * @since 0.1.0
 * @category rendering
 */
export const mask = (message: Message, callback?: MaskCallback): Masked => {
  const body = bodyOf(message)
  const size = bytesOf(body)
  if (message.role === "assistant") return preview(body, size)
  if (size < SHORT_RESULT) return whole(message.role, body)
  const custom = callback?.(message, body)
  if (custom !== undefined) {
    return { text: `[${message.role}] ${custom}`, carriedBytes: bytesOf(custom), whole: custom === body }
  }
  const lines = linesOf(body)
  return lines.length <= FEW_LINES ? whole(message.role, body) : masked(message.role, body, size, lines.length)
}

/**
 * The places of the messages that are pinned: the newest three that have the marker.
 *
 * @since 0.1.0
 * @category pins
 */
export const pinnedAt = (messages: ReadonlyArray<Message>): ReadonlySet<number> =>
  new Set(
    messages
      .flatMap((message, at) => (bodyOf(message).includes(NO_COMPACT_MARKER) ? [at] : []))
      .slice(-MAX_PINNED_SEGMENTS)
  )

/**
 * Lines in a row that read the same, as one with their number.
 *
 * @since 0.1.0
 * @category rendering
 */
export const collapse = <L extends { readonly text: string; readonly alone: boolean }>(
  lines: ReadonlyArray<L>
): ReadonlyArray<{ readonly line: L; readonly text: string }> => {
  const runs: Array<{ line: L; times: number }> = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last !== undefined && !line.alone && !last.line.alone && last.line.text === line.text) last.times++
    else runs.push({ line, times: 1 })
  }
  return runs.map(({ line, times }) => ({ line, text: times > 1 ? `${line.text} (x${times})` : line.text }))
}

const SHORT_RESULT = 500
const FEW_LINES = 3
const FIRST_LINE = 120

const whole = (role: string, body: string): Masked => ({
  text: `[${role}] ${body}`,
  carriedBytes: bytesOf(body),
  whole: true
})

const preview = (body: string, size: number): Masked => {
  if (size <= ASSISTANT_PREVIEW_CHARS) return whole("assistant", body)
  const shown = head(body, ASSISTANT_PREVIEW_CHARS)
  const carriedBytes = bytesOf(shown)
  return {
    text: `[assistant] ${shown}... [assistant turn truncated, ${size - carriedBytes} chars masked]`,
    carriedBytes,
    whole: false
  }
}

const masked = (role: string, body: string, size: number, count: number): Masked => {
  const first = head(linesOf(body)[0]?.text ?? "", FIRST_LINE)
  const failures = failureLines(body, 1)
    .map(({ text }) => text)
    .join("\n")
  const lead = `[${role}] ${first}... [${count} lines, ${size} chars masked`
  return failures === ""
    ? { text: `${lead}]`, carriedBytes: bytesOf(first), whole: false }
    : {
        text: `${lead}; failure lines preserved]\n${failures}`,
        carriedBytes: bytesOf(first) + bytesOf(failures),
        whole: false
      }
}

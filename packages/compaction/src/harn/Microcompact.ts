/**
 * One large output in about `max` bytes: its beginning, its end and, where they leave room, its failure lines between.
 *
 *     head          head
 *     (snipped)  or [diagnostic lines preserved] … [... output compacted ...]
 *     tail          tail
 *
 * 1. `droppedBytes` is exact: the source less the union of what of it is shown (HA-01).
 * 2. Cuts fall on line ends where there is one, and always on characters.
 *
 * The text carries no address (law 4 is broken by it; the record of a clamp names the message). Kept: HA-W16, a limit
 * below 200 leaves any output whole, and failure lines too long for the room are lost to a plain cut; HA-W12 and HA-W13.
 *
 * @since 0.1.0
 */
import { bytesOf, headEnd, tailStart } from "./Bytes.ts"
import { failureLines } from "./FailureLines.ts"

/**
 * An output after its compaction; `droppedBytes` is 0 where it stands whole.
 *
 * @since 0.1.0
 * @category models
 */
export interface Microcompacted {
  readonly text: string
  readonly droppedBytes: number
}

/**
 * An output in about `max` bytes.
 *
 * @since 0.1.0
 * @category forms
 */
export const microcompact = (text: string, max: number): Microcompacted => {
  const size = bytesOf(text)
  if (size <= max || max < LEAST_MAX) return { text, droppedBytes: 0 }
  const failures = failureLines(text)
  const lines = failures.map((line) => line.text).join("\n")
  const beside = Math.floor((max - bytesOf(lines) - LINES_ROOM) / 2)
  if (failures.length > 0 && beside >= LEAST_SIDE) {
    const [head, tail] = sides(text, beside)
    return {
      text: `${text.slice(0, head)}\n\n[diagnostic lines preserved]\n${lines}\n\n[... output compacted ...]\n\n${text.slice(tail)}`,
      droppedBytes:
        size - union(text, [[0, head], ...failures.map(({ from, to }) => [from, to] as const), [tail, text.length]])
    }
  }
  const [head, tail] = sides(text, Math.floor(max / 2))
  const droppedBytes = bytesOf(text.slice(head, tail))
  return {
    text: `${text.slice(0, head)}\n\n[... ${droppedBytes} characters snipped ...]\n\n${text.slice(tail)}`,
    droppedBytes
  }
}

/**
 * The end of the last whole line of `text[0, end)`; `end` where it is one already, or where no line ends before it.
 *
 * @since 0.1.0
 * @category cuts
 */
export const snapToLineEnd = (text: string, end: number): number => {
  if (end >= text.length || text[end] === "\n") return Math.min(end, text.length)
  const line = text.lastIndexOf("\n", end - 1)
  return line > 0 ? line : end
}

/**
 * The first beginning of a line at or behind `start`; `start` where no line begins behind it.
 *
 * @since 0.1.0
 * @category cuts
 */
export const snapToLineStart = (text: string, start: number): number => {
  if (start <= 0 || text[start - 1] === "\n") return Math.max(start, 0)
  const line = text.indexOf("\n", start)
  return line >= 0 && line + 1 < text.length ? line + 1 : start
}

const LEAST_MAX = 200
/** What the marks around the failure lines take. */
const LINES_ROOM = 64
/** Failure lines stand between sides of at least this many bytes each, or not at all. */
const LEAST_SIDE = 80

const sides = (text: string, keep: number): readonly [number, number] => [
  snapToLineEnd(text, headEnd(text, keep)),
  snapToLineStart(text, tailStart(text, keep))
]

/** The bytes in the union of ranges of a text. */
const union = (text: string, ranges: ReadonlyArray<readonly [number, number]>): number => {
  let bytes = 0
  let seen = 0
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (to > seen) bytes += bytesOf(text.slice(Math.max(from, seen), to))
    seen = Math.max(seen, to)
  }
  return bytes
}

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
 * The same for a caller that keeps ranges: own words, and places in the source.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pieces {
  readonly pieces: ReadonlyArray<string | Place>
  readonly droppedBytes: number
}

/**
 * A part `[from, to)` of the source, by indexes of the string.
 *
 * @since 0.1.0
 * @category models
 */
export type Place = readonly [from: number, to: number]

/**
 * An output in about `max` bytes.
 *
 * @since 0.1.0
 * @category forms
 */
export const microcompact = (text: string, max: number): Microcompacted => {
  const { droppedBytes, pieces } = piecesOf(text, max)
  return {
    text: pieces.map((piece) => (typeof piece === "string" ? piece : text.slice(piece[0], piece[1]))).join(""),
    droppedBytes
  }
}

/**
 * An output in about `max` bytes, in pieces.
 *
 * @since 0.1.0
 * @category forms
 */
export const piecesOf = (text: string, max: number): Pieces => {
  const size = bytesOf(text)
  if (size <= max || max < LEAST_MAX) return { pieces: [[0, text.length]], droppedBytes: 0 }
  const failures = failureLines(text)
  const lines = failures.map((line) => line.text).join("\n")
  const beside = Math.floor((max - bytesOf(lines) - LINES_ROOM) / 2)
  if (failures.length > 0 && beside >= LEAST_SIDE) {
    const [head, tail] = sides(text, beside)
    const shown = failures.map(({ from, to }): Place => [from, to])
    const pieces = [
      [0, head] as const,
      "\n\n[diagnostic lines preserved]\n",
      ...shown.flatMap((place, i) => (i === 0 ? [place] : ["\n", place])),
      "\n\n[... output compacted ...]\n\n",
      [tail, text.length] as const
    ]
    const droppedBytes = size - union(text, [[0, head], ...shown, [tail, text.length]])
    return { pieces, droppedBytes }
  }
  const [head, tail] = sides(text, Math.floor(max / 2))
  const droppedBytes = bytesOf(text.slice(head, tail))
  const pieces = [
    [0, head] as const,
    `\n\n[... ${droppedBytes} characters snipped ...]\n\n`,
    [tail, text.length] as const
  ]
  return { pieces, droppedBytes }
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

/**
 * Cuts of a text by its length in UTF-8 bytes. The seed of this preset writes "chars" in its messages and counts bytes
 * (HA-W13, kept); no cut falls inside a character, and a lone surrogate, which encoders write as three bytes, stays what
 * it is.
 *
 * @since 0.1.0
 */
import { utf8Bytes } from "@palimpsest/budget/Estimate"

/**
 * The bytes of a text in UTF-8.
 *
 * @since 0.1.0
 * @category sizes
 */
export const bytesOf: (text: string) => number = utf8Bytes

/**
 * The longest beginning of a text that takes at most `max` bytes.
 *
 * @since 0.1.0
 * @category cuts
 */
export const head = (text: string, max: number): string => text.slice(0, headEnd(text, max))

/**
 * Where the longest beginning of at most `max` bytes ends, as an index of the string.
 *
 * @since 0.1.0
 * @category cuts
 */
export const headEnd = (text: string, max: number): number => {
  let at = 0
  for (let left = max; at < text.length;) {
    const units = unitsAt(text, at)
    left -= utf8Bytes(text.slice(at, at + units))
    if (left < 0) break
    at += units
  }
  return at
}

/**
 * Where the longest end of at most `max` bytes begins, as an index of the string.
 *
 * @since 0.1.0
 * @category cuts
 */
export const tailStart = (text: string, max: number): number => {
  let at = text.length
  for (let left = max; at > 0;) {
    const units = at > 1 && unitsAt(text, at - 2) === 2 ? 2 : 1
    left -= utf8Bytes(text.slice(at - units, at))
    if (left < 0) break
    at -= units
  }
  return at
}

/**
 * One line of a text: its words without the line end, and where they stand.
 *
 * @since 0.1.0
 * @category models
 */
export interface Line {
  readonly text: string
  readonly from: number
  readonly to: number
}

/**
 * The lines of a text. A line end at the very end begins no further line; a carriage return before one is part of it.
 *
 * @since 0.1.0
 * @category cuts
 */
export const linesOf = (text: string): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  for (let from = 0; from < text.length;) {
    const found = text.indexOf("\n", from)
    const end = found < 0 ? text.length : found
    const to = found > from && text[found - 1] === "\r" ? found - 1 : end
    lines.push({ text: text.slice(from, to), from, to })
    from = end + 1
  }
  return lines
}

const unitsAt = (text: string, at: number): 1 | 2 =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1

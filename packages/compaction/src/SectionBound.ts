/**
 * Bounding in the way of the preset `io-harness`: a large result keeps one end and a one-line mark of what is missing.
 *
 *     read:    {mark}\n{the last `cap` scalar values}
 *     others:  {the first `cap` scalar values}\n{mark}
 *
 * Units: caps and counts are Unicode scalar values, ranges are UTF-8 bytes. A cut never falls inside a scalar value.
 * Law 7: a bound is recorded as own words and a range, so the body is not copied and is cut the same way ever after.
 * Text breaks law 4: the mark carries no address (IO-W18); the form that holds the splice does. The mark stands on top of
 * the cap (IO-W5). Both are the seed's and kept.
 *
 * Source: IO-15, IO-16, IO-17.
 *
 * @since 0.1.0
 */
import { utf8Bytes } from "@palimpsest/budget/Estimate"
import type { Address } from "@palimpsest/ledger/Address"
import { scalarsOf, type Size } from "@palimpsest/ledger/Body"
import type { Kind } from "@palimpsest/ledger/Observation"
import type { Splice } from "./Splice.ts"

/**
 * The text as this preset shows it under a cap.
 *
 * @since 0.1.0
 * @category bounding
 */
export const bound = (text: string, cap: number, kind: Kind): string => {
  const total = scalarsOf(text)
  if (total <= cap) return text
  return keptEnd(kind) === "tail"
    ? `${mark(total - cap, total)}\n${text.slice(indexOfScalar(text, total - cap))}`
    : `${text.slice(0, indexOfScalar(text, cap))}\n${mark(total - cap, total)}`
}

/**
 * The same, as own words and a range of the text at `of`. `size` spares a scan where it is known; it is of that text.
 *
 * @since 0.1.0
 * @category bounding
 */
export const boundSplice = (of: Address, text: string, cap: number, kind: Kind, size = sizeOf(text)): Splice => {
  const { bytes, scalars: total } = size
  if (total <= cap) return [{ of, bytes: [0, bytes], scalars: total }]
  const words = mark(total - cap, total)
  if (keptEnd(kind) === "tail") {
    return [`${words}\n`, { of, bytes: [bytesBefore(text, total - cap, size), bytes], scalars: cap }]
  }
  return [{ of, bytes: [0, bytesBefore(text, cap, size)], scalars: cap }, `\n${words}`]
}

/**
 * The end of a result that is kept: where a file was read, its tail (IO-16).
 *
 * @since 0.1.0
 * @category bounding
 */
export const keptEnd = (kind: Kind): "head" | "tail" => (kind === "read" ? "tail" : "head")

/**
 * The line that stands for what is missing: `elided` of `total` scalar values (IO-15).
 *
 * @since 0.1.0
 * @category words
 */
export const mark = (elided: number, total: number): string =>
  `…[truncated: elided ${commas(elided)} of ${commas(total)} chars — re-read or narrow the query if you need the rest]`

/**
 * A whole number in groups of three digits, whatever the locale (IO-17).
 *
 * @since 0.1.0
 * @category words
 */
export const commas = (n: number): string => {
  let rest = String(n)
  let grouped = ""
  while (rest.length > 3) {
    grouped = `,${rest.slice(-3)}${grouped}`
    rest = rest.slice(0, -3)
  }
  return rest + grouped
}

/**
 * The part of a text that a range names: what a reader of splices answers with. `bytes` are UTF-8 offsets that fall on
 * scalar values.
 *
 * @since 0.1.0
 * @category ranges
 */
export const cut = (text: string, bytes: readonly [number, number]): string => {
  const [from, to] = bytes
  if (!BEYOND_ASCII.test(text)) return text.slice(from, to)
  const start = indexAtByte(text, from, 0, 0)
  return text.slice(start, indexAtByte(text, to, start, from))
}

/**
 * How large a text is, in bytes and in scalar values.
 *
 * @since 0.1.0
 * @category sizes
 */
export const sizeOf = (text: string): Size => ({ bytes: utf8Bytes(text), scalars: scalarsOf(text) })

const BEYOND_ASCII = /[^\u0000-\u007f]/

const bytesBefore = (text: string, scalars: number, size: Size): number =>
  size.bytes === size.scalars ? scalars : utf8Bytes(text.slice(0, indexOfScalar(text, scalars)))

const indexOfScalar = (text: string, scalars: number): number => {
  if (!/[\uD800-\uDFFF]/.test(text)) return scalars
  let at = 0
  for (let n = 0; n < scalars; n++) at += isPair(text, at) ? 2 : 1
  return at
}

const indexAtByte = (text: string, byte: number, from: number, passed: number): number => {
  let at = from
  let bytes = passed
  while (bytes < byte && at < text.length) {
    const code = text.charCodeAt(at)
    if (isPair(text, at)) {
      bytes += 4
      at += 2
    } else {
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3
      at += 1
    }
  }
  return at
}

const isPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00

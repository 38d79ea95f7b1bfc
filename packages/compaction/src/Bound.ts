/**
 * Bounding a large result as it enters: head and tail on line boundaries, and between them a mark that says what is
 * left out and the exact address to ask for it. The entry itself is never cut; this is a form (laws 2 and 4).
 *
 * Mends IO-W5 (the mark is inside the cap), IO-W11 (the whole body stays in the ledger) and IO-W18 (the head of a read,
 * its imports and signatures, stays; the mark gives an address).
 *
 * @since 0.1.0
 */
import { format, type Address } from "@palimpsest/ledger/Address"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Form } from "./Form.ts"
import { grouped } from "./Mark.ts"
import type { Range } from "./Splice.ts"

/**
 * One text of a body in at most `cap` scalar values, mark included; all of it where it fits.
 *
 * @since 0.1.0
 * @category forms
 */
export const bounded = (address: Address, text: string, cap: number): Form & { readonly _tag: "Bounded" } => {
  const total = scalarsOf(text)
  if (total <= cap)
    return { _tag: "Bounded", keep: "both", cap, rest: address, put: range(address, text, 0, text.length) }
  const room = Math.max(0, cap - MARK_ROOM)
  const head = headEnd(text, Math.floor(room * HEAD_SHARE))
  const tail = tailStart(text, room - scalarsOf(text.slice(0, head)), head)
  const gone = text.slice(head, tail)
  const first = count(text, 0, head, "\n") + 1
  const last = first + count(text, head, tail, "\n") - (gone.endsWith("\n") ? 1 : 0)
  const rest: Address = { ...address, lines: [first, Math.max(first, last)] }
  const mark = `[${format(rest)} left out: ${grouped(scalarsOf(gone))} of ${grouped(total)} chars]`
  const before = head > 0 && !text.slice(0, head).endsWith("\n") ? "\n" : ""
  return {
    _tag: "Bounded",
    keep: "both",
    cap,
    rest,
    put: [...range(address, text, 0, head), `${before}${mark}\n`, ...range(address, text, tail, text.length)]
  }
}

/**
 * The blocks of one result in at most `cap` scalar values together: each in its share of them, on lines of their own; or,
 * where the shares would hold little but marks, all of them as one text.
 *
 * @since 0.1.0
 * @category forms
 */
export const boundedBlocks = (
  seq: Seq,
  texts: readonly [string, ...ReadonlyArray<string>],
  cap: number
): Form & { readonly _tag: "Bounded" } => {
  const share = Math.floor((cap - texts.length + 1) / texts.length)
  if (texts.length === 1 || share < LEAST_SHARE) return { ...bounded({ seq }, texts.join(""), cap), rest: { seq } }
  const puts = texts.map((text, i) => bounded({ seq, block: i + 1 }, text, share).put)
  const put = puts.flatMap((pieces, i) => (i === 0 ? pieces : ["\n", ...pieces]))
  return { _tag: "Bounded", keep: "both", cap, rest: { seq }, put }
}

/** Room for the mark and the line breaks beside it, whatever its numbers. */
const MARK_ROOM = 96
/** A block is not given less than this (scalar values). */
const LEAST_SHARE = 200
/** More of the head is kept: a read begins with what it is of, and a command's last lines are short. */
const HEAD_SHARE = 0.6

const range = (of: Address, text: string, from: number, to: number): ReadonlyArray<Range> => {
  if (from === to) return []
  const start = utf8Length(text.slice(0, from))
  const kept = text.slice(from, to)
  return [{ of, bytes: [start, start + utf8Length(kept)], scalars: scalarsOf(kept) }]
}

/** The end of the last whole line within `limit` scalars; of the last whole character, where the line is longer. */
const headEnd = (text: string, limit: number): number => {
  const hard = unitsFor(text, limit)
  const line = text.lastIndexOf("\n", hard - 1) + 1
  return line > hard * SNAP ? line : hard
}

const tailStart = (text: string, limit: number, head: number): number => {
  let units = text.length
  for (let left = limit; left > 0 && units > head; left--) units -= isLowOfPair(text, units - 1) ? 2 : 1
  if (units <= head) return head
  const line = text.indexOf("\n", units - 1) + 1
  return line > 0 && text.length - line > (text.length - units) * SNAP ? line : units
}

/** A cut moves to a line boundary unless that would give up more than this share of what may stay. */
const SNAP = 0.5

const unitsFor = (text: string, scalars: number): number => {
  let units = 0
  for (let left = scalars; left > 0 && units < text.length; left--) units += isLowOfPair(text, units + 1) ? 2 : 1
  return units
}

const isLowOfPair = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800

const utf8Length = (text: string): number => {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (isLowOfPair(text, i + 1)) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}

const count = (text: string, from: number, to: number, char: string): number => {
  let found = 0
  for (let i = text.indexOf(char, from); i >= 0 && i < to; i = text.indexOf(char, i + 1)) found++
  return found
}

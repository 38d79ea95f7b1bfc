/**
 * Entries under an order: ranges of seqs that do not touch, in their order, each with the event that gave it. The newest
 * word about an entry counts.
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Entries } from "./Command.ts"

/**
 * A range and the seq of the event that put it under an order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Span {
  readonly entries: Entries
  readonly by: Seq
}

/** @since 0.1.0 */
export type Spans = ReadonlyArray<Span>

/**
 * With a range more, which takes the place of what stood there.
 *
 * @since 0.1.0
 * @category combining
 */
export const add = (spans: Spans, entries: Entries, by: Seq): Spans =>
  [...remove(spans, entries), { entries, by }].sort((a, b) => a.entries[0] - b.entries[0])

/**
 * Without a range.
 *
 * @since 0.1.0
 * @category combining
 */
export const remove = (spans: Spans, [from, to]: Entries): Spans =>
  spans.flatMap(({ by, entries: [first, last] }): Spans => {
    if (last < from || first > to) return [{ entries: [first, last], by }]
    const before: Spans = first < from ? [{ entries: [first, (from - 1) as Seq], by }] : []
    return last > to ? [...before, { entries: [(to + 1) as Seq, last], by }] : before
  })

/**
 * The range that holds an entry, if one does.
 *
 * @since 0.1.0
 * @category accessors
 */
export const find = (spans: Spans, seq: number): Span | undefined => {
  let low = 0
  let high = spans.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const span = spans[middle]
    if (span === undefined) return undefined
    if (span.entries[1] < seq) low = middle + 1
    else if (span.entries[0] > seq) high = middle - 1
    else return span
  }
  return undefined
}

/**
 * What of the entries' texts a request shows: an entry whole, or the ranges of it that a form has put there.
 *
 * @since 0.1.0
 */
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import { putOf, type Form } from "@palimpsest/compaction/Form"
import type { Range, Splice } from "@palimpsest/compaction/Splice"
import type { Session } from "../Session.ts"

/**
 * By entry: `whole`, or the ranges that are shown.
 *
 * @since 0.1.0
 * @category models
 */
export type Shown = ReadonlyMap<Seq, "whole" | ReadonlyArray<Range>>

/**
 * What the newest request of a session shows.
 *
 * @since 0.1.0
 * @category accessors
 */
export const of = ({ view }: Session): Shown => {
  const shown = new Map<Seq, "whole" | Array<Range>>()
  const put = (splice: Splice): void => {
    for (const piece of splice) {
      if (typeof piece === "string") continue
      const known = shown.get(piece.of.seq)
      if (known === undefined) shown.set(piece.of.seq, [piece])
      else if (known !== "whole") known.push(piece)
    }
  }
  const show = (seq: Seq, form: Form): void => {
    const splice = putOf(form)
    if (splice === undefined) shown.set(seq, "whole")
    else put(splice)
  }
  if (view._tag === "Section") {
    for (const { form, seq } of view.section.view.shown) show(seq, form)
    return shown
  }
  for (const { items } of view.transcript.messages) {
    for (const item of items) {
      if (item._tag === "Entry") show(item.seq, item.form)
      else put(item.put)
    }
  }
  return shown
}

/**
 * Whether characters `[from, to)` of a block (1-based) of an entry are shown in one piece. `texts` are those of its blocks.
 *
 * @since 0.1.0
 * @category predicates
 */
export const holds = (
  shown: Shown,
  seq: Seq,
  texts: ReadonlyArray<string>,
  { block, from, to }: { readonly block: number; readonly from: number; readonly to: number }
): boolean => {
  const pieces = shown.get(seq)
  if (pieces === undefined || pieces === "whole") return pieces === "whole"
  const text = texts[block - 1] ?? ""
  const start = bytesIn(text.slice(0, from))
  const end = start + bytesIn(text.slice(from, to))
  const before = texts.slice(0, block - 1).reduce((sum, one) => sum + bytesIn(one), 0)
  return pieces.some(({ bytes, of }) => {
    const shift = of.block === undefined ? before : 0
    return (of.block === undefined || of.block === block) && bytes[0] <= start + shift && bytes[1] >= end + shift
  })
}

const bytesIn = (text: string): number => encodeUtf8(text).length

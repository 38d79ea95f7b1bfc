/**
 * The section view: the entries that a section shows, in order, each in its form. It holds no text, and nothing of what
 * stands behind a collapse, so it is as large as what it shows, however long the run.
 *
 *     Entered ──> shown whole at the end      Decided ──> other forms, gone, or back      Requested ──> sent through here
 *     text = lead · shown[0] · shown[1] · …
 *
 * Laws kept here: 1 (an old view stays as it was), 7 (`evolve` over recorded events and `render` over recorded splices are
 * all there is; nothing is planned again).
 *
 * Source: IO-30 (chronological, what leads first), IO-32 (collapsed stubs show nothing).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Entry } from "@palimpsest/ledger/Ledger"
import type { Around, Change, Decided, Requested } from "./Decision.ts"
import { putOf, type Form } from "./Form.ts"
import { render as renderSplice, type Range } from "./Splice.ts"

/**
 * One entry as it is shown.
 *
 * @since 0.1.0
 * @category models
 */
export interface Piece {
  readonly seq: Seq
  readonly form: Form
}

/**
 * Pieces by ascending seq, single stubs among them; none of those while stubs stand collapsed. `through` is the last seq
 * that a request has shown, 0 before the first.
 *
 * @since 0.1.0
 * @category models
 */
export interface SectionView {
  readonly shown: ReadonlyArray<Piece>
  readonly around: Around
  readonly through: number
}

/**
 * What moves a view: an entry as the ledger holds it, a decision, a request that was made.
 *
 * @since 0.1.0
 * @category models
 */
export type SectionEvent = { readonly _tag: "Entered"; readonly entry: Entry } | Decided | Requested

/**
 * The texts that a view is made of: an entry's own, whole, and the part of one that a range names (`SectionBound.cut`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader {
  readonly entry: (seq: Seq) => string
  readonly range: (range: Range) => string
}

/**
 * A view that shows nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty: SectionView = { shown: [], around: { lead: [], stubs: "shown" }, through: 0 }

/**
 * The view after an event. An entry without observation changes nothing: a section shows observations. In a decision the
 * changes of single entries may stand in any order; a change over a range takes those in it that are shown, and each
 * one's own seq is its address.
 *
 * @since 0.1.0
 * @category evolving
 */
export const evolve = (view: SectionView, event: SectionEvent): SectionView => {
  switch (event._tag) {
    case "Entered":
      return event.entry.observation === undefined ? view : { ...view, shown: [...view.shown, whole(event.entry.seq)] }
    case "Decided":
      return decided(view, event)
    case "Requested":
      return { ...view, through: event.through }
  }
}

/**
 * The text of a view, and the parts that it is joined from: what leads (empty where nothing does), then one per piece.
 *
 * @since 0.1.0
 * @category rendering
 */
export const render = (
  view: SectionView,
  read: Reader
): { readonly text: string; readonly parts: ReadonlyArray<string> } => {
  const parts = [renderSplice(view.around.lead, read.range)]
  for (const piece of view.shown) {
    const put = putOf(piece.form)
    parts.push(put === undefined ? read.entry(piece.seq) : renderSplice(put, read.range))
  }
  return { text: concatenated(parts), parts }
}

/** By `+=`: a runtime need not write the text out where only the parts are used. */
const concatenated = (parts: ReadonlyArray<string>): string => {
  let text = ""
  for (const part of parts) text += part
  return text
}

const whole = (seq: Seq): Piece => ({ seq, form: { _tag: "Whole" } })

const decided = (view: SectionView, decision: Pick<Decided, "changes" | "around">): SectionView => {
  const around = decision.around ?? view.around
  const isShown = (piece: Piece): boolean =>
    piece.form._tag !== "Stub" || (around.stubs === "shown" && piece.form.put.length > 0)
  return { ...view, around, shown: merged(view.shown, decision.changes).filter(isShown) }
}

const merged = (shown: ReadonlyArray<Piece>, changes: ReadonlyArray<Change>): ReadonlyArray<Piece> => {
  const ranges = changes.filter(isRange)
  const singles = changes.filter((change) => !isRange(change)).map(({ entries, form }) => ({ seq: entries[0], form }))
  singles.sort((a, b) => a.seq - b.seq)
  const pieces: Array<Piece> = []
  let next = 0
  for (const piece of shown) {
    while (next < singles.length && singles[next]!.seq < piece.seq) pieces.push(singles[next++]!)
    if (singles[next]?.seq === piece.seq) pieces.push(singles[next++]!)
    else pieces.push(inRanges(piece, ranges))
  }
  for (; next < singles.length; next++) pieces.push(singles[next]!)
  return pieces
}

const inRanges = (piece: Piece, ranges: ReadonlyArray<Change>): Piece => {
  const range = ranges.find(({ entries: [from, to] }) => from <= piece.seq && piece.seq <= to)
  return range === undefined ? piece : { seq: piece.seq, form: range.form }
}

const isRange = (change: Change): boolean => change.entries[0] !== change.entries[1]

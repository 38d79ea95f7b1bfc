/**
 * The difference between what a view shows and what a turn must show: what a decision records.
 *
 * While stubs are shown, every one of them is a piece with words of its own. While they stand collapsed, what leaves is
 * recorded once, without words, neighbours of one reason as one range; going in and out of a collapse costs one word and
 * at most a ceiling's worth of stubs.
 */
import { format } from "@palimpsest/ledger/Address"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Change } from "../Decision.ts"
import type { Form, Why } from "../Form.ts"
import type { Piece, SectionView } from "../SectionView.ts"
import type { Splice } from "../Splice.ts"
import type { Fit, Fresh } from "./SectionFit.ts"
import type { SectionIndex } from "./SectionIndex.ts"
import { NONE } from "./SectionList.ts"
import { askRestore, type Asking } from "./SectionAsk.ts"

export function* changesOf(index: SectionIndex, view: SectionView, fit: Fit): Asking<ReadonlyArray<Change>> {
  const changes: Array<Change> = []
  const leaving = new Leaving(index, fit, changes)
  let next = 0
  for (const at of wantedOf(index, fit)) {
    const seq = index.seq(at)
    while (next < view.shown.length && view.shown[next]!.seq < seq) leaving.take(view.shown[next++]!)
    const now = view.shown[next]?.seq === seq ? view.shown[next++]!.form : undefined
    const form = yield* formOf(index, fit, at, now)
    if (form !== now) changes.push({ entries: [seq, seq], form })
  }
  while (next < view.shown.length) leaving.take(view.shown[next++]!)
  return changes
}

export const sameSplice = (a: Splice, b: Splice): boolean =>
  a === b || (a.length === b.length && a.every((piece, i) => samePiece(piece, b[i]!)))

/** Entries that a collapse takes out of sight. In a range each entry's own seq is its address; `rest` names the first. */
class Leaving {
  private readonly index: SectionIndex
  private readonly fit: Fit
  private readonly changes: Array<Change>
  private aged: number = NONE

  constructor(index: SectionIndex, fit: Fit, changes: Array<Change>) {
    this.index = index
    this.fit = fit
    this.changes = changes
  }

  take({ form, seq }: Piece): void {
    if (form._tag === "Stub") return
    const at = this.index.ordinalOf(seq)
    if (at === undefined) throw new TypeError(`the view shows @${seq}, which is no observation of the ledger`)
    const why = whyOf(this.index, this.fit, at)
    const last = this.changes.at(-1)
    if (why._tag === "Aged" && last !== undefined && this.aged !== NONE && this.aged === at - 1) {
      this.changes[this.changes.length - 1] = { ...last, entries: [last.entries[0], seq] }
    } else {
      this.changes.push({ entries: [seq, seq], form: { _tag: "Stub", why, rest: { seq }, put: [] } })
    }
    this.aged = why._tag === "Aged" ? at : NONE
  }
}

const wantedOf = (index: SectionIndex, fit: Fit): Iterable<number> =>
  fit.stubs === undefined ? fit.carried : Array.from({ length: index.length }, (_, at) => at)

function* formOf(index: SectionIndex, fit: Fit, at: number, now: Form | undefined): Asking<Form> {
  const stub = fit.stubs?.get(at)
  const seq = index.seq(at)
  if (stub !== undefined) return stubOf(seq, whyOf(index, fit, at), stub, now)
  const shape = fit.read.get(at)
  if (shape?._tag === "Fresh") return refreshedOf(seq, shape, now)
  return now === undefined || now._tag === "Stub" || now._tag === "Refreshed" ? yield* askRestore(seq) : now
}

const stubOf = (seq: Seq, why: Why, words: string, now: Form | undefined): Form =>
  now?._tag === "Stub" && sameWhy(now.why, why) && sameSplice(now.put, [words])
    ? now
    : { _tag: "Stub", why, rest: { seq }, put: [words] }

const refreshedOf = (seq: Seq, fresh: Fresh, now: Form | undefined): Form =>
  now?._tag === "Refreshed" && sameSplice(now.put, fresh.put)
    ? now
    : { _tag: "Refreshed", by: fresh.of.seq, rest: { seq }, put: fresh.put }

const whyOf = (index: SectionIndex, fit: Fit, at: number): Why => {
  const by = index.supersededBy[at]!
  if (by !== NONE) return { _tag: "Superseded", by: index.seq(by) }
  return isRefused(index, fit, at)
    ? { _tag: "Refused", invalidatedBy: index.seq(index.invalidatedBy[at]!) }
    : { _tag: "Aged" }
}

const isRefused = (index: SectionIndex, fit: Fit, at: number): boolean =>
  index.isStale(at) && (fit.read.get(at)?._tag === "Refused" || !fit.hasWorkspace)

const sameWhy = (a: Why, b: Why): boolean => a._tag === b._tag && causeOf(a) === causeOf(b)

const causeOf = (why: Why): Seq | undefined => {
  switch (why._tag) {
    case "Superseded":
    case "Invalidated":
      return why.by
    case "Refused":
      return why.invalidatedBy
    default:
      return undefined
  }
}

const samePiece = (a: Splice[number], b: Splice[number]): boolean =>
  typeof a === "string" || typeof b === "string"
    ? a === b
    : a.bytes[0] === b.bytes[0] && a.bytes[1] === b.bytes[1] && format(a.of) === format(b.of)

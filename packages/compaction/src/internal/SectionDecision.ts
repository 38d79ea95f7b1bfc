/** A turn's decision: what leads, the changes, and whether they rewrite what a request has shown. */
import { utf8Bytes } from "@palimpsest/budget/Estimate"
import type { Address } from "@palimpsest/ledger/Address"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Around, Cause, Change, Decided } from "../Decision.ts"
import { collapse } from "../SectionStub.ts"
import type { SectionView } from "../SectionView.ts"
import type { Splice } from "../Splice.ts"
import { sameSplice } from "./SectionDelta.ts"

/** What stands before the entries, and the scalars that the line of a collapse takes. `collapsed` counts its stubs. */
export const aroundOf = (
  notes: string,
  notesAt: Address | undefined,
  collapsed: number | undefined
): { readonly value: Around; readonly scalars: number } => {
  const line = collapsed === undefined ? "" : collapse(collapsed)
  return {
    value: {
      lead: [...notesOf(notes, notesAt), ...(line === "" ? [] : [line])],
      stubs: collapsed === undefined ? "shown" : "collapsed"
    },
    scalars: scalarsOf(line)
  }
}

export const decisionOf = (
  view: SectionView,
  changes: ReadonlyArray<Change>,
  around: Around
): Omit<Decided, "_tag" | "step"> | undefined => {
  const moved = around.stubs !== view.around.stubs || !sameSplice(around.lead, view.around.lead)
  if (changes.length === 0 && !moved) return undefined
  const rewritten = changes.filter(({ entries }) => entries[0] <= view.through)
  const isRewrite = rewritten.length > 0 || (moved && view.through > 0)
  return {
    ...(isRewrite ? { epoch: causeOf(view, rewritten, around) } : {}),
    changes,
    ...(moved ? { around } : {})
  }
}

/** The budget where something aged out of it or stubs began to collapse; else the schedule, which is every turn. */
const causeOf = (view: SectionView, rewritten: ReadonlyArray<Change>, around: Around): Cause =>
  rewritten.some(({ form }) => form._tag === "Stub" && form.why._tag === "Aged") ||
  (around.stubs === "collapsed" && view.around.stubs === "shown")
    ? "ceiling"
    : "schedule"

const notesOf = (text: string, at: Address | undefined): Splice => {
  if (text === "") return []
  return at === undefined ? [text] : [{ of: at, bytes: [0, utf8Bytes(text)], scalars: scalarsOf(text) }]
}

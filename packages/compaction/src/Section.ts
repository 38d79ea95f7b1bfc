/**
 * The section of the preset `io-harness`: one text block of observations, fitted again before every request.
 *
 *     notes · [one line for all stubs]? · entry · stub · entry · …        newest first while it fits, shown oldest first
 *
 * Planning is a generator: it yields what it wants (a stale file read again, the form of an entry that returns) and is
 * resumed with the answer, so that it stays free of any effect. What it decides is the difference between the view and what
 * the turn must show; rendering the view after that decision gives the seed's bytes.
 *
 * Laws kept: 1 (old ledger values and views plan as they did), 4 and 7 by its decisions (each carries an address and a
 * splice). As it reproduces a seed, its text breaks 4 (stubs without address), 5 (stubs are not charged: IO-W4; an entry may
 * exceed a tiny budget and nothing is carried: IO-W3), 6 (everything may change every turn: IO-W9) and 9 (a collapse names
 * nobody, refusals included: IO-W7). Mended: the cost of a turn is what is new and what is carried (IO-W1); stale reads are
 * read again only where they are reached or worded (IO-W8), while `reread` counts them all as the seed does; what a refresh
 * showed is stored and addressed (IO-W10), and entries stay whole behind their bound (IO-W11).
 *
 * Source: IO-22 to IO-36, `seed-systems` 1.1.5.
 *
 * @since 0.1.0
 */
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { estimate, tokensOf } from "@palimpsest/budget/Estimate"
import type { Address } from "@palimpsest/ledger/Address"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Ledger } from "@palimpsest/ledger/Ledger"
import type { Decided } from "./Decision.ts"
import type { Form } from "./Form.ts"
import { aroundOf, decisionOf } from "./internal/SectionDecision.ts"
import { changesOf } from "./internal/SectionDelta.ts"
import { fitOf } from "./internal/SectionFit.ts"
import { indexOf } from "./internal/SectionIndex.ts"
import { rowsOf } from "./internal/SectionTrace.ts"
import { block, type Note } from "./SectionNotes.ts"
import type { Reread, RereadAnswer } from "./SectionReread.ts"
import type { SectionView } from "./SectionView.ts"
import type { Given, Wanted } from "./SectionWanted.ts"

/**
 * What a turn is planned under. `budget` is in tokens and is the number that entry caps derive from (IO-13). `notesAt` is
 * where the notes' block (`SectionNotes.block` at this budget) is stored; without it, each decision that changes what leads
 * carries the block's words.
 *
 * @since 0.1.0
 * @category models
 */
export interface SectionInputs {
  readonly budget: number
  readonly notes: ReadonlyArray<Note>
  readonly notesAt?: Address
  readonly step: number
  readonly hasWorkspace: boolean
}

/**
 * The counts of a turn, as the seed reports them (IO-35); its text is the view's. `reread` counts every stale read that no
 * later read replaced, `scalars` and `estTokens` are of the whole text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Assembled {
  readonly carried: number
  readonly stubbed: number
  readonly reread: number
  readonly recalled: number
  readonly collapsed: boolean
  readonly estTokens: number
  readonly scalars: number
}

/**
 * The trace rows of a turn (IO-33): one for each re-read or refusal that took place, by ascending seq, one for notes if
 * there are any, exactly one `assembled`; never one per stub. `estTokens` stands on `assembled` alone.
 *
 * @since 0.1.0
 * @category models
 */
export interface TraceRow {
  readonly kind: "reread" | "reread_refused" | "memory_recall" | "assembled"
  readonly detail: string
  readonly estTokens?: number
}

/**
 * `decided` is absent where the view already shows what it must. `elided` counts what is left out, by reason; a stale read
 * that nobody reached counts as aged. `fresh` are the re-reads that are shown: the stale read and where its new text is.
 * `visits` is how many entries were looked at.
 *
 * @since 0.1.0
 * @category models
 */
export interface SectionPlan {
  readonly decided?: Omit<Decided, "_tag" | "step">
  readonly assembled: Assembled
  readonly elided: { readonly superseded: number; readonly refused: number; readonly aged: number }
  readonly fresh: ReadonlyArray<{ readonly seq: Seq; readonly of: Address }>
  readonly trace: ReadonlyArray<TraceRow>
  readonly visits: number
}

/**
 * Plans a turn. The view has to have seen every entry of the ledger, and no other. A `Reread` is answered with a
 * `RereadAnswer`, a `Restore` with the form in which that entry was admitted. A view that shows an entry which the ledger
 * does not hold, and an answer of the wrong kind, are defects and throw a TypeError.
 *
 * @since 0.1.0
 * @category planning
 */
export function* plan(ledger: Ledger, view: SectionView, inputs: SectionInputs): Generator<Wanted, SectionPlan, Given> {
  const { budget, hasWorkspace, step } = inputs
  const index = indexOf(ledger)
  const notes = block(inputs.notes, budget)
  const left = Math.max(0, budget - estimate(notes.text))
  const fit = yield* fitOf(index, { budget: left, cap: entryCapScalars(budget), step, hasWorkspace })
  const changes = yield* changesOf(index, view, fit)
  const stubbed = index.length - fit.carried.length
  const around = aroundOf(notes.text, inputs.notesAt, fit.stubs === undefined ? stubbed : undefined)
  const decided = decisionOf(view, changes, around.value)
  const scalars = scalarsOf(notes.text) + around.scalars + fit.scalars
  const assembled: Assembled = {
    carried: fit.carried.length,
    stubbed,
    reread: index.stale,
    recalled: notes.recalled,
    collapsed: fit.stubs === undefined,
    estTokens: tokensOf(scalars),
    scalars
  }
  const refused = hasWorkspace ? countRefused(fit.read.values()) : index.stale
  return {
    ...(decided === undefined ? {} : { decided }),
    assembled,
    elided: { superseded: index.superseded, refused, aged: stubbed - index.superseded - refused },
    fresh: fit.carried.flatMap((at) => {
      const shape = fit.read.get(at)
      return shape?._tag === "Fresh" ? [{ seq: index.seq(at), of: shape.of }] : []
    }),
    trace: rowsOf(index, fit.read, notes, assembled),
    visits: fit.visits
  }
}

/**
 * Drives a plan for a caller that can answer without waiting. Entries that return are whole unless `admitted` says
 * otherwise: give it where entries are admitted in another form (`SectionFrame.admit`).
 *
 * @since 0.1.0
 * @category planning
 */
export const run = (
  planning: Generator<Wanted, SectionPlan, Given>,
  answer: (wanted: Reread) => RereadAnswer,
  admitted: (seq: Seq) => Form = () => ({ _tag: "Whole" })
): SectionPlan => {
  let turn = planning.next()
  while (turn.done !== true) {
    const wanted = turn.value
    turn = planning.next(wanted._tag === "Reread" ? answer(wanted) : { _tag: "Restored", form: admitted(wanted.seq) })
  }
  return turn.value
}

const countRefused = (shapes: Iterable<{ readonly _tag: "Fresh" | "Refused" }>): number => {
  let count = 0
  for (const shape of shapes) if (shape._tag === "Refused") count++
  return count
}

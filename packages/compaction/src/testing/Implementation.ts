/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { standard } from "@palimpsest/budget/Price"
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Arguments from "../Arguments.ts"
import * as Balanced from "../Balanced.ts"
import * as Bound from "../Bound.ts"
import type { Form } from "../Form.ts"
import type { Marks } from "../Hysteresis.ts"
import type { Inputs } from "../Investment.ts"
import type { Cause, Change } from "../Decision.ts"
import * as Ladder from "../Ladder.ts"
import * as Recap from "../Recap.ts"
import type { Rule } from "../Reasoning.ts"
import * as Transcript from "../Transcript.ts"

/**
 * The fold of events, the plan of a request, the fold of the arguments of one call, the recap of what leaves, and the bounding of one result (the
 * texts of its blocks) to `cap` scalar values. `capOf` is what a result may bring in, under so many tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly evolve: (
    view: Transcript.Transcript,
    happenings: ReadonlyArray<Transcript.Happening>
  ) => Transcript.Transcript
  readonly plan: (view: Transcript.Transcript, marks: Marks, asked: Asked) => Balanced.Plan | Ladder.Rewrite
  readonly fold: (seq: Seq, args: string, least: number) => (Form & { readonly _tag: "Fold" }) | undefined
  readonly recap: (
    view: Transcript.Transcript,
    changes: ReadonlyArray<Change>,
    cause: Cause,
    texts: Recap.Texts,
    room: number
  ) => ReadonlyArray<Change>
  readonly bound: (
    seq: Seq,
    texts: readonly [string, ...ReadonlyArray<string>],
    cap: number
  ) => Form & { readonly _tag: "Bounded" }
  readonly capOf: (tokens: number) => number
}

/**
 * What a plan is asked with, beside the view and its marks.
 *
 * @since 0.1.0
 * @category models
 */
export type Asked = Pick<Inputs, "step" | "cached" | "attention" | "ended">

/**
 * This package, by hysteresis.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = {
  evolve: Transcript.evolve,
  plan: (view, marks) => Balanced.plan(view, marks),
  fold: Arguments.folded,
  recap: Recap.recapped,
  bound: Bound.boundedBlocks,
  capOf: entryCapScalars
}

/**
 * This package, by investment, for reasoning that is bound by a rule.
 *
 * @since 0.1.0
 * @category implementations
 */
export const investing = (reasoning: Rule): Implementation => ({
  ...ours,
  plan: (view, marks, asked) => Ladder.plan(view, marks, { ...asked, ...INPUTS, reasoning }),
  capOf: Ladder.entryCap
})

const INPUTS = { fixed: 0, prices: standard, appetite: { lambda: 1, theta: 1 }, isPinned: () => false }

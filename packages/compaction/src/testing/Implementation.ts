/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Balanced from "../Balanced.ts"
import * as Bound from "../Bound.ts"
import type { Form } from "../Form.ts"
import type { Marks } from "../Hysteresis.ts"
import * as Transcript from "../Transcript.ts"

/**
 * The fold, the plan of a request, and the bounding of one result (the texts of its blocks) to `cap` scalar values.
 *
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly evolve: (
    view: Transcript.Transcript,
    happenings: ReadonlyArray<Transcript.Happening>
  ) => Transcript.Transcript
  readonly plan: (view: Transcript.Transcript, marks: Marks) => Balanced.Plan
  readonly bound: (
    seq: Seq,
    texts: readonly [string, ...ReadonlyArray<string>],
    cap: number
  ) => Form & { readonly _tag: "Bounded" }
}

/**
 * This package.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = { evolve: Transcript.evolve, plan: Balanced.plan, bound: Bound.boundedBlocks }

/**
 * What the laws of a person's orders are about, as one record: the fold of commands, the plans that have to go by it, and
 * the restoration of what has left.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { standard } from "@palimpsest/budget/Price"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Attention from "../Attention.ts"
import * as Balanced from "../Balanced.ts"
import type { Command, Commanded, Entries, Proposed } from "../Command.ts"
import type { Decided } from "../Decision.ts"
import type { Inputs } from "../Investment.ts"
import * as Ladder from "../Ladder.ts"
import type { Marks } from "../Hysteresis.ts"
import * as Orders from "../Orders.ts"
import type { Rule } from "../Reasoning.ts"
import * as Restoration from "../Restoration.ts"
import type { Transcript } from "../Transcript.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Ordered {
  readonly record: typeof Orders.record
  readonly ladder: (view: Transcript, marks: Marks, inputs: Inputs) => ReturnType<typeof Ladder.plan>
  readonly balanced: (view: Transcript, marks: Marks, isPinned: Balanced.IsPinned) => Balanced.Plan
  readonly restore: typeof Restoration.changes
}

/**
 * This package.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Ordered = {
  record: Orders.record,
  ladder: Ladder.plan,
  balanced: Balanced.plan,
  restore: Restoration.changes
}

/**
 * What an investment is planned from, by a run that rewrites often, where some entries are pinned.
 *
 * @since 0.1.0
 * @category inputs
 */
export const inputs = (view: Transcript, reasoning: Rule, isPinned: Balanced.IsPinned): Inputs => ({
  step: view.messages.length * 8,
  cached: view.messages.length,
  fixed: 0,
  attention: Attention.none,
  prices: standard,
  appetite: { lambda: 0.1, theta: 0.1 },
  reasoning,
  ended: [],
  isPinned
})

const seq = FastCheck.integer({ min: 1, max: 12 }).map((n) => n as Seq)
const entries: FastCheck.Arbitrary<Entries> = FastCheck.tuple(seq, FastCheck.nat({ max: 4 })).map(([from, more]) => [
  from,
  (from + more) as Seq
])

/**
 * Commands about the first entries of a run.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const command: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  entries.map((of): Command => ({ _tag: "Pin", entries: of })),
  entries.map((of): Command => ({ _tag: "Unpin", entries: of })),
  entries.map((of): Command => ({ _tag: "Undo", epoch: 1, entries: [of] })),
  FastCheck.constantFrom<Command>({ _tag: "Off" }, { _tag: "On" }, { _tag: "Hold" }, { _tag: "Release" })
)

/**
 * Commands, questions and decisions, as they may follow each other in a log.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const event: FastCheck.Arbitrary<Commanded | Proposed | Decided> = FastCheck.oneof(
  { weight: 4, arbitrary: command.map((one): Commanded => ({ _tag: "Commanded", step: STEP, command: one })) },
  {
    weight: 1,
    arbitrary: FastCheck.constantFrom<Decided | Proposed>(
      { _tag: "Decided", step: 0 as Step, epoch: "schedule", changes: [] },
      { _tag: "Decided", step: 0 as Step, epoch: "command", changes: [] },
      { _tag: "Proposed", step: 0 as Step, cause: "schedule", worth: { frees: 1, rebills: 1, saves: 1 } }
    )
  }
)

const STEP = 0 as Step

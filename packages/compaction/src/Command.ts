/**
 * What a person tells a run's governor: one event kind, a command in each. Commands are events and nothing else is: no text
 * that a view shows, whatever it looks like, pins, releases or restores anything (law 15).
 *
 *     Commanded {Pin | Unpin | Off | On | Hold | Release | Ask | Unask | Allow | Deny | Undo}  ──fold──>  Orders
 *     Proposed  (a rewrite dearer than `Ask.above` waits)  <── Allow | Deny
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Seq, Step } from "@palimpsest/ledger/Ids"
import { Cause, Worth } from "./Decision.ts"

/**
 * Entries from the first seq to the last, both included.
 *
 * @since 0.1.0
 * @category models
 */
export const Entries = Schema.Tuple(Seq, Seq).pipe(
  Schema.filter(([from, to]) => from <= to || "the first entry stands behind the last")
)
/** @since 0.1.0 */
export type Entries = typeof Entries.Type

/**
 * - `Pin`, `Unpin`: these entries never leave the view, not at the ceiling either; or may again.
 * - `Off`, `On`: nothing is governed from here on, what stands stays and requests only grow; or is again.
 * - `Hold`, `Release`: no rewrite until released, unless the ceiling forces one.
 * - `Ask`, `Unask`: a rewrite that re-bills more than `above` tokens waits for a person; or none does.
 * - `Allow`, `Deny`: the answer to the `Proposed` of seq `of`.
 * - `Undo`: what the epoch elided, given as entries, comes back whole at the next request.
 *
 * @since 0.1.0
 * @category models
 */
export const Command = Schema.Union(
  Schema.TaggedStruct("Pin", { entries: Entries }),
  Schema.TaggedStruct("Unpin", { entries: Entries }),
  Schema.TaggedStruct("Off", {}),
  Schema.TaggedStruct("On", {}),
  Schema.TaggedStruct("Hold", {}),
  Schema.TaggedStruct("Release", {}),
  Schema.TaggedStruct("Ask", { above: Schema.NonNegativeInt }),
  Schema.TaggedStruct("Unask", {}),
  Schema.TaggedStruct("Allow", { of: Seq }),
  Schema.TaggedStruct("Deny", { of: Seq }),
  Schema.TaggedStruct("Undo", { epoch: Schema.Int.pipe(Schema.positive()), entries: Schema.NonEmptyArray(Entries) })
)
/** @since 0.1.0 */
export type Command = typeof Command.Type

/**
 * A person told the governor something.
 *
 * @since 0.1.0
 * @category models
 */
export const Commanded = Schema.TaggedStruct("Commanded", { step: Step, command: Command })
/** @since 0.1.0 */
export interface Commanded extends Schema.Schema.Type<typeof Commanded> {}

/**
 * A rewrite that waits for a person: why it was planned, and its price when it was. Its seq is what an answer names.
 *
 * @since 0.1.0
 * @category models
 */
export const Proposed = Schema.TaggedStruct("Proposed", { step: Step, cause: Cause, worth: Worth })
/** @since 0.1.0 */
export interface Proposed extends Schema.Schema.Type<typeof Proposed> {}

/**
 * Decisions: the events of this package. One `Decided` per batch changes the form of entries, in either direction, and
 * carries what it puts there. Rendering splices decisions; nothing is ever planned again (law 7).
 *
 *     entered, entered, … ── Decided ──> Requested ── entered, … ── Decided ──> Requested | Refused
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Digest, Seq, Step } from "@palimpsest/ledger/Ids"
import { Form } from "./Form.ts"
import { Splice } from "./Splice.ts"

/**
 * What made a rewrite: the schedule, the ceiling, a cold cache, the client, or a person's command (law 6).
 *
 * @since 0.1.0
 * @category models
 */
export const Cause = Schema.Literal("schedule", "ceiling", "cold", "client", "command")
/** @since 0.1.0 */
export type Cause = typeof Cause.Type

/**
 * Entries from the first seq to the last, both included, take a form.
 *
 * @since 0.1.0
 * @category models
 */
export const Change = Schema.Struct({ entries: Schema.Tuple(Seq, Seq), form: Form })
/** @since 0.1.0 */
export interface Change extends Schema.Schema.Type<typeof Change> {}

/**
 * What a section shows around its entries: words before all of them (notes, and the one line of a collapse), and
 * whether the stubs of single entries are shown or stand collapsed behind that line.
 *
 * @since 0.1.0
 * @category models
 */
export const Around = Schema.Struct({ lead: Splice, stubs: Schema.Literal("shown", "collapsed") })
/** @since 0.1.0 */
export interface Around extends Schema.Schema.Type<typeof Around> {}

/**
 * What a rewrite was expected to be worth when it was planned, in whole tokens of uncached input: what it frees of every
 * later request, what it re-bills once, and the net saving. An investment shows a positive one; at the line and at the
 * ceiling it may be negative.
 *
 * @since 0.1.0
 * @category models
 */
export const Worth = Schema.Struct({
  frees: Schema.NonNegativeInt,
  rebills: Schema.NonNegativeInt,
  saves: Schema.Int
})
/** @since 0.1.0 */
export interface Worth extends Schema.Schema.Type<typeof Worth> {}

/**
 * One batch of changes. With `epoch`, something that an earlier request showed is rewritten; without, only what no
 * request has shown yet takes its form (bounding at entry).
 *
 * @since 0.1.0
 * @category models
 */
export const Decided = Schema.TaggedStruct("Decided", {
  step: Step,
  epoch: Schema.optionalWith(Cause, { exact: true }),
  changes: Schema.Array(Change),
  worth: Schema.optionalWith(Worth, { exact: true }),
  around: Schema.optionalWith(Around, { exact: true })
})
/** @since 0.1.0 */
export interface Decided extends Schema.Schema.Type<typeof Decided> {}

/**
 * The two renderings of one view: a section is one text block; a transcript is messages, in the shape of the source.
 *
 * @since 0.1.0
 * @category models
 */
export const Rendering = Schema.Literal("section", "anthropic", "openai-chat")
/** @since 0.1.0 */
export type Rendering = typeof Rendering.Type

/**
 * A request as it was written down. `added` holds the digests of its messages from index `from` on (0 after an epoch
 * at the front); those before are the ones of the request before, so the log stays linear. `chain` is a digest over
 * the whole list. `estimate` is in managed tokens, `scalars` are of all its texts. `ceiling` is absent where there was
 * none.
 *
 * @since 0.1.0
 * @category models
 */
export const Requested = Schema.TaggedStruct("Requested", {
  step: Step,
  request: Schema.Int.pipe(Schema.positive()),
  through: Schema.NonNegativeInt,
  as: Rendering,
  ceiling: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }),
  scalars: Schema.NonNegativeInt,
  estimate: Schema.NonNegativeInt,
  from: Schema.NonNegativeInt,
  added: Schema.Array(Digest),
  chain: Digest
})
/** @since 0.1.0 */
export interface Requested extends Schema.Schema.Type<typeof Requested> {}

/**
 * A request that was not sent, as it cannot fit or may not be spent. `need` and `have` are managed tokens. `Pinned` where it
 * would fit without what a person pinned, which `pins` names.
 *
 * @since 0.1.0
 * @category models
 */
export const Refused = Schema.TaggedStruct("Refused", {
  step: Step,
  request: Schema.Int.pipe(Schema.positive()),
  why: Schema.Literal("ContextExhausted", "BudgetInfeasible", "LimitReached", "Pinned"),
  need: Schema.NonNegativeInt,
  have: Schema.NonNegativeInt,
  pins: Schema.optionalWith(Schema.NonEmptyArray(Seq), { exact: true })
})
/** @since 0.1.0 */
export interface Refused extends Schema.Schema.Type<typeof Refused> {}

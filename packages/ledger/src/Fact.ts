/**
 * The facts that the ledger owns: how a run began, what entered it, what was laid aside, when the client began its own
 * history anew, and how the run ended. Decisions, requests, rulings and usage are owned by the packages that make them.
 *
 * Decoding is strict: an unknown tag, key or version is an error that says where (law 14).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Body } from "./Body.ts"
import { Digest, LogId, Seq, Step } from "./Ids.ts"
import { Observation } from "./Observation.ts"
import { Part, Role } from "./Part.ts"

/**
 * Where an entry came from: made by the host, or read from a record of a source (its 1-based line, the stored record,
 * and the JSON pointer of the block in it, "" for the record itself).
 *
 * @since 0.1.0
 * @category models
 */
export const Origin = Schema.Union(
  Schema.TaggedStruct("Made", {}),
  Schema.TaggedStruct("Read", { line: Schema.Int.pipe(Schema.positive()), record: Digest, path: Schema.String })
)
/** @since 0.1.0 */
export type Origin = typeof Origin.Type

/**
 * A run began, under a configuration (a stored body), perhaps as the child of a call of another run.
 *
 * @since 0.1.0
 * @category models
 */
export const Began = Schema.TaggedStruct("Began", {
  step: Step,
  parent: Schema.optionalWith(Schema.Struct({ log: LogId, call: Seq }), { exact: true }),
  config: Body
})

/**
 * One part of one message entered the run. `message` groups the parts of one message.
 *
 * @since 0.1.0
 * @category models
 */
export const Entered = Schema.TaggedStruct("Entered", {
  step: Step,
  message: Schema.String,
  role: Role,
  part: Part,
  observation: Schema.optionalWith(Observation, { exact: true }),
  origin: Origin
})
/** @since 0.1.0 */
export interface Entered extends Schema.Schema.Type<typeof Entered> {}

/**
 * A source record that no model saw (progress lines, snapshots, unknown types): kept as it came, and counted.
 *
 * @since 0.1.0
 * @category models
 */
export const Aside = Schema.TaggedStruct("Aside", {
  step: Step,
  type: Schema.String,
  record: Body,
  line: Schema.Int.pipe(Schema.positive())
})

/**
 * The client's own history began anew (its compaction, a fork, an edit). What it keeps stays in the view, in this
 * order; everything else leaves it by the client's hand.
 *
 * @since 0.1.0
 * @category models
 */
export const Restarted = Schema.TaggedStruct("Restarted", {
  step: Step,
  why: Schema.Literal("client-compaction", "fork", "edit"),
  keeps: Schema.Array(Seq)
})

/**
 * The client blanked some results in its own request and kept the rest of the history: `put` is what it shows instead.
 *
 * @since 0.1.0
 * @category models
 */
export const Cleared = Schema.TaggedStruct("Cleared", {
  step: Step,
  entries: Schema.NonEmptyArray(Seq),
  put: Schema.String
})

/**
 * How a run ended (LE-17). An import never writes it.
 *
 * @since 0.1.0
 * @category models
 */
export const Ended = Schema.TaggedStruct("Ended", {
  step: Step,
  epitaph: Schema.Literal("final-response", "stopped", "budget-exhausted", "died")
})

/**
 * How far a source has been read, in a log of its own beside the run's (`RUN~source`): the number of its records, its
 * format, and the bytes after the last record (`tail`: a final line break, or the end of a JSON document).
 *
 * @since 0.1.0
 * @category models
 */
export const Sourced = Schema.TaggedStruct("Sourced", {
  step: Step,
  format: Schema.String,
  records: Schema.NonNegativeInt,
  tail: Body
})

/**
 * The facts of this package, by tag.
 *
 * @since 0.1.0
 * @category models
 */
export const Fact = Schema.Union(Began, Entered, Aside, Restarted, Cleared, Ended, Sourced).annotations({
  parseOptions: { onExcessProperty: "error" }
})
/** @since 0.1.0 */
export type Fact = typeof Fact.Type

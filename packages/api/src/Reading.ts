/**
 * What can be read of a run: its events, entries and decisions, what the model saw, whether the log is whole, and the
 * bytes behind an address.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decided } from "@palimpsest/compaction/Decision"
import { Form } from "@palimpsest/compaction/Form"
import { Digest, LogId, Seq } from "@palimpsest/ledger/Ids"
import { Observation } from "@palimpsest/ledger/Observation"
import { optional, struct } from "./internal/strict.ts"

/**
 * An event as it is stored, with its digest.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Event = struct({
  seq: Seq,
  id: Schema.String,
  at: Schema.String,
  kind: Schema.String,
  version: Schema.Int,
  payload: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  prev: Digest,
  digest: Digest
}).annotations({ identifier: "Event" })
/** @since 0.1.0 */
export type Event = typeof Event.Type

/**
 * An entry and its address. `bytes` is the size of each of its blocks.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EntryRow = struct({
  address: Schema.String,
  seq: Seq,
  step: Schema.NonNegativeInt,
  message: Schema.String,
  role: Schema.String,
  part: Schema.String,
  call: optional(Schema.String),
  observation: optional(Observation),
  bytes: Schema.Array(Schema.NonNegativeInt)
}).annotations({ identifier: "EntryRow" })
/** @since 0.1.0 */
export type EntryRow = typeof EntryRow.Type

/**
 * A decision and its place: what changed form, why, and what a rewrite was expected to be worth.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Decision = struct({ seq: Seq, at: Schema.String, decided: Decided }).annotations({
  identifier: "Decision"
})
/** @since 0.1.0 */
export type Decision = typeof Decision.Type

/**
 * One entry of a request: the message that it stands in (0-based), its form, and where it is whole.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Shown = struct({
  address: Schema.String,
  message: Schema.NonNegativeInt,
  role: Schema.String,
  part: Schema.String,
  target: optional(Schema.String),
  form: Form,
  why: optional(Schema.String)
}).annotations({ identifier: "Shown" })

/**
 * A request as the log gives it: the JSON texts of its messages as they were sent, or why it was refused.
 *
 * @since 0.1.0
 * @category schemas
 */
export const View = Schema.Union(
  Schema.TaggedStruct("Sent", {
    run: LogId,
    request: Schema.NonNegativeInt,
    rendering: Schema.Literal("transcript", "section"),
    estimate: Schema.NonNegativeInt,
    messages: Schema.Array(Schema.String),
    entries: Schema.Array(Shown)
  }),
  Schema.TaggedStruct("Refused", {
    run: LogId,
    request: Schema.NonNegativeInt,
    why: Schema.String,
    need: Schema.NonNegativeInt,
    have: Schema.NonNegativeInt
  })
).annotations({ identifier: "View" })
/** @since 0.1.0 */
export type View = typeof View.Type

/**
 * What an audit counted and found. `whole` is whether it found nothing; at most 1,000 findings are given.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Audited = struct({
  run: LogId,
  whole: Schema.Boolean,
  events: Schema.NonNegativeInt,
  bodies: Schema.NonNegativeInt,
  requests: Schema.NonNegativeInt,
  differ: Schema.NonNegativeInt,
  head: Digest,
  findings: Schema.Array(struct({ log: optional(LogId), seq: Schema.NonNegativeInt, why: Schema.String }))
}).annotations({ identifier: "Audited" })

/**
 * Bytes, given back: `text` where they are text or JSON, else `base64`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Recalled = struct({
  address: Schema.String,
  encoding: Schema.Literal("utf8", "json", "bytes"),
  media: Schema.String,
  text: optional(Schema.String),
  base64: optional(Schema.String)
}).annotations({ identifier: "Recalled" })
/** @since 0.1.0 */
export type Recalled = typeof Recalled.Type

const Range = Schema.String.pipe(Schema.pattern(/^[0-9]{1,15}-[0-9]{1,15}$/))

/**
 * What to give back: `RUN@SEQ[.BLOCK][:A-B]`, and perhaps a part of it. `lines` are 1-based and both ends count; `bytes`
 * are 0-based and the second end does not count.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Recall = struct({
  address: Schema.String.pipe(Schema.maxLength(400)),
  lines: optional(Range),
  bytes: optional(Range)
})

/**
 * A place where words that were searched for stand, with some of the text around them.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Hit = struct({ address: Schema.String, snippet: Schema.String }).annotations({ identifier: "Hit" })

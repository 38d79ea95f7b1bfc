/**
 * The facts of a compaction by summary: that it was done, that it was refused, and every call that was made for it. What
 * it changed in the view stands in the `Decided` before it; here is what it measured, under one id in every place that it
 * is told in (HA-22). What is not known is absent and is never 0 (law 11).
 *
 *     Summarized* ─> Decided(epoch) ─> Compacted          Summarized* ─> CompactionRefused, and nothing changed
 *
 * Every source message is named with what became of it (law 9).
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Seq, Step } from "@palimpsest/ledger/Ids"
import { CallRecord } from "./harn/CallRecord.ts"
import { Strategy, ThresholdSource } from "./harn/Config.ts"
import { Fate } from "./harn/Fate.ts"
import { SourceMeasurement } from "./harn/Measurement.ts"
import { CompactionPolicy, InstructionMode } from "./harn/Policy.ts"
import { type CompactionReceipt, Mode, ReceiptId } from "./harn/Receipt.ts"
import { RecapMetrics } from "./harn/Recap.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * Entries from the first seq to the last.
 *
 * @since 0.1.0
 * @category models
 */
export const Entries = Schema.Tuple(Seq, Seq)

/**
 * One archived message: its entries, none where it was the words of an earlier recap, and what became of it.
 *
 * @since 0.1.0
 * @category models
 */
export const Archived = Schema.Struct({ entries: optional(Entries), fate: Fate })
/** @since 0.1.0 */
export interface Archived extends Schema.Schema.Type<typeof Archived> {}

/**
 * A compaction that was done. `strategy` is the label of the policy, `requested` what was asked for, `effective` what wrote
 * the summary. Tokens are the estimates that the compaction went by. `archived` are its source messages in order, `clamped`
 * the results that were bounded in the part that stayed (bytes), `calls` how many calls were made for it.
 *
 * @since 0.1.0
 * @category models
 */
export const Compacted = Schema.TaggedStruct("Compacted", {
  step: Step,
  id: ReceiptId,
  mode: Mode,
  strategy: Schema.String,
  requested: optional(Schema.String),
  effective: Strategy,
  threshold: optional(Schema.NonNegativeInt),
  thresholdSource: optional(ThresholdSource),
  hardLimit: optional(Schema.NonNegativeInt),
  before: Schema.NonNegativeInt,
  after: Schema.NonNegativeInt,
  archived: Schema.Array(Archived),
  clamped: Schema.Array(Schema.Struct({ entry: Seq, dropped: Schema.NonNegativeInt })),
  instructions: InstructionMode,
  policy: optional(Schema.typeSchema(CompactionPolicy)),
  recap: optional(Schema.typeSchema(RecapMetrics)),
  measurement: optional(Schema.typeSchema(SourceMeasurement)),
  calls: Schema.NonNegativeInt
})
/** @since 0.1.0 */
export interface Compacted extends Schema.Schema.Type<typeof Compacted> {}

/**
 * A compaction that was due and would have thrown its source away (`ZeroCarry`, with the measurement), or whose strategy
 * gave no summary (`StrategyFailed`). `says` is the refusal in words. The view is exactly as it was.
 *
 * @since 0.1.0
 * @category models
 */
export const CompactionRefused = Schema.TaggedStruct("CompactionRefused", {
  step: Step,
  id: ReceiptId,
  why: Schema.Literal("ZeroCarry", "StrategyFailed"),
  strategy: Strategy,
  says: Schema.String,
  before: Schema.NonNegativeInt,
  measurement: optional(Schema.typeSchema(SourceMeasurement)),
  calls: Schema.NonNegativeInt
})
/** @since 0.1.0 */
export interface CompactionRefused extends Schema.Schema.Type<typeof CompactionRefused> {}

/**
 * One call of the summariser for a compaction, with the manifest of what was sent: sizes and digests of its messages, so
 * that it can be held against a recording of the call.
 *
 * @since 0.1.0
 * @category models
 */
export const Summarized = Schema.TaggedStruct("Summarized", {
  step: Step,
  id: ReceiptId,
  record: CallRecord
})
/** @since 0.1.0 */
export interface Summarized extends Schema.Schema.Type<typeof Summarized> {}

/**
 * The facts of this module, by tag.
 *
 * @since 0.1.0
 * @category models
 */
export const Fact = Schema.Union(Compacted, CompactionRefused, Summarized)
/** @since 0.1.0 */
export type Fact = typeof Fact.Type

/**
 * The receipt of a compaction in the form of the seed, for the session and the transcript that it was of.
 *
 * @since 0.1.0
 * @category receipts
 */
export const receiptOf = (done: Compacted, session: string, transcript: string, reason: string): CompactionReceipt => ({
  schemaVersion: 1,
  id: done.id,
  session,
  transcript,
  mode: done.mode,
  reason,
  strategy: done.strategy,
  engineStrategy: done.effective,
  requestedStrategy: Option.fromNullable(done.requested),
  resolvedThresholdTokens: Option.fromNullable(done.threshold),
  thresholdSource: Option.fromNullable(done.thresholdSource),
  hardLimitTokens: Option.fromNullable(done.hardLimit),
  archivedMessages: done.archived.length,
  estimatedTokensBefore: done.before,
  estimatedTokensAfter: done.after,
  snapshotAssetId: Option.none(),
  instructionMode: done.instructions,
  instructionSource: Option.fromNullable(done.policy?.author),
  compactionPolicy: Option.fromNullable(done.policy),
  recap: Option.fromNullable(done.recap),
  sourceMeasurement: Option.fromNullable(done.measurement)
})

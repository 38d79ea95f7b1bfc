/**
 * The receipt of one compaction: what was asked for and what was done, with one id through every place it is told in. The
 * id comes from the caller, as nothing here is random. What is not known is absent, and is never 0: a threshold of 0 is a
 * compaction that was forced, an absent one is none that was resolved (law 11).
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Compacted } from "./Compact.ts"
import { type AutoCompactConfig, Strategy, ThresholdSource } from "./Config.ts"
import { SourceMeasurement } from "./Measurement.ts"
import { CompactionPolicy, InstructionMode, modeOf } from "./Policy.ts"
import { RecapMetrics } from "./Recap.ts"

/**
 * Who a compaction is done for.
 *
 * @since 0.1.0
 * @category models
 */
export const Mode = Schema.Literal("manual", "host", "auto", "workflow", "worker", "resume_digest")
/** @since 0.1.0 */
export type Mode = typeof Mode.Type

/**
 * What set it off.
 *
 * @since 0.1.0
 * @category models
 */
export const Trigger = Schema.Literal("manual", "threshold", "budget_pressure")
/** @since 0.1.0 */
export type Trigger = typeof Trigger.Type

/**
 * `compaction-` and a UUID of version 7.
 *
 * @since 0.1.0
 * @category models
 */
export const ReceiptId = Schema.String.pipe(
  Schema.pattern(/^compaction-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  Schema.brand("ReceiptId")
)
/** @since 0.1.0 */
export type ReceiptId = typeof ReceiptId.Type

/**
 * The id of a compaction whose host has neither a clock nor chance: of the shape that the seed demands, and made from a
 * digest, so that it is the same again (law 7).
 *
 * @since 0.1.0
 * @category constructors
 */
export const receiptIdOf = (digest: Digest): ReceiptId => {
  const variant = "89ab".charAt(Number.parseInt(digest.charAt(16), 16) % 4)
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `7${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32)
  ]
  return ReceiptId.make(`compaction-${parts.join("-")}`)
}

/** Absent or null where it is not known. */
const known = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { as: "Option", nullable: true })

/**
 * Tokens are estimates. `strategy` is the label of the policy, `engineStrategy` what really wrote the summary,
 * `requestedStrategy` what was asked for.
 *
 * @since 0.1.0
 * @category models
 */
export const CompactionReceipt = Schema.Struct({
  schemaVersion: Schema.propertySignature(Schema.Literal(1)).pipe(Schema.fromKey("schema_version")),
  id: ReceiptId,
  session: Schema.String,
  transcript: Schema.String,
  mode: Mode,
  reason: Schema.String,
  strategy: Schema.String,
  engineStrategy: Schema.propertySignature(Strategy).pipe(Schema.fromKey("engine_strategy")),
  requestedStrategy: known(Schema.String).pipe(Schema.fromKey("requested_strategy")),
  resolvedThresholdTokens: known(Schema.NonNegativeInt).pipe(Schema.fromKey("resolved_threshold_tokens")),
  thresholdSource: known(ThresholdSource).pipe(Schema.fromKey("threshold_source")),
  hardLimitTokens: known(Schema.NonNegativeInt).pipe(Schema.fromKey("hard_limit_tokens")),
  archivedMessages: Schema.propertySignature(Schema.NonNegativeInt).pipe(Schema.fromKey("archived_messages")),
  estimatedTokensBefore: Schema.propertySignature(Schema.NonNegativeInt).pipe(
    Schema.fromKey("estimated_tokens_before")
  ),
  estimatedTokensAfter: Schema.propertySignature(Schema.NonNegativeInt).pipe(Schema.fromKey("estimated_tokens_after")),
  snapshotAssetId: known(Schema.String).pipe(Schema.fromKey("snapshot_asset_id")),
  instructionMode: Schema.propertySignature(InstructionMode).pipe(Schema.fromKey("instruction_mode")),
  instructionSource: known(Schema.String).pipe(Schema.fromKey("instruction_source")),
  compactionPolicy: known(CompactionPolicy).pipe(Schema.fromKey("compaction_policy")),
  recap: known(RecapMetrics),
  sourceMeasurement: known(SourceMeasurement).pipe(Schema.fromKey("source_measurement"))
})
/** @since 0.1.0 */
export interface CompactionReceipt extends Schema.Schema.Type<typeof CompactionReceipt> {}

/**
 * A receipt from its wire form; unknown keys and versions are errors.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = Schema.decodeUnknownEither(CompactionReceipt, { onExcessProperty: "error", errors: "all" })

/**
 * The wire form of a receipt.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encode = Schema.encodeSync(CompactionReceipt)

/**
 * What only the caller knows of a compaction.
 *
 * @since 0.1.0
 * @category models
 */
export interface Occasion {
  readonly id: ReceiptId
  readonly session: string
  readonly transcript: string
  readonly mode: Mode
  readonly reason: string
  readonly snapshotAssetId?: string
}

/**
 * The receipt of a compaction that was done.
 *
 * @since 0.1.0
 * @category constructors
 */
export const receiptOf = (
  { id, session, transcript, mode, reason, snapshotAssetId }: Occasion,
  config: AutoCompactConfig,
  done: Compacted
): CompactionReceipt => {
  const instructionMode = modeOf(config.policy)
  return {
    schemaVersion: 1,
    id,
    session,
    transcript,
    mode,
    reason,
    strategy: config.policyStrategy,
    engineStrategy: done.strategy,
    requestedStrategy: Option.fromNullable(config.requestProvenance?.requestedStrategy),
    resolvedThresholdTokens: Option.some(config.tokenThreshold),
    thresholdSource: Option.fromNullable(config.requestProvenance?.thresholdSource),
    hardLimitTokens: Option.fromNullable(config.hardLimitTokens),
    archivedMessages: done.window.split - done.window.start,
    estimatedTokensBefore: done.tokensBefore,
    estimatedTokensAfter: done.tokensAfter,
    snapshotAssetId: Option.fromNullable(snapshotAssetId),
    instructionMode,
    instructionSource: Option.fromNullable(config.policy.author),
    compactionPolicy: instructionMode === "default" ? Option.none() : Option.some(config.policy),
    recap: Option.fromNullable(done.recapMetrics),
    sourceMeasurement: Option.some(done.measurement)
  }
}

/**
 * The three places that a compaction is told in. Each holds the receipt itself, so no two of them can differ.
 *
 * @since 0.1.0
 * @category projections
 */
export const projections = (receipt: CompactionReceipt) =>
  ({
    transcript: { type: "transcript_compacted", compaction_id: receipt.id, receipt },
    live: { type: "compaction_completed", compaction_id: receipt.id, receipt },
    run: { compaction_id: receipt.id, receipt }
  }) as const

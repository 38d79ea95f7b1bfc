/**
 * The settings of the preset `harn` and their defaults. Decoding is strict: an unknown key or strategy is an error that
 * says so, never a default (law 14). Callbacks are no settings: they are handed to `Compact` beside these.
 *
 * A few huge messages are never compacted, as the kept part counts messages (HA-W9, kept).
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { CompactionPolicy, NO_POLICY } from "./Policy.ts"
import { DEFAULT_RECAP_BUDGET_BYTES } from "./Recap.ts"

/**
 * How archived messages become a summary.
 *
 * @since 0.1.0
 * @category models
 */
export const Strategy = Schema.Literal("llm", "truncate", "custom", "observation_mask").annotations({
  message: (issue) => ({
    message: `unknown compaction strategy ${JSON.stringify(issue.actual)}: expected one of llm, truncate, custom, observation_mask`,
    override: true
  })
})
/** @since 0.1.0 */
export type Strategy = typeof Strategy.Type

/**
 * What set the threshold that fired.
 *
 * @since 0.1.0
 * @category models
 */
export const ThresholdSource = Schema.Literal(
  "token_threshold",
  "compact_threshold",
  "target_tokens",
  "compaction_policy",
  "runtime_config",
  "pre_compact_modify",
  "default"
)
/** @since 0.1.0 */
export type ThresholdSource = typeof ThresholdSource.Type

/**
 * Who asked for what, kept for the receipt.
 *
 * @since 0.1.0
 * @category models
 */
export const RequestProvenance = Schema.Struct({
  requestedStrategy: Schema.optionalWith(Schema.String, { exact: true }).pipe(Schema.fromKey("requested_strategy")),
  thresholdSource: Schema.optionalWith(ThresholdSource, { exact: true }).pipe(Schema.fromKey("threshold_source"))
})
/** @since 0.1.0 */
export interface RequestProvenance extends Schema.Schema.Type<typeof RequestProvenance> {}

const count = (otherwise: number) =>
  Schema.optionalWith(Schema.NonNegativeInt, { default: () => otherwise, exact: true })
const strategy = (otherwise: Strategy) => Schema.optionalWith(Strategy, { default: () => otherwise, exact: true })

/**
 * Thresholds and limits are in estimated tokens, `keep…` in messages, the other sizes in bytes. The first threshold fires
 * above `tokenThreshold`, always at 0; the second, `hardLimitTokens`, on what the first leaves. `toolOutputMaxChars` 0
 * clamps nothing. `summarizePrompt` is a host's own instructions for the summariser, read by the host.
 *
 * @since 0.1.0
 * @category models
 */
export const AutoCompactConfig = Schema.Struct({
  requestProvenance: Schema.optionalWith(RequestProvenance, { exact: true }).pipe(Schema.fromKey("request_provenance")),
  keepFirst: count(0).pipe(Schema.fromKey("keep_first")),
  tokenThreshold: count(48_000).pipe(Schema.fromKey("token_threshold")),
  toolOutputMaxChars: count(16_000).pipe(Schema.fromKey("tool_output_max_chars")),
  keepLast: count(12).pipe(Schema.fromKey("keep_last")),
  compactStrategy: strategy("observation_mask").pipe(Schema.fromKey("compact_strategy")),
  hardLimitTokens: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }).pipe(
    Schema.fromKey("hard_limit_tokens")
  ),
  hardLimitStrategy: strategy("llm").pipe(Schema.fromKey("hard_limit_strategy")),
  summarizePrompt: Schema.optionalWith(Schema.String, { exact: true }).pipe(Schema.fromKey("summarize_prompt")),
  policyStrategy: Schema.optionalWith(Schema.String, { default: () => "observation_mask", exact: true }).pipe(
    Schema.fromKey("policy_strategy")
  ),
  fallbackStrategy: Schema.optionalWith(Strategy, { exact: true }).pipe(Schema.fromKey("fallback_strategy")),
  policy: Schema.optionalWith(CompactionPolicy, { default: () => NO_POLICY, exact: true }),
  recapBudgetBytes: count(DEFAULT_RECAP_BUDGET_BYTES).pipe(Schema.fromKey("recap_budget_bytes"))
}).pipe(
  Schema.filter(({ compactStrategy, fallbackStrategy }) =>
    compactStrategy === fallbackStrategy ? `fallback_strategy must differ from compact_strategy` : undefined
  )
)
/** @since 0.1.0 */
export interface AutoCompactConfig extends Schema.Schema.Type<typeof AutoCompactConfig> {}

/**
 * The settings from a value with the seed's own keys.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode: (input: unknown) => Either.Either<AutoCompactConfig, ParseResult.ParseError> =
  Schema.decodeUnknownEither(AutoCompactConfig, { onExcessProperty: "error", errors: "all" })

/**
 * All defaults.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults: AutoCompactConfig = Either.getOrThrow(decode({}))

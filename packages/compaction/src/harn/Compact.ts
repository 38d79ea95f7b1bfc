/**
 * The compaction of the preset `harn`: measured, and closed where it fails. A function from messages to new messages; the
 * ones given are never changed, so whatever is refused leaves everything as it was (HA-W1, mended by construction).
 *
 *     messages ── over the threshold, a window to archive ──> summary ── over the hard limit ──> summary of the summary
 *       │ none                                                │ measured
 *       └──> nothing                    carried nothing ──> CompactionRefused;   else ──> first + summary + clamped rest
 *
 * 1. A summary that carried none of a source that had words is refused, with the measurement (HA-18); a second tier cannot
 *    make up for a first that carried nothing.
 * 2. What was measured is the summary alone, before policy and repair ledger are appended.
 * 3. Every archived message has a fate in the result (law 9). The system prompt is not among the messages: a host keeps it
 *    beside them, as one in the list would be archived like any other.
 *
 * Laws that its text breaks: 4 (no address), 5 (soft budget, an estimate that is no bound; HA-W10, HA-W13), 6 (each firing
 * rewrites from the front; HA-W14), 9 (the user's words are masked; a result may be no smaller, HA-W11), 15 (the summary
 * speaks as the user, HA-W15; pins and recaps are known by text, HA-W6). All kept.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { CallRecord } from "./CallRecord.ts"
import { clamp, type Clamped } from "./Clamp.ts"
import type { AutoCompactConfig, Strategy } from "./Config.ts"
import type { Fate } from "./Fate.ts"
import { type Complete, discardedSourceContext, measure } from "./Measurement.ts"
import type { Message } from "./Message.ts"
import { visibleOf } from "./Policy.ts"
import type { RecapMetrics } from "./Recap.ts"
import { ledgerOf, render, type RepairLedger } from "./RepairLedger.ts"
import { windowOf, type Window } from "./Split.ts"
import { after, type Host, run, type StrategyFailed, type Written } from "./Strategy.ts"
import { none, type NotRecorded, type Summarizer } from "./Summarizer.ts"
import { tokensOf } from "./TokenEstimate.ts"

/**
 * What a compaction made. `fates` are of the messages of `window`, in order; `clamped` names places in the old list.
 * `strategy` is the one that wrote the summary, `primary` the one that was to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Compacted {
  readonly messages: ReadonlyArray<Message>
  readonly summary: string
  readonly primary: Strategy
  readonly strategy: Strategy
  readonly recapMetrics?: RecapMetrics
  readonly measurement: Complete
  readonly window: Window
  readonly fates: ReadonlyArray<Fate>
  readonly clamped: Clamped["changes"]
  readonly repairLedger?: RepairLedger
  readonly calls: ReadonlyArray<CallRecord>
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/**
 * A compaction that would have thrown its source away. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class CompactionRefused extends Data.TaggedError("CompactionRefused")<{
  readonly measurement: Complete
  readonly calls: ReadonlyArray<CallRecord>
}> {
  override get message(): string {
    const { carriedSourceBytes, sourceBytes, sourceMessageCount, summaryBytes } = this.measurement
    return `transcript compaction refused: the summary carried ${carriedSourceBytes} of ${sourceBytes} source bytes across ${sourceMessageCount} archived messages (summary was ${summaryBytes} bytes, all generated scaffold); the source context was preserved`
  }
}

/**
 * The messages after a compaction; none where none was due.
 *
 * @since 0.1.0
 * @category running
 */
export const compact = Effect.fn("harn.compact")(function* (
  messages: ReadonlyArray<Message>,
  config: AutoCompactConfig,
  host: Host
) {
  const tokensBefore = tokensOf(messages)
  const window = dueWindow(messages, config, tokensBefore)
  if (window === undefined) return Option.none<Compacted>()
  const first = messages.slice(0, window.start)
  const archived = messages.slice(window.start, window.split)
  const retained = messages.slice(window.split)
  const clamped = clamp(retained, config.toolOutputMaxChars, host.compress)
  const source = { archived, count: archived.length, retained }
  const primary = yield* run(config.compactStrategy, source, config, host)
  yield* carrying(archived, primary)
  const list = (text: string): ReadonlyArray<Message> => [...first, asMessage(text), ...clamped.messages]
  const isOver = config.hardLimitTokens !== undefined && tokensOf(list(primary.text)) > config.hardLimitTokens
  const summary = isOver ? yield* second(primary, source.count, retained, config, host) : primary
  const measurement = yield* carrying(archived, summary)
  const repairLedger = ledgerOf(archived, retained)
  const parts = [summary.text, visibleOf(config.policy), repairLedger === undefined ? undefined : render(repairLedger)]
  const text = parts.filter((part) => part !== undefined).join("\n\n")
  const compacted = list(text)
  return Option.some<Compacted>({
    messages: compacted,
    summary: text,
    primary: config.compactStrategy,
    strategy: summary.strategy,
    ...(summary.metrics === undefined ? {} : { recapMetrics: summary.metrics }),
    measurement,
    window,
    fates: summary.fates,
    clamped: clamped.changes.map(({ at, droppedBytes }) => ({ at: window.split + at, droppedBytes })),
    ...(repairLedger === undefined ? {} : { repairLedger }),
    calls: summary.calls,
    tokensBefore,
    tokensAfter: tokensOf(compacted)
  })
})

/**
 * A compaction without a summariser: the strategies that need none, at once.
 *
 * @since 0.1.0
 * @category running
 */
export const deterministic = (
  messages: ReadonlyArray<Message>,
  config: AutoCompactConfig,
  host: Omit<Host, "custom">
): Either.Either<Option.Option<Compacted>, CompactionRefused | StrategyFailed | NotRecorded> =>
  Effect.runSync(Effect.either(Effect.provide(compact(messages, config, host), none)))

/**
 * The range that a compaction would archive now; undefined where none is due.
 *
 * @since 0.1.0
 * @category planning
 */
export const dueWindow = (
  messages: ReadonlyArray<Message>,
  { tokenThreshold, keepFirst, keepLast }: Pick<AutoCompactConfig, "tokenThreshold" | "keepFirst" | "keepLast">,
  tokens = tokensOf(messages)
): Window | undefined =>
  tokenThreshold > 0 && tokens <= tokenThreshold ? undefined : windowOf(messages, keepFirst, keepLast)

const asMessage = (content: string): Message => ({ role: "user", content })

const carrying = (archived: ReadonlyArray<Message>, summary: Written): Effect.Effect<Complete, CompactionRefused> => {
  const measurement = measure(archived, summary)
  return discardedSourceContext(measurement)
    ? Effect.fail(new CompactionRefused({ measurement, calls: summary.calls }))
    : Effect.succeed(measurement)
}

/** The second tier: a summary of the first one alone, which cannot carry more of the source than that did. */
const second = (
  primary: Written,
  count: number,
  retained: ReadonlyArray<Message>,
  config: AutoCompactConfig,
  host: Host
): Effect.Effect<Written, StrategyFailed | NotRecorded, Summarizer> =>
  run(config.hardLimitStrategy, { archived: [asMessage(primary.text)], count, retained }, config, host).pipe(
    Effect.mapError((failed) => (failed._tag === "StrategyFailed" ? after(primary.calls, failed) : failed)),
    Effect.map((written) => ({
      ...written,
      carriedBytes: Math.min(primary.carriedBytes, written.carriedBytes),
      fates: primary.fates.map((fate) => (fate === "dropped" || fate === "empty" ? fate : "recapped")),
      calls: [...primary.calls, ...written.calls]
    }))
  )

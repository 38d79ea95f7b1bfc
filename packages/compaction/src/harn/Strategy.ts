/**
 * The four strategies behind one door: archived messages go in, a summary comes out, or a typed failure with whatever
 * calls were made. Which one really wrote the summary is in the result: an empty answer is replaced by a truncation, and
 * where a fallback is set, it answers for a strategy that failed.
 *
 * An answer that did not end by itself is a failure; one that is empty has lost nothing yet, so the truncation is taken
 * from the source (HA-16). A request above the window of the summariser is never sent.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { bytesOf } from "./Bytes.ts"
import { type CallRecord, recordOf, type SystemPrompt } from "./CallRecord.ts"
import type { CompressCallback } from "./Clamp.ts"
import type { AutoCompactConfig, Strategy } from "./Config.ts"
import type { Summary } from "./Fate.ts"
import type { MaskCallback } from "./Mask.ts"
import { bodyOf, type Message } from "./Message.ts"
import type { CompactionPolicy } from "./Policy.ts"
import { promptOf } from "./Prompt.ts"
import { recap, type RecapMetrics } from "./Recap.ts"
import { type NotRecorded, type Request, Summarizer } from "./Summarizer.ts"
import { tokensOf } from "./TokenEstimate.ts"
import { emptyAnswerHeader, truncate, truncateHeader } from "./Truncate.ts"

/**
 * What a host hands in beside the settings.
 *
 * @since 0.1.0
 * @category models
 */
export interface Host {
  readonly hash: Hasher
  readonly custom?: CustomCompactor
  readonly reminders?: ReadonlyArray<string>
  readonly mask?: MaskCallback
  readonly compress?: CompressCallback
  readonly actorChain?: ReadonlyArray<string>
  readonly system?: SystemPrompt
}

/**
 * A host's own strategy. It answers with a text, or an object with one.
 *
 * @since 0.1.0
 * @category models
 */
export type CustomCompactor = (
  messages: ReadonlyArray<Message>,
  beside: { readonly reminders: ReadonlyArray<string>; readonly policy: CompactionPolicy }
) => Effect.Effect<string | { readonly summary?: string; readonly text?: string }, unknown>

/**
 * A summary, the strategy that wrote it, and the calls that were made for it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Written extends Summary {
  readonly strategy: Strategy
  readonly metrics?: RecapMetrics
  readonly calls: ReadonlyArray<CallRecord>
}

/**
 * A strategy that gave no summary. Nothing was changed; `calls` were made all the same.
 *
 * @since 0.1.0
 * @category errors
 */
export class StrategyFailed extends Data.TaggedError("StrategyFailed")<{
  readonly strategy: Strategy
  readonly why: string
  readonly calls: ReadonlyArray<CallRecord>
}> {
  override get message(): string {
    return `the compaction strategy ${this.strategy} failed: ${this.why}`
  }
}

/**
 * What is to be summarised: `count` is the number of messages that a header names, `retained` what stays behind them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  readonly archived: ReadonlyArray<Message>
  readonly count: number
  readonly retained: ReadonlyArray<Message>
}

/**
 * The summary by a strategy, or by the fallback where that failed and the fallback is another one. A replay that was
 * asked for more than was recorded is no failure of the strategy: nothing falls back over it.
 *
 * @since 0.1.0
 * @category running
 */
export const run = (
  strategy: Strategy,
  source: Source,
  config: AutoCompactConfig,
  host: Host
): Effect.Effect<Written, StrategyFailed | NotRecorded, Summarizer> =>
  Effect.catchTag(once(strategy, source, config, host), "StrategyFailed", (failed) =>
    config.fallbackStrategy === undefined || config.fallbackStrategy === strategy
      ? Effect.fail(failed)
      : once(config.fallbackStrategy, source, config, host).pipe(
          Effect.map((written) => ({ ...written, calls: [...failed.calls, ...written.calls] })),
          Effect.mapError((again) => (again._tag === "StrategyFailed" ? after(failed.calls, again) : again))
        )
  )

/**
 * A failure that names the calls made before it, too.
 *
 * @since 0.1.0
 * @category errors
 */
export const after = (
  calls: ReadonlyArray<CallRecord>,
  { strategy, why, calls: own }: StrategyFailed
): StrategyFailed => new StrategyFailed({ strategy, why, calls: [...calls, ...own] })

const once = (
  strategy: Strategy,
  source: Source,
  config: AutoCompactConfig,
  host: Host
): Effect.Effect<Written, StrategyFailed | NotRecorded, Summarizer> => {
  switch (strategy) {
    case "truncate":
      return Effect.succeed(written(strategy, truncate(source.archived, truncateHeader(source.count))))
    case "observation_mask":
      return Effect.succeed(written(strategy, recap(source.archived, config.recapBudgetBytes, host.mask, source.count)))
    case "custom":
      return custom(source, config, host)
    case "llm":
      return summarize(source, config, host)
  }
}

const custom = (
  { archived, count }: Source,
  { policy }: AutoCompactConfig,
  { custom: ask, reminders }: Host
): Effect.Effect<Written, StrategyFailed> => {
  const failed = (why: string) => new StrategyFailed({ strategy: "custom", why, calls: [] })
  if (ask === undefined) return Effect.fail(failed("no custom compactor was given"))
  return ask(archived, { reminders: reminders ?? [], policy }).pipe(
    Effect.mapError((error) => failed(error instanceof Error ? error.message : String(error))),
    Effect.map((given) => {
      const text = typeof given === "string" ? given : (given.summary ?? given.text ?? "")
      return text.trim() === ""
        ? written("truncate", truncate(archived, truncateHeader(count)))
        : written("custom", recapped(archived, text, text))
    })
  )
}

const summarize = Effect.fn("harn.summarize")(function* (
  { archived, count, retained }: Source,
  config: AutoCompactConfig,
  host: Host
) {
  const summarizer = yield* Summarizer
  const content = promptOf(archived, retained, config)
  const request: Request = { callRole: "compaction", messages: [{ role: "user", content }] }
  const failed = (why: string, calls: ReadonlyArray<CallRecord>) => new StrategyFailed({ strategy: "llm", why, calls })
  if (summarizer.isAbsent === true) return yield* failed("there is no summarizer here", [])
  const size = tokensOf(request.messages)
  if (summarizer.window !== undefined && size > summarizer.window)
    return yield* failed(`a request of ${size} tokens does not fit a window of ${summarizer.window}`, [])
  const calls = [recordOf(host.hash, request, host.actorChain, host.system)]
  const { text, ended } = yield* Effect.mapError(summarizer.ask(request), (error) =>
    error._tag === "SummarizerFailed" ? failed(error.why, calls) : error
  )
  if (text.trim() === "") return { ...written("truncate", truncate(archived, emptyAnswerHeader(count))), calls }
  if (ended !== "end") return yield* failed(`the answer ended by ${ended}`, calls)
  return { ...written("llm", recapped(archived, `[auto-compacted ${count} older messages]\n${text}`, text)), calls }
})

/** Every byte of what a model or a host wrote counts as carried (HA-W3, kept). */
const recapped = (archived: ReadonlyArray<Message>, text: string, own: string): Summary => ({
  text,
  carriedBytes: bytesOf(own),
  fates: archived.map((message) => (bodyOf(message) === "" ? "empty" : "recapped"))
})

const written = (strategy: Strategy, summary: Summary & { readonly metrics?: RecapMetrics }): Written => ({
  ...summary,
  strategy,
  calls: []
})

/**
 * What the server measures, under the names of the OpenTelemetry conventions where they have one (`gen_ai.*`, `http.*`),
 * else under `palimpsest.*`. Tokens are managed tokens unless a provider counted them.
 *
 *     palimpsest.tokens.carried   what prepared requests carry          palimpsest.epochs      rewrites
 *     palimpsest.tokens.elided    what they leave out of the view       palimpsest.refusals    by what refused
 *     gen_ai.client.token.usage   what providers counted, by type       palimpsest.cost        tokens of uncached input
 *     palimpsest.cache.share      of the input, read from the cache     palimpsest.reservations   by what became of them
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as Measure from "@palimpsest/budget/Measure"
import type { PriceTable } from "@palimpsest/budget/Price"
import { inputTokens, outputTokens, type Usage } from "@palimpsest/budget/Usage"
import { weightOf } from "@palimpsest/ledger/Part"
import type * as Session from "@palimpsest/governor/Session"

/**
 * The buckets of the conventions, for tokens and for seconds.
 *
 * @since 0.1.0
 * @category constants
 */
export const TOKENS = MetricBoundaries.fromIterable([
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576
])

const SECONDS = MetricBoundaries.fromIterable([
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10
])
const SHARES = MetricBoundaries.fromIterable([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1])

const usage = Metric.tagged(Metric.histogram("gen_ai.client.token.usage", TOKENS), "unit", "{token}")
const carried = Metric.counter("palimpsest.tokens.carried", { incremental: true })
const elided = Metric.counter("palimpsest.tokens.elided", { incremental: true })
const cost = Metric.counter("palimpsest.cost", { incremental: true })
const share = Metric.histogram("palimpsest.cache.share", SHARES)
const epochs = Metric.counter("palimpsest.epochs", { incremental: true })
const refusals = Metric.counter("palimpsest.refusals", { incremental: true })
const reservations = Metric.counter("palimpsest.reservations", { incremental: true })
const duration = Metric.tagged(Metric.histogram("http.server.request.duration", SECONDS), "unit", "s")

/**
 * Something became of a reservation.
 *
 * @since 0.1.0
 * @category recording
 */
export const reserved = (outcome: "held" | "refused" | "settled" | "released"): Effect.Effect<void> =>
  Metric.increment(Metric.tagged(reservations, "outcome", outcome))

/**
 * Something was refused: a `token`, a `scope`, a `host`, an `origin`, an act by the `policy`, a request by its `context`.
 *
 * @since 0.1.0
 * @category recording
 */
export const refused = (by: "token" | "scope" | "host" | "origin" | "policy" | "context"): Effect.Effect<void> =>
  Metric.increment(Metric.tagged(refusals, "by", by))

/**
 * A request was answered, in `seconds`.
 *
 * @since 0.1.0
 * @category recording
 */
export const answered = (method: string, status: number, seconds: number): Effect.Effect<void> =>
  Metric.update(
    duration.pipe(
      Metric.tagged("http.request.method", method),
      Metric.tagged("http.response.status_code", String(status))
    ),
    seconds
  )

/**
 * A request was prepared: what it carries, what of its view it leaves out, and whether it began an epoch.
 *
 * @since 0.1.0
 * @category recording
 */
export const prepared = (before: Session.Session, after: Session.Session): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* annotate(after)
    if (after.refused !== undefined) return yield* refused("context")
    const { carries, whole } = sizeOf(after)
    yield* Metric.incrementBy(carried, carries)
    yield* Metric.incrementBy(elided, Math.max(0, whole - carries))
    yield* Metric.incrementBy(epochs, Math.max(0, epochsOf(after) - epochsOf(before)))
    yield* Effect.annotateCurrentSpan({ "palimpsest.tokens.carried": carries, "palimpsest.epoch": epochsOf(after) })
  })

/**
 * A provider reported what a request took. What it did not measure is not counted as 0 (law 11).
 *
 * @since 0.1.0
 * @category recording
 */
export const settled = (session: Session.Session, reported: Usage, prices: PriceTable): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* annotate(session)
    yield* counted(inputTokens(reported), (n) => used("input", n))
    yield* counted(outputTokens(reported), (n) => used("output", n))
    const { cacheRead, cacheWrite, uncached } = reported
    if (!Measure.isMeasured(cacheRead) || !Measure.isMeasured(cacheWrite) || !Measure.isMeasured(uncached)) return
    const input = cacheRead.n + cacheWrite.n + uncached.n
    yield* Metric.incrementBy(
      cost,
      uncached.n * prices.uncached + cacheRead.n * prices.cacheRead + cacheWrite.n * prices.cacheWrite
    )
    if (input > 0) yield* Metric.update(share, cacheRead.n / input)
  })

const used = (type: "input" | "output", n: number): Effect.Effect<void> =>
  Effect.zipRight(
    Metric.update(Metric.tagged(usage, "gen_ai.token.type", type), n),
    Effect.annotateCurrentSpan(`gen_ai.usage.${type}_tokens`, n)
  )

const counted = (measure: Measure.Measure, record: (n: number) => Effect.Effect<void>): Effect.Effect<void> =>
  Measure.match(measure, { measured: record, unmeasured: () => Effect.void })

const annotate = ({ config, log, requests }: Session.Session): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": config.shape === "anthropic" ? "anthropic" : "openai",
    "gen_ai.conversation.id": log,
    ...("model" in config && config.model !== undefined ? { "gen_ai.request.model": config.model } : {}),
    "palimpsest.request": requests
  })

const epochsOf = ({ view }: Session.Session): number =>
  view._tag === "Transcript" ? view.transcript.epochs : view.section.epochs

/** Tokens that a request carries, and those of its entries were they all whole: four scalar values are one. */
const sizeOf = ({ view }: Session.Session): { readonly carries: number; readonly whole: number } => {
  if (view._tag === "Section") {
    const carries = Math.ceil(view.section.scalars / 4)
    return { carries, whole: carries }
  }
  let scalars = 0
  for (const { hidden, items } of view.transcript.messages) {
    for (const item of items) if (item._tag === "Entry") scalars += weightOf(item.entered.part).scalars
    for (const { entered } of hidden) scalars += weightOf(entered.part).scalars
  }
  return { carries: view.transcript.tokens, whole: Math.ceil(scalars / 4) }
}

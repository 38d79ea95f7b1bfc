/**
 * Calls of a summariser, recorded and replayed (IO-44): each by the digest of its whole request, and by how many times
 * that was asked before, so that two answers to one request are both kept.
 *
 *     record:  ask ─> the summariser below ─> kept ─> answer          replay:  ask ─> kept ─> answer, or NotRecorded
 *
 * 1. A replay makes no call, whatever it is asked; what was never recorded is a typed error.
 * 2. A recording and its replays leave the same trace, failures included (law 7).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { digestOf, encodeUtf8, JSON_MEDIA } from "@palimpsest/ledger/Body"
import { sorted } from "@palimpsest/ledger/Canonical"
import { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { Answer, NotRecorded, Request, Summarizer, SummarizerFailed } from "./Summarizer.ts"

/**
 * One call, for a store of the host's own: what was asked, for which time (from 1), and what came back.
 *
 * @since 0.1.0
 * @category models
 */
export const Exchange = Schema.Struct({
  digest: Digest,
  time: Schema.Int.pipe(Schema.positive()),
  request: Request,
  outcome: Schema.Union(
    Schema.TaggedStruct("Answered", { answer: Answer }),
    Schema.TaggedStruct("Failed", { why: Schema.String })
  )
}).annotations({ parseOptions: { onExcessProperty: "error" } })
/** @since 0.1.0 */
export interface Exchange extends Schema.Schema.Type<typeof Exchange> {}

/**
 * Where exchanges are kept. `all` are in the order in which they were put.
 *
 * @since 0.1.0
 * @category tags
 */
export class Tape extends Context.Tag("@palimpsest/compaction/SummarizerTape")<
  Tape,
  {
    readonly put: (exchange: Exchange) => Effect.Effect<void>
    readonly get: (digest: Digest, time: number) => Effect.Effect<Option.Option<Exchange>>
    readonly all: Effect.Effect<ReadonlyArray<Exchange>>
  }
>() {}

/**
 * A tape in memory, with what was recorded before.
 *
 * @since 0.1.0
 * @category layers
 */
export const memory = (before: ReadonlyArray<Exchange> = []): Layer.Layer<Tape> =>
  Layer.effect(
    Tape,
    Effect.map(Ref.make(before), (kept) => ({
      put: (exchange) => Ref.update(kept, (all) => [...all, exchange]),
      get: (digest, time) =>
        Effect.map(Ref.get(kept), (all) =>
          Option.fromNullable(all.find((one) => one.digest === digest && one.time === time))
        ),
      all: Ref.get(kept)
    }))
  )

/**
 * The digest of a whole request: over its canonical JSON.
 *
 * @since 0.1.0
 * @category digests
 */
export const digestOfRequest = (hash: Hasher, request: Request): Digest =>
  digestOf(hash, JSON_MEDIA, encodeUtf8(sorted(request)))

/**
 * The summariser below, with every call of it kept.
 *
 * @since 0.1.0
 * @category layers
 */
export const record = (hash: Hasher): Layer.Layer<Summarizer, never, Summarizer | Tape> =>
  Layer.effect(
    Summarizer,
    Effect.gen(function* () {
      const below = yield* Summarizer
      const tape = yield* Tape
      const times = yield* counter
      return {
        ...below,
        ask: (request) =>
          Effect.gen(function* () {
            const digest = digestOfRequest(hash, request)
            const time = yield* times(digest)
            const keep = (outcome: Exchange["outcome"]) => tape.put({ digest, time, request, outcome })
            return yield* below.ask(request).pipe(
              Effect.tap((answer) => keep({ _tag: "Answered", answer })),
              Effect.tapErrorTag("SummarizerFailed", ({ why }) => keep({ _tag: "Failed", why }))
            )
          })
      }
    })
  )

/**
 * Nothing but what was recorded. `window` is that of the summariser which was, as a request above it was never sent.
 *
 * @since 0.1.0
 * @category layers
 */
export const replay = (hash: Hasher, window?: number): Layer.Layer<Summarizer, never, Tape> =>
  Layer.effect(
    Summarizer,
    Effect.gen(function* () {
      const tape = yield* Tape
      const times = yield* counter
      return {
        ...(window === undefined ? {} : { window }),
        ask: (request) =>
          Effect.gen(function* () {
            const digest = digestOfRequest(hash, request)
            const time = yield* times(digest)
            const kept = yield* tape.get(digest, time)
            if (Option.isNone(kept)) return yield* new NotRecorded({ request: digest, time })
            const { outcome } = kept.value
            return outcome._tag === "Answered" ? outcome.answer : yield* new SummarizerFailed({ why: outcome.why })
          })
      }
    })
  )

/** How many times each request was asked, this one included. */
const counter: Effect.Effect<(digest: Digest) => Effect.Effect<number>> = Effect.map(
  Ref.make<ReadonlyMap<Digest, number>>(new Map()),
  (asked) => (digest) =>
    Ref.modify(asked, (before) => {
      const time = (before.get(digest) ?? 0) + 1
      return [time, new Map(before).set(digest, time)]
    })
)

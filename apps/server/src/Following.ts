/**
 * Following a run as a stream of server-sent events: everything behind the place that the caller names, then what comes.
 *
 *     id: 41                      the seq: what `Last-Event-ID` says when the caller comes back
 *     event: Entered              the kind
 *     data: {"seq":41,…}          the event, chained to the one before it
 *
 * A comment every quarter of a minute keeps the way open. What does not chain ends the stream with an `event: fault`
 * (law 3); a server that closes ends it without one, and the caller comes back to another.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Event as ApiEvent } from "@palimpsest/api/Reading"
import * as Failures from "@palimpsest/api/Failures"
import * as Runs from "@palimpsest/governor/Runs"
import { open, type Event, type Sealed } from "@palimpsest/ledger/Event"
import type { Digest, LogId } from "@palimpsest/ledger/Ids"
import { Tails } from "@palimpsest/store-sql/Tails"
import { Closing } from "./Closing.ts"
import * as Faults from "./Faults.ts"
import type { Stores } from "./LiveRuns.ts"
import * as Paged from "./Paged.ts"
import { Settings } from "./Settings.ts"

/**
 * An event of a log as the contract has it.
 *
 * @since 0.1.0
 * @category mapping
 */
export const eventOf = (event: Event, digest: Digest): ApiEvent => {
  const { at, id, kind, payload, prev, seq, version } = event
  return { seq, id, at, kind, version, payload, prev, digest }
}

/**
 * The events of a run behind a place, as bytes of `text/event-stream`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (
  run: LogId,
  after: number
): Effect.Effect<Stream.Stream<Uint8Array>, Faults.ReadFailure, Stores | Settings | Tails | Closing> =>
  Effect.gen(function* () {
    const { hash, limits } = yield* Settings
    const closing = yield* Closing
    const tails = yield* Tails
    if ((yield* closing.streams) >= limits.streams) {
      return yield* new Failures.Unavailable({ why: `${limits.streams} streams are open already` })
    }
    const start = yield* Faults.reading(Effect.zipRight(Runs.find(hash, run), Paged.headAt(run, after)))
    if (start === undefined) {
      return yield* new Failures.NotFound({
        what: "entry",
        name: `${run}@${after}`,
        why: "the run has no such event yet"
      })
    }
    const frames = tails.follow(run, after).pipe(
      Stream.mapAccumEffect(start, (head, stored: Sealed) =>
        Effect.map(open(hash, run, head, stored), (event) => [
          { seq: stored.seq, digest: stored.digest },
          frameOf(eventOf(event, stored.digest))
        ])
      ),
      Stream.catchAll((error) =>
        Stream.fromEffect(
          Effect.map(
            Effect.flip(Faults.reading(Effect.fail(error))),
            (failure) => `event: fault\ndata: ${JSON.stringify({ _tag: failure._tag, why: failure.message })}\n\n`
          )
        )
      )
    )
    const beats = Stream.as(Stream.fromSchedule(Schedule.spaced(BEAT)), ": beat\n\n")
    const text = Stream.merge(Stream.concat(Stream.make(": following\n\n"), frames), beats, { haltStrategy: "left" })
    return Stream.unwrapScoped(Effect.as(closing.streaming, text)).pipe(
      Stream.interruptWhenDeferred(closing.begun),
      Stream.encodeText
    )
  }).pipe(Effect.withSpan("Following.follow"))

const frameOf = (event: ApiEvent): string =>
  `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`

const BEAT = "15 seconds"

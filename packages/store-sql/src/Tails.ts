/**
 * Following a log: its events as they come, from any place on, without end. Whoever follows is woken by the database (a
 * notification on PostgreSQL, the number of the file's state on SQLite) and looks by itself once a second besides, so that
 * no event is missed or given twice, whatever becomes of the connection.
 *
 * @since 0.1.0
 */
import type { Sealed } from "@palimpsest/ledger/Event"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId } from "@palimpsest/ledger/Ids"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Database } from "./Database.ts"

/**
 * The tails of the logs of one database.
 *
 * @since 0.1.0
 * @category tags
 */
export class Tails extends Context.Tag("@palimpsest/store-sql/Tails")<
  Tails,
  {
    /**
     * The events of a log with seq > `after`, in order, each once, as stored (not verified); what comes later when it
     * comes. A log that does not exist yet is followed too. Fails when the store does: begin again behind the last event.
     */
    readonly follow: (log: LogId, after: number) => Stream.Stream<Sealed, StoreError>
  }
>() {}

/**
 * The tails of an open, migrated database, whose events `store` reads.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (store: Context.Tag.Service<EventStore>, database: Database): Context.Tag.Service<Tails> => ({
  follow: (log, after) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const woken = yield* Effect.acquireRelease(Queue.sliding<void>(1), Queue.shutdown)
        const wake = woken.offer(undefined)
        yield* wake
        yield* Effect.forkScoped(
          Stream.runForEach(database.wakes, (name) => (name === log || name === "" ? wake : Effect.void))
        )
        yield* Effect.forkScoped(Effect.repeat(wake, Schedule.spaced("1 second")))
        // A page that is full is read on from at once; one that is not waits to be woken.
        return Stream.paginateChunkEffect({ last: after, wait: true }, ({ last, wait }) =>
          Effect.map(Effect.zipRight(wait ? woken.take : Effect.void, store.read(log, last, PAGE)), (page) => [
            Chunk.unsafeFromArray(page),
            Option.some({ last: page.at(-1)?.seq ?? last, wait: page.length < PAGE })
          ])
        )
      })
    )
})

const PAGE = 500

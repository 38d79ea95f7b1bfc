/**
 * Pages of a log: events behind a cursor, each checked against its digest and chained to the one before it, with a bound
 * on what is looked through for one page (laws 3 and 14).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { MOST, USUAL } from "@palimpsest/api/Page"
import { decode, type Fact } from "@palimpsest/governor/Fact"
import * as Log from "@palimpsest/governor/Log"
import * as Runs from "@palimpsest/governor/Runs"
import { EMPTY, open, type Event, type Head, type Sealed } from "@palimpsest/ledger/Event"
import { EventStore } from "@palimpsest/ledger/EventStore"
import type { LogId, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Stores } from "./LiveRuns.ts"

/**
 * A page as it is asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Asked<Cursor> {
  readonly after?: Cursor
  readonly limit?: number
}

/**
 * A page as it is given; without `next` nothing is left.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page<A, Cursor> {
  readonly items: ReadonlyArray<A>
  readonly next?: Cursor
}

/**
 * The head that stands behind `after` events of a log, which is what the next event chains to.
 *
 * @since 0.1.0
 * @category reading
 */
export const headAt = (log: LogId, after: number) =>
  Effect.gen(function* () {
    if (after === 0) return EMPTY
    const [stored] = yield* (yield* EventStore).read(log, after - 1, 1)
    return stored === undefined ? undefined : { seq: stored.seq, digest: stored.digest }
  })

/**
 * The events of a log that `pick` takes.
 *
 * @since 0.1.0
 * @category reading
 */
export const events = <A>(
  hash: Hasher,
  log: LogId,
  { after = 0, limit = USUAL }: Asked<number>,
  pick: (event: Event, stored: Sealed) => Option.Option<A>
): Effect.Effect<Page<A, number>, Runs.RunError, Stores> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    yield* Runs.find(hash, log)
    const items: Array<A> = []
    let head: Head | undefined = yield* headAt(log, after)
    for (let seen = 0; head !== undefined && seen < MOST_SEEN;) {
      const batch: ReadonlyArray<Sealed> = yield* store.read(log, head.seq, MOST)
      for (const stored of batch) {
        const event: Event = yield* open(hash, log, head, stored)
        head = { seq: stored.seq, digest: stored.digest }
        const picked = pick(event, stored)
        if (Option.isSome(picked)) items.push(picked.value)
        if (items.length === limit) return { items, next: head.seq }
      }
      if (batch.length < MOST) return { items }
      seen += batch.length
    }
    return { items, ...(head === undefined ? {} : { next: head.seq }) }
  }).pipe(Effect.withSpan("Paged.events"))

/**
 * The facts of one kind, in a log.
 *
 * @since 0.1.0
 * @category reading
 */
export const facts = <K extends Fact["_tag"]>(
  hash: Hasher,
  log: LogId,
  asked: Asked<number>,
  kind: K
): Effect.Effect<Page<FactOf<K>, number>, Runs.RunError, Stores> =>
  Effect.flatMap(
    events(hash, log, asked, (event, { seq }) => (event.kind === kind ? Option.some({ event, seq }) : Option.none())),
    ({ items, next }) =>
      Effect.map(
        Effect.forEach(items, ({ event, seq }) => Effect.map(decode(event), (fact) => ({ seq, event, fact }))),
        (read) => ({
          items: read.filter((one): one is FactOf<K> => one.fact._tag === kind),
          ...(next === undefined ? {} : { next })
        })
      )
  )

/**
 * A fact of one kind, and the event that holds it.
 *
 * @since 0.1.0
 * @category models
 */
export type FactOf<K extends Fact["_tag"]> = Log.Read & { readonly fact: Extract<Fact, { readonly _tag: K }> }

/**
 * Runs by name: of all trees, or of one.
 *
 * @since 0.1.0
 * @category reading
 */
export const runs = (
  hash: Hasher,
  { after, limit = USUAL, tree }: Asked<LogId> & { readonly tree?: TreeId }
): Effect.Effect<Page<Runs.Run, LogId>, Runs.RunError, Stores> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const items: Array<Runs.Run> = []
    let last: LogId | undefined = after
    for (let seen = 0; seen < MOST_SEEN;) {
      const asked = { after: last ?? "", limit: limit - items.length + SPARE }
      const batch = yield* store.logs(tree === undefined ? asked : { ...asked, tree })
      for (const { log } of batch) {
        last = log
        if (isRun(log)) items.push(yield* Runs.find(hash, log))
        if (items.length === limit) return { items, next: log }
      }
      if (batch.length < asked.limit) return { items }
      seen += batch.length
    }
    return { items, ...(last === undefined ? {} : { next: last }) }
  }).pipe(Effect.withSpan("Paged.runs"))

/** Whatever beside a run's log is named after it stands behind a `~`; of those, only a source's own runs are runs. */
const isRun = (log: LogId): boolean => !Log.isSourceLog(log) && !Log.isNoteLog(log)

/** Log names that are no runs stand among those that are: a few more are read at once. */
const SPARE = 20

const MOST_SEEN = 5_000

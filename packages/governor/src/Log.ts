/**
 * Reading a log from its first event: in pages, chained, decoded. What does not chain or decode stops the reading with
 * the event's name (laws 3 and 14).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EMPTY, open, type Broken, type Event, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type LogInfo, type StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId, Seq, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { decode, type Fact, type UnknownFact } from "./Fact.ts"

/**
 * A fact and the event that holds it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Read {
  readonly seq: Seq
  readonly event: Event
  readonly fact: Fact
}

/**
 * Folds over a log in order, with an effect per fact. Gives the state, and the head that the events lead to. `after` is
 * the head that an earlier fold of this log led to, where `initial` is its state.
 *
 * @since 0.1.0
 * @category reading
 */
export const fold = <S, E, R>(
  hash: Hasher,
  log: LogId,
  initial: S,
  step: (state: S, read: Read) => Effect.Effect<S, E, R>,
  after: Head = EMPTY
): Effect.Effect<{ readonly state: S; readonly head: Head }, E | Broken | UnknownFact | StoreError, R | EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    let state = initial
    let head = after
    for (;;) {
      const page = yield* store.read(log, head.seq, PAGE)
      for (const stored of page) {
        const event = yield* open(hash, log, head, stored)
        const fact = yield* decode(event)
        head = { seq: stored.seq, digest: stored.digest }
        state = yield* step(state, { seq: stored.seq, event, fact })
      }
      if (page.length < PAGE) return { state, head }
    }
  })

/**
 * One fact of a log, checked against its own digest (its place in the chain is for `fold`).
 *
 * @since 0.1.0
 * @category reading
 */
export const factAt = (
  hash: Hasher,
  log: LogId,
  seq: Seq
): Effect.Effect<Option.Option<Read>, Broken | UnknownFact | StoreError, EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const before = seq === 1 ? [] : yield* store.read(log, seq - 2, 1)
    const [stored] = yield* store.read(log, seq - 1, 1)
    if (stored === undefined || stored.seq !== seq) return Option.none()
    const previous = before[0]
    const head = previous === undefined ? EMPTY : { seq: previous.seq, digest: previous.digest }
    const event = yield* open(hash, log, head, stored)
    return Option.some({ seq, event, fact: yield* decode(event) })
  })

/**
 * The logs of a source's runs: the main run first, then its side chains and rows in order.
 *
 * @since 0.1.0
 * @category listing
 */
export const runsOf = (tree: TreeId, base: LogId): Effect.Effect<ReadonlyArray<LogInfo>, StoreError, EventStore> =>
  Effect.map(allOf(tree), (logs) =>
    logs
      .filter(({ log }) => (log === base || log.startsWith(`${base}~`)) && !isSourceLog(log))
      .sort((a, b) => order(a.log) - order(b.log) || (a.log < b.log ? -1 : 1))
  )

/**
 * All logs, of one tree where it is given.
 *
 * @since 0.1.0
 * @category listing
 */
export const allOf = (tree?: TreeId): Effect.Effect<ReadonlyArray<LogInfo>, StoreError, EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const found: Array<LogInfo> = []
    for (;;) {
      const page = yield* store.logs({
        ...(tree === undefined ? {} : { tree }),
        after: found.at(-1)?.log ?? "",
        limit: PAGE
      })
      found.push(...page)
      if (page.length < PAGE) return found
    }
  })

/**
 * Whether a log says how far a source was read, and is not a run.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSourceLog = (log: LogId): boolean => log.endsWith("~source")

/**
 * Whether a log holds the notes of a workspace, and is not a run.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isNoteLog = (log: LogId): boolean => /^notes\.[0-9a-f]{16}$/.test(log)

const order = (log: LogId): number => Number(/~[a-z]+-([0-9]+)$/.exec(log)?.[1] ?? 0)

const PAGE = 500

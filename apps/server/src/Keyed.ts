/**
 * Writes that a client may repeat. The ids of their events are made of the client's own id, and an id stands once in its
 * log, so the log itself knows what was kept: a retry finds its events there and answers as the first did, on whichever
 * server, before or after a crash.
 *
 *     append {ids: KEY.0 KEY.1 …} ─┬─ kept ─────────────────────────> Seqs
 *                                  ├─ the head moved ───────────────> Conflict (read again, and again here)
 *                                  └─ an id stands there ─> look ─┬─ the same facts ──> Seqs, as the first time
 *                                                                 └─ others ──────────> Reused
 *
 * The step of a fact is not compared: the run may have made a request between the first try and the retry.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { Reused } from "@palimpsest/api/Failures"
import { draft, type Fact } from "@palimpsest/governor/Fact"
import type { Live, State, TurnError } from "@palimpsest/governor/Governor"
import * as Session from "@palimpsest/governor/Session"
import { decodeUtf8, encodeUtf8, type Stored } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { sorted } from "@palimpsest/ledger/Canonical"
import type { Draft, Sealed } from "@palimpsest/ledger/Event"
import { EventStore, type BadAppend, type StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId, Seq } from "@palimpsest/ledger/Ids"
import type { Stores } from "./LiveRuns.ts"

/**
 * What is written: facts that change neither what is asked nor what is answered, and the bodies that they need.
 *
 * @since 0.1.0
 * @category models
 */
export interface Batch {
  readonly facts: readonly [Fact, ...ReadonlyArray<Fact>]
  readonly bodies: ReadonlyArray<Stored>
}

/**
 * Where the events of a batch stand: `first` to `last`, both included; and whether they stood there already.
 *
 * @since 0.1.0
 * @category models
 */
export interface Kept {
  readonly first: Seq
  readonly last: Seq
  readonly repeated: boolean
}

/**
 * Writes a batch under a key of the client's, once, however often it is tried.
 *
 * @since 0.1.0
 * @category writing
 */
export const commit = (
  live: Live,
  key: string,
  batch: (session: Session.Session) => Batch
): Effect.Effect<Kept, TurnError | Reused, Stores> =>
  SynchronizedRef.modifyEffect(live.state, (before) =>
    Effect.gen(function* () {
      const { bodies, facts } = batch(before.session)
      const { hash, log, tree } = live.begin
      const at = DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
      const drafts = yield* Effect.forEach(facts, (fact, i) => draft(`${key}.${i}`, at, fact))
      const [one, ...more] = drafts
      if (one === undefined) return yield* Effect.dieMessage("a batch holds at least one fact")
      yield* (yield* BodyStore).put(tree, bodies)
      const appended = yield* Effect.either(
        (yield* EventStore).append({
          id: `${log}:${key}:${hash(encodeUtf8(JSON.stringify([before.head.digest, drafts]))).slice(0, 16)}`,
          tree,
          writes: [{ log, expected: { _tag: "Head", digest: before.head.digest }, drafts: [one, ...more] }]
        })
      )
      if (appended._tag === "Left") {
        if (appended.left._tag !== "BadAppend") return yield* appended.left
        const kept = yield* find(log, key, drafts, appended.left)
        return [kept, before] satisfies readonly [Kept, State]
      }
      const first = (before.session.seq + 1) as Seq
      const after = {
        session: facts.reduce(Session.record, before.session),
        head: appended.right.writes[0]?.head ?? before.head,
        approvals: before.approvals
      }
      const kept = { first, last: (before.session.seq + facts.length) as Seq, repeated: false }
      return [kept, after] satisfies readonly [Kept, State]
    })
  ).pipe(Effect.withSpan("Keyed.commit"))

/** Looks for the events of a key from the newest back: what is repeated was mostly written a moment ago. */
const find = (
  log: LogId,
  key: string,
  drafts: ReadonlyArray<Draft>,
  refused: BadAppend
): Effect.Effect<Kept, BadAppend | Reused | StoreError, EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const info = yield* store.head(log)
    const newest = info._tag === "Some" ? info.value.head.seq : 0
    for (let before = newest; before > 0; before -= PAGE) {
      const after = Math.max(0, before - PAGE)
      const first = (yield* store.read(log, after, before - after)).find(({ id }) => id === `${key}.0`)
      if (first === undefined) continue
      // One more than there are: a longer batch under the same key is another one.
      const stored = yield* store.read(log, first.seq - 1, drafts.length + 1)
      const isSame =
        drafts.every(({ id, payload }, i) => stored[i]?.id === id && saysSame(stored[i], payload)) &&
        stored[drafts.length]?.id !== `${key}.${drafts.length}`
      if (!isSame) return yield* new Reused({ id: key, why: `it was used at @${first.seq} for something else` })
      return { first: first.seq, last: (first.seq + drafts.length - 1) as Seq, repeated: true }
    }
    return yield* refused
  })

const saysSame = (stored: Sealed | undefined, payload: string): boolean => {
  if (stored === undefined) return false
  const event: unknown = JSON.parse(decodeUtf8(stored.bytes))
  const said: unknown = typeof event === "object" && event !== null ? Reflect.get(event, "payload") : undefined
  return withoutStep(said) === withoutStep(JSON.parse(payload))
}

const withoutStep = (payload: unknown): string =>
  typeof payload === "object" && payload !== null ? sorted({ ...payload, step: 0 }) : ""

const PAGE = 500

/**
 * The one way into the log of a live run: an act's facts are one append, on the head that the run in hand stands at.
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { encodeUtf8, type Stored } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { Draft, Head } from "@palimpsest/ledger/Event"
import { EventStore } from "@palimpsest/ledger/EventStore"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { draft, type Fact } from "../Fact.ts"
import type { Live, State, TurnError } from "../Governor.ts"
import * as Session from "../Session.ts"
import * as Approvals from "./approvals.ts"

export interface Batch {
  readonly facts: ReadonlyArray<Fact>
  readonly bodies: ReadonlyArray<Stored>
  readonly session?: Session.Session
}

type Committed = readonly [ReadonlyArray<Seq>, State]

/** Stores bodies, then appends the facts, then moves the session on; nothing moves where the append fails. */
export const commit = <E = never>(
  live: Live,
  batch: (session: Session.Session) => Effect.Effect<Batch, E>
): Effect.Effect<ReadonlyArray<Seq>, TurnError | E, EventStore | BodyStore> =>
  SynchronizedRef.modifyEffect(live.state, (before) =>
    Effect.gen(function* () {
      const { bodies, facts, session } = yield* batch(before.session)
      const { log, tree } = live.begin
      const at = DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
      const first = before.session.seq + 1
      const drafts = yield* Effect.forEach(facts, (fact, i) => draft(String(first + i), at, fact))
      const [one, ...more] = drafts
      if (one === undefined) return [[], before] satisfies Committed
      yield* (yield* BodyStore).put(tree, bodies)
      const { writes } = yield* (yield* EventStore).append({
        id: `${log}:${first}:${idOf(live.begin.hash, before.head, drafts)}`,
        tree,
        writes: [{ log, expected: { _tag: "Head", digest: before.head.digest }, drafts: [one, ...more] }]
      })
      const after = {
        session: session ?? facts.reduce(Session.record, before.session),
        head: writes[0]?.head ?? before.head,
        approvals: facts.reduce((all, fact, i) => Approvals.record(all, first + i, fact), before.approvals)
      }
      return [facts.map((_, i) => (first + i) as Seq), after] satisfies Committed
    })
  ).pipe(Effect.withSpan("Governor.commit"))

/**
 * The same act on the same head is one append, however often it is tried; another act of another writer has another id,
 * so that its append is judged by the head that it expects.
 */
const idOf = (hash: Hasher, head: Head, drafts: ReadonlyArray<Draft>): string =>
  hash(encodeUtf8(JSON.stringify([head.digest, drafts]))).slice(0, 16)

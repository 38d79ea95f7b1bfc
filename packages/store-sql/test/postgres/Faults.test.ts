import { it } from "@effect/vitest"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { ownText } from "@palimpsest/ledger/Body"
import { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Chunk from "effect/Chunk"
import * as Stream from "effect/Stream"
import { expect } from "vitest"
import { hash } from "../../src/NodeHasher.ts"
import * as PostgresStore from "../../src/PostgresStore.ts"
import { Tails } from "../../src/Tails.ts"
import { judge, judgeAll, wholeLog } from "../Processes.ts"
import { ACCOUNT, appendOf, RUN, TREE } from "../race.ts"
import { makeCluster } from "./Cluster.ts"
import { byHand, schemaOn, storeAt, temporarySchema } from "./TemporarySchema.ts"

const WRITERS = 12

/**
 * Writers that go on whatever happens: each sends an append again and again until it is answered. Anything but a
 * `StoreError` ends the test.
 */
const persist = (writer: number, until: () => boolean) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const acknowledged = []
    const name = `writer${writer}`
    let refused = 0
    for (let i = 0; !until(); i++) {
      for (;;) {
        const answer = yield* Effect.either(store.append(appendOf(name, i, { _tag: "Next" })))
        if (Either.isRight(answer)) {
          acknowledged.push({ name, i, answer: answer.right })
          break
        }
        expect(answer.left).toBeInstanceOf(StoreError)
        refused++
        yield* Effect.sleep("10 millis")
      }
      yield* Effect.sleep("2 millis")
    }
    return { acknowledged, refused }
  })

/** Writers under a fault: afterwards everything acknowledged is there, once, and a follower has missed nothing. */
const under = (fault: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    let over = false
    const writers = yield* Effect.fork(
      Effect.forEach(
        Array.from({ length: WRITERS }, (_, writer) => writer),
        (writer) => persist(writer, () => over),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.sleep("300 millis")
    yield* fault
    yield* Effect.sleep("300 millis")
    over = true
    const ended = yield* Fiber.join(writers)
    const [events, account] = yield* Effect.all([wholeLog(RUN), wholeLog(ACCOUNT)])
    for (const one of ended) judge(one, events)
    judgeAll(events, account)
    expect(account.length).toBe(ended.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0))
    const tails = yield* Tails
    const followed = yield* Stream.runCollect(Stream.take(tails.follow(RUN, 0), events.length))
    expect(Chunk.toReadonlyArray(followed).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    return ended.reduce((sum, { refused }) => sum + refused, 0)
  })

it.scopedLive(
  "every connection is cut under load, again and again: typed errors, and nothing acknowledged is lost",
  () =>
    Effect.gen(function* () {
      const url = yield* temporarySchema
      const cut = Effect.repeatN(
        Effect.delay(
          byHand(
            url,
            (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name LIKE 'palimpsest%' AND pid <> pg_backend_pid()`
          ),
          "60 millis"
        ),
        7
      )
      const refused = yield* under(cut).pipe(Effect.provide(storeAt(url)))
      expect(refused).toBeGreaterThan(0)
    })
)

for (const how of ["fast", "immediate"] as const) {
  it.scopedLive(`PostgreSQL is stopped (${how}) and started under load: it goes on without a restart of ours`, () =>
    Effect.gen(function* () {
      const cluster = yield* Effect.acquireRelease(
        Effect.promise(() => makeCluster()),
        ({ remove }) => Effect.promise(remove)
      )
      const url = yield* schemaOn(cluster.url)
      yield* Effect.gen(function* () {
        const tails = yield* Tails
        const seen: Array<string> = []
        const following = yield* Effect.fork(
          Stream.runForEach(tails.follow(ACCOUNT, 0), ({ id }) => Effect.sync(() => seen.push(id))).pipe(
            Effect.catchTag("StoreError", () => Effect.void)
          )
        )
        const restart = Effect.gen(function* () {
          yield* Effect.promise(() => cluster.stop(how))
          const store = yield* EventStore
          const said = yield* Effect.flip(store.head(RUN))
          expect(said).toBeInstanceOf(StoreError)
          expect(said.message).toContain(new URL(url).host)
          yield* Effect.sleep("300 millis")
          yield* Effect.promise(() => cluster.start())
        })
        const context = yield* Effect.context<EventStore | BodyStore | Tails>()
        expect(yield* under(Effect.provide(restart, context))).toBeGreaterThan(0)
        yield* Fiber.interrupt(following)
        const { stored } = ownText(hash, "after")
        const bodies = yield* BodyStore
        yield* bodies.put(TREE, [stored])
        expect((yield* bodies.get(TREE, stored.digest)).bytes).toEqual(stored.bytes)
        // A follower that begins now is woken by notifications again.
        const next = yield* Effect.fork(Stream.runHead(tails.follow(RUN, (yield* wholeLog(RUN)).length)))
        const store = yield* EventStore
        yield* store.append(appendOf("late", 0, { _tag: "Next" }))
        expect((yield* Fiber.join(next))._tag).toBe("Some")
      }).pipe(Effect.provide(storeAt(url)))
    })
  )
}

it.scopedLive(
  "a lock that another transaction holds too long, a wrong address, a foreign table: each says what and where",
  () =>
    Effect.gen(function* () {
      const url = yield* temporarySchema
      yield* byHand(url, (sql) => sql`CREATE TABLE logs (line TEXT)`)
      const opening = (address: string) =>
        Effect.flip(Effect.scoped(Effect.provide(EventStore, PostgresStore.layer({ url: address, hash }))))
      const { host, pathname } = new URL(url)
      expect((yield* opening(url)).message).toBe(`${host}${pathname}: the database belongs to another program`)
      const secret = "hunter2"
      const nowhere = yield* opening(`postgres://me:${secret}@127.0.0.1:1/none`)
      expect(nowhere).toBeInstanceOf(StoreError)
      expect(nowhere.message).toContain("127.0.0.1:1/none")
      for (const error of [nowhere, yield* opening(`mysql://me:${secret}@host/none`), yield* opening(secret)]) {
        expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(secret)
      }
    })
)

it.scopedLive("nodes that open an empty database at once all find it whole", () =>
  Effect.gen(function* () {
    const url = yield* temporarySchema
    const node = (i: number) =>
      Effect.flatMap(EventStore, (store) => store.append(appendOf(`node${i}`, 0, { _tag: "Next" }))).pipe(
        Effect.provide(storeAt(url))
      )
    yield* Effect.forEach([0, 1, 2, 3, 4, 5], node, { concurrency: "unbounded" })
    const account = yield* Effect.provide(wholeLog(ACCOUNT), storeAt(url))
    expect(account.length).toBe(6)
  })
)

import { it } from "@effect/vitest"
import { ownText } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect } from "vitest"
import { open } from "../src/internal/sqlite.ts"
import { services } from "../src/internal/services.ts"
import { hash } from "../src/NodeHasher.ts"
import { judge, judgeAll, wholeLog, type Ended } from "./Processes.ts"
import { ACCOUNT, appendOf, RUN, TREE } from "./race.ts"
import { storeAt, temporaryFile } from "./TemporaryStore.ts"

/** The disk is full as far as SQLite can tell: the file may have no more pages than it has now. */
const fill = (database: Effect.Effect.Success<ReturnType<typeof open>>, pages: number) =>
  database.transact((sql) => Effect.asVoid(sql.unsafe(`PRAGMA max_page_count = ${pages}`)))

it.scopedLive("a full disk is a StoreError; what was acknowledged is there, and with room again it goes on", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const database = yield* open(file, false)
    const context = services(hash, database)
    const [store, bodies] = [Context.get(context, EventStore), Context.get(context, BodyStore)]
    yield* fill(database, 60)
    const acknowledged: Array<Ended["acknowledged"][number]> = []
    let [failed, i] = [0, 0]
    for (; failed < 5; i++) {
      const answer = yield* Effect.either(store.append(appendOf("w", i, { _tag: "Next" })))
      if (Either.isRight(answer)) acknowledged.push({ name: "w", i, answer: answer.right })
      else {
        failed++
        expect(answer.left).toBeInstanceOf(StoreError)
        expect(answer.left.message).toContain(`${file}: database or disk is full`)
      }
    }
    const large = ownText(hash, "x".repeat(400_000)).stored
    expect(yield* Effect.flip(bodies.put(TREE, [large]))).toBeInstanceOf(StoreError)
    const check = Effect.gen(function* () {
      const [events, account] = yield* Effect.all([wholeLog(RUN), wholeLog(ACCOUNT)])
      judge({ acknowledged }, events)
      judgeAll(events, account)
      expect(account.length).toBe(acknowledged.length)
    }).pipe(Effect.provide(context))
    expect(acknowledged.length).toBeGreaterThan(5)
    yield* check
    yield* fill(database, 100_000)
    yield* bodies.put(TREE, [large])
    for (const last = i + 3; i < last; i++) {
      acknowledged.push({ name: "w", i, answer: yield* store.append(appendOf("w", i, { _tag: "Next" })) })
    }
    yield* check
  })
)

it.scopedLive("a connection that may not write any more is a StoreError, and reads on", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const database = yield* open(file, false)
    const store = Context.get(services(hash, database), EventStore)
    const first = yield* store.append(appendOf("w", 0, { _tag: "Next" }))
    yield* database.transact((sql) => Effect.asVoid(sql.unsafe("PRAGMA query_only = ON"))).pipe(Effect.either)
    const refused = yield* Effect.flip(store.append(appendOf("w", 1, { _tag: "Next" })))
    expect(refused).toBeInstanceOf(StoreError)
    expect(refused.message).toContain(`${file}: attempt to write a readonly database`)
    expect((yield* store.read(RUN, 0, 10)).length).toBe(first.writes[1]!.head.seq)
  })
)

/** As a user who is not root, and whom a file's mode therefore binds. */
const unprivileged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  process.getuid?.() === 0
    ? Effect.acquireUseRelease(
        Effect.sync(() => process.seteuid?.(65_534)),
        () => effect,
        () => Effect.sync(() => process.seteuid?.(0))
      )
    : effect

it.scopedLive("a read-only file is a StoreError that names it, and is opened again once it may be written", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const write = (i: number) =>
      Effect.flatMap(EventStore, (store) => store.append(appendOf("w", i, { _tag: "Next" }))).pipe(
        Effect.provide(storeAt(file))
      )
    yield* write(0)
    fs.chmodSync(path.dirname(file), 0o555)
    fs.chmodSync(file, 0o444)
    const refused = yield* unprivileged(Effect.flip(write(1)))
    expect(refused).toBeInstanceOf(StoreError)
    expect(refused.message).toContain(file)
    fs.chmodSync(path.dirname(file), 0o700)
    fs.chmodSync(file, 0o600)
    yield* write(1)
    const account = yield* Effect.provide(wholeLog(ACCOUNT), storeAt(file))
    expect(account.map(({ id }) => id)).toEqual(["w/0", "w/1"])
  })
)

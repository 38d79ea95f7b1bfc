import { it } from "@effect/vitest"
import { EventStore, type StoreError } from "@palimpsest/ledger/EventStore"
import type { SqlClient } from "@effect/sql/SqlClient"
import { pure } from "@palimpsest/ledger/Sha256"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect } from "vitest"
import { open } from "../src/internal/sqlite.ts"
import * as Migrations from "../src/Migrations.ts"
import { hash } from "../src/NodeHasher.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import { appendOf, RUN } from "./race.ts"
import { byHand } from "./Raw.ts"
import { storeAt, temporaryFile } from "./TemporaryStore.ts"

const opened = (file: string, readonly = false): Effect.Effect<Either.Either<void, StoreError>> =>
  Effect.either(Effect.scoped(Effect.asVoid(Layer.build(SqliteStore.layer({ filename: file, hash, readonly })))))

const refusal = (file: string, readonly = false) =>
  Effect.map(opened(file, readonly), (answer) => Either.getOrThrow(Either.flip(answer)).why)

const made = (file: string) =>
  Effect.flatMap(EventStore, (store) => store.append(appendOf("one", 0, { _tag: "Next" }))).pipe(
    Effect.provide(storeAt(file))
  )

it.scopedLive("a file is made for its owner alone, and so are the files beside it", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.gen(function* () {
      yield* Effect.flatMap(EventStore, (store) => store.append(appendOf("one", 0, { _tag: "Next" })))
      for (const name of fs.readdirSync(path.dirname(file))) {
        expect(fs.statSync(path.join(path.dirname(file), name)).mode & 0o777, name).toBe(0o600)
      }
    }).pipe(Effect.provide(storeAt(file)))
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  })
)

it.scopedLive("commits are durable: synchronous is FULL, the journal is a WAL, nobody blocks the thread", () =>
  Effect.gen(function* () {
    const database = yield* open(yield* temporaryFile, false)
    const pragma = (sql: SqlClient, name: string) =>
      Effect.map(sql.unsafe<Record<string, unknown>>(`PRAGMA ${name}`), (rows) => Object.values(rows[0] ?? {})[0])
    const settings = (sql: SqlClient) =>
      Effect.forEach(["synchronous", "journal_mode", "busy_timeout", "foreign_keys"], (name) => pragma(sql, name))
    expect(yield* database.transact(settings)).toEqual([2, "wal", 0, 1])
    expect(yield* database.query((sql) => pragma(sql, "busy_timeout"))).toBe(0)
  })
)

it.scopedLive("what is not a database of ours is refused by name, and left as it was", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const directory = path.dirname(file)
    fs.writeFileSync(file, "not a database, and longer than the header of one would be: ".repeat(40))
    const before = fs.readFileSync(file)
    expect(yield* refusal(file)).toBe(`${file}: it is not a database`)
    expect(fs.readFileSync(file)).toEqual(before)
    expect(yield* refusal(directory)).toBe(`${directory}: it is a directory`)
    expect(yield* refusal(path.join(directory, "none", "store.db"))).toContain(path.join(directory, "none"))
    expect(yield* refusal(path.join(directory, "absent.db"), true)).toContain("there is no such file")
    const foreign = path.join(directory, "foreign.db")
    yield* byHand(foreign, (sql) => sql`CREATE TABLE logs (line TEXT)`)
    const foreignBefore = fs.readFileSync(foreign)
    expect(yield* refusal(foreign)).toBe(`${foreign}: the database belongs to another program`)
    expect(fs.readFileSync(foreign)).toEqual(foreignBefore)
  })
)

it.scopedLive("a database of a newer version, or with another list of migrations, is refused", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* made(file)
    const because = (statement: string) =>
      Effect.gen(function* () {
        const copy = `${file}.copy`
        fs.copyFileSync(file, copy)
        yield* byHand(copy, (sql) => sql.unsafe(statement))
        return yield* refusal(copy)
      })
    const table = Migrations.TABLE
    expect(yield* because(`INSERT INTO ${table} (migration_id, name) VALUES (7, 'later')`)).toContain(
      `the database is of a newer version (7); this program knows ${Migrations.KNOWN}`
    )
    for (const statement of [
      `UPDATE ${table} SET name = 'other'`,
      `UPDATE ${table} SET migration_id = 0 WHERE migration_id = 1`,
      `DELETE FROM ${table}`,
      `INSERT INTO ${table} (migration_id, name) VALUES (0, 'earlier')`
    ]) {
      expect(yield* because(statement), statement).toContain("list of migrations is damaged")
    }
    expect(yield* because(`DROP TABLE ${table}`)).toContain("another program")
    expect(Either.isRight(yield* opened(file))).toBe(true)
  })
)

it.scopedLive("a reader reads, and does not write", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const answer = yield* made(file)
    const layer = SqliteStore.layer({ filename: file, hash, readonly: true })
    yield* Effect.gen(function* () {
      const store = yield* EventStore
      expect((yield* store.read(RUN, 0, 10)).length).toBe(answer.writes[1]!.head.seq)
      const refused = yield* Effect.flip(store.append(appendOf("one", 1, { _tag: "Next" })))
      expect(refused).toMatchObject({ _tag: "StoreError", why: `${file} was opened to be read only` })
    }).pipe(Effect.provide(layer))
  })
)

it.scoped("a lock of another process is waited for on the clock of the fiber, and not for ever", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* made(file)
    const store = yield* Effect.map(Layer.build(storeAt(file)), Context.get(EventStore))
    const attempt = store.append(appendOf("one", 1, { _tag: "Next" }))
    const hold = (sql: SqlClient) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE logs SET seq = seq`
          const waiting = yield* Effect.fork(Effect.flip(attempt))
          yield* TestClock.adjust("1 minute")
          expect((yield* Fiber.join(waiting)).message).toBe(`${file}: another process has held its lock for 30 seconds`)
          // Reading goes on meanwhile.
          expect((yield* store.read(RUN, 0, 10)).length).toBeGreaterThan(0)
        })
      )
    yield* byHand(file, hold)
    expect((yield* attempt).writes.length).toBe(2)
  })
)

it("the digest of Node is the digest of the pure function", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(FastCheck.uint8Array({ maxLength: 200 }), { maxLength: 4 }),
      (parts) => hash(...parts) === pure(...parts)
    )
  )
})

it.scopedLive("a caller's own transaction on another database is not ours", () =>
  Effect.gen(function* () {
    const [file, other] = yield* Effect.all([temporaryFile, temporaryFile])
    const store = yield* Effect.map(Layer.build(storeAt(file)), Context.get(EventStore))
    yield* byHand(other, (sql) =>
      Effect.flip(
        sql.withTransaction(
          Effect.zipRight(store.append(appendOf("one", 0, { _tag: "Next" })), Effect.fail("the caller rolls back"))
        )
      )
    )
    expect((yield* store.read(RUN, 0, 10)).length).toBeGreaterThan(0)
  })
)

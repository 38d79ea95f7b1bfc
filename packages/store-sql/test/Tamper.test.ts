import { it } from "@effect/vitest"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { ownText } from "@palimpsest/ledger/Body"
import type { Draft } from "@palimpsest/ledger/Event"
import { EventStore, type Append } from "@palimpsest/ledger/EventStore"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import { expect } from "vitest"
import { hash } from "../src/NodeHasher.ts"
import { audit, type Known, type Objection } from "./Audit.ts"
import { byHand } from "./Raw.ts"
import { deed, TABLES, type Deed } from "./Tamper.ts"
import { storeAt, temporaryFile } from "./TemporaryStore.ts"

const TREES = ["tree", "other"].map((tree) => TreeId.make(tree))
const LOGS = ["run", "tree.account", "child", "other.run"].map((log) => LogId.make(log))

const draft = (id: string, kind: string): Draft => ({ id, at: "", kind, version: 1, payload: `{"said":"${id}"}` })

/** Two trees, four logs, appends to one log and to several, and bodies. */
const built = (file: string) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const put = yield* BodyStore
    for (let i = 0; i < 12; i++) {
      const logs = i % 4 === 3 ? [3] : i % 3 === 0 ? [0, 1] : i % 3 === 1 ? [0] : [2, 1]
      const writes = logs.map((log): Append["writes"][number] => ({
        log: LOGS[log]!,
        expected: { _tag: "Next" },
        drafts: [draft(`${i}-a`, "Entered"), ...Array.from({ length: i % 3 }, (_, k) => draft(`${i}-${k}`, "Decided"))]
      }))
      yield* store.append({ id: `append ${i}`, tree: TREES[logs[0] === 3 ? 1 : 0]!, writes })
    }
    const bodies: Array<Known["bodies"][number]> = []
    for (const [i, tree] of TREES.entries()) {
      const stored = ["one", "two", "three", i === 0 ? "mine" : "yours"].map((text) => ownText(hash, text).stored)
      yield* put.put(tree, stored)
      for (const { digest } of stored) bodies.push([tree, digest])
    }
    const heads = (yield* store.logs({ after: "", limit: 10 })).map((info) => [info.log, info.head] as const)
    return { heads: new Map(heads), bodies, trees: TREES } satisfies Known
  }).pipe(Effect.provide(storeAt(file)))

it.scopedLive("an untouched file has nothing against it", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const known = yield* built(file)
    expect(known.heads.size).toBe(LOGS.length)
    expect(yield* audit(file, known, known.heads)).toEqual([])
  })
)

it.scopedLive("250 random changes by hand are each found, at their event or body", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const known = yield* built(file)
    const random = mulberry(20_261_130)
    const done = new Map<string, number>()
    let tampers = 0
    for (let attempt = 0; tampers < 250; attempt++) {
      const copy = `${file}.${attempt}`
      fs.copyFileSync(file, copy)
      const table = TABLES[Math.floor(random() * TABLES.length)]!
      const tried = yield* Effect.either(byHand(copy, (sql) => deed(sql, table, random)))
      // What the database itself refuses, or what changes nothing, is no tampering.
      if (Either.isRight(tried)) {
        tampers++
        const { right } = tried
        done.set(right.what, (done.get(right.what) ?? 0) + 1)
        const found = yield* audit(copy, known)
        expect(found.some(names(right)), `${right.what}: ${show(right)} found as ${JSON.stringify(found)}`).toBe(true)
      }
      for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(copy + suffix, { force: true })
    }
    expect(done.size).toBeGreaterThan(25)
  })
)

it.scopedLive(
  "a tail that is cut, with everything rewritten to agree, is found by a head that is known elsewhere",
  () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const known = yield* built(file)
      const log = LOGS[3]!
      const last = known.heads.get(log)!.seq
      yield* byHand(file, (sql) =>
        Effect.gen(function* () {
          const [cut] = yield* sql<{ first: number }>`SELECT first FROM appends WHERE log = ${log} AND last = ${last}`
          yield* sql`DELETE FROM events WHERE log = ${log} AND seq >= ${cut!.first}`
          yield* sql`DELETE FROM appends WHERE log = ${log} AND last = ${last}`
          yield* sql`UPDATE logs SET (seq, head) = (SELECT seq, digest FROM events WHERE log = ${log} ORDER BY seq DESC LIMIT 1)
          WHERE log = ${log}`
        })
      )
      expect(yield* audit(file, known)).toEqual([])
      const found = yield* audit(file, known, known.heads)
      expect(found).toEqual([expect.objectContaining({ log })])
    })
)

it.scopedLive("a log that vanished whole is missed by the logs that were written with it", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const known = yield* built(file)
    const log = LOGS[1]!
    yield* byHand(file, (sql) =>
      Effect.forEach(["events", "logs", "appends"], (table) => sql`DELETE FROM ${sql(table)} WHERE log = ${log}`)
    )
    const found = yield* audit(file, known)
    expect(found).toContainEqual({ _tag: "Event", log: LOGS[0]!, seq: 1 })
  })
)

it.scopedLive("nothing is appended behind a head that was changed", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* built(file)
    yield* byHand(file, (sql) => sql`UPDATE logs SET head = ${"0".repeat(64)} WHERE log = ${LOGS[0]!}`)
    const append: Append = {
      id: "late",
      tree: TREES[0]!,
      writes: [{ log: LOGS[0]!, expected: { _tag: "Next" }, drafts: [draft("late", "Entered")] }]
    }
    const refused = yield* Effect.flip(
      Effect.flatMap(EventStore, (store) => store.append(append)).pipe(Effect.provide(storeAt(file)))
    )
    expect(refused).toMatchObject({ _tag: "StoreError", why: expect.stringContaining("damaged") })
  })
)

/** Whether an objection names what was done. */
const names =
  ({ other, row, what }: Deed) =>
  (objection: Objection): boolean => {
    const rows = other === undefined ? [row] : [row, other]
    switch (objection._tag) {
      case "File":
        return what.startsWith("palimpsest_migrations")
      case "Body":
        return what.startsWith("bodies") && rows.some(({ digest }) => digest === objection.digest)
      case "Event":
        return rows.some((one) => {
          if (one["log"] !== objection.log) return false
          const seq = Number(one["seq"])
          // A row put in behind the end of a log is found at the gap before it, all else at the event itself.
          if (what.startsWith("events"))
            return objection.seq === seq || (what.endsWith("inserted") && objection.seq < seq)
          if (what === "appends row inserted") return true
          if (what.startsWith("appends"))
            return Number(one["first"]) <= objection.seq && objection.seq <= Number(one["last"])
          return what.startsWith("logs")
        })
    }
  }

const show = (of: Deed): string => JSON.stringify(of, (key, value: unknown) => (key === "bytes" ? "..." : value))

/** A small generator of numbers, so that a failure can be run again. */
const mulberry = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

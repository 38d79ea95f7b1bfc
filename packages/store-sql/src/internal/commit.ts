/**
 * One append inside its transaction: answer a repeat, refuse what cannot stand, number and chain behind the heads that
 * the lock holds still, insert. Nothing but SQL and hashing happens here.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { EMPTY, sealAll, type Draft, type Head, type Sealed } from "@palimpsest/ledger/Event"
import { BadAppend, Conflict, flawOf, StoreError, type Append, type Appended } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId, TreeId } from "@palimpsest/ledger/Ids"
import { removalsOf } from "@palimpsest/ledger/Removal"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Effect from "effect/Effect"
import { chunksOf, forUpdate } from "../Database.ts"
import { answerOf, isRepeat, rowsOf, type AppendRow } from "./appends.ts"
import { lockLogs } from "./lock.ts"

export const commit = (
  hash: Hasher,
  sql: SqlClient,
  append: Append
): Effect.Effect<Appended, Conflict | BadAppend | StoreError | SqlError> =>
  Effect.gen(function* () {
    // An append that is flawed names no rows worth a lock, but a repeat of one that is not is answered first.
    const flaw = flawOf(append)
    if (flaw === undefined) {
      yield* lockLogs(
        sql,
        append.tree,
        append.writes.map(({ log }) => log)
      )
    }
    const done = yield* sql<AppendRow>`SELECT * FROM appends WHERE id = ${append.id} ORDER BY place`
    if (done.length > 0) return yield* repeat(hash, sql, append, done)
    if (flaw !== undefined) return yield* bad(append, flaw)
    const heads = yield* headsOf(sql, append)
    const sealed: Array<ReadonlyArray<Sealed>> = []
    for (const { drafts, expected, log } of append.writes) {
      const head = heads.get(log) ?? EMPTY
      if (expected._tag === "Head" && expected.digest !== head.digest) {
        return yield* new Conflict({ log, expected: expected.digest, actual: head })
      }
      if (head.seq > 0) yield* refuseKnownIds(sql, append, log, drafts)
      sealed.push(sealAll(hash, log, head, drafts))
    }
    const rows = rowsOf(hash, append, sealed)
    for (const [place, { drafts, log }] of append.writes.entries()) {
      yield* insertEvents(sql, append.tree, log, drafts, sealed[place]!)
    }
    yield* moveHeads(sql, rows)
    for (const chunk of chunksOf(rows)) yield* sql`INSERT INTO appends ${sql.insert(chunk)}`
    return answerOf(rows)
  })

const bad = (append: Append, why: string) => new BadAppend({ id: append.id, why })

const repeat = (hash: Hasher, sql: SqlClient, append: Append, rows: ReadonlyArray<AppendRow>) =>
  Effect.gen(function* () {
    const before: Array<Head> = []
    for (const { first, log } of rows) {
      const [event] = yield* sql<{ readonly digest: string }>`
        SELECT digest FROM events WHERE log = ${log} AND seq = ${first - 1}`
      before.push(event === undefined ? EMPTY : { seq: first - 1, digest: event.digest as Digest })
    }
    if (isRepeat(hash, append, rows, before)) return answerOf(rows)
    return yield* bad(append, "this id was used for another append")
  })

interface HeadRow {
  readonly log: string
  readonly tree: string
  readonly seq: number
  readonly head: string
  readonly last: string | null
}

const headsOf = (sql: SqlClient, append: Append) =>
  Effect.gen(function* () {
    const heads = new Map<LogId, Head>()
    for (const logs of chunksOf(append.writes.map(({ log }) => log))) {
      const rows = yield* sql<HeadRow>`
        SELECT logs.log, logs.tree, logs.seq, logs.head, events.digest AS last
        FROM logs LEFT JOIN events ON events.log = logs.log AND events.seq = logs.seq
          ${inTree(sql, append.tree)}
        WHERE ${sql.in("logs.log", logs)}`
      for (const row of rows) {
        if (row.tree !== append.tree) return yield* bad(append, `${row.log} belongs to the tree ${row.tree}`)
        if (row.last === null && row.seq !== EMPTY.seq) yield* refuseForgotten(sql, append)
        if (row.seq === EMPTY.seq && row.head === EMPTY.digest) continue
        // Chaining behind a damaged head would bury the damage under good events.
        if (row.last !== row.head) {
          return yield* new StoreError({ why: `${row.log} is damaged: its head is not its event ${row.seq}` })
        }
        heads.set(row.log as LogId, { seq: row.seq, digest: row.head as Digest })
      }
    }
    if (append.writes.some(({ log }) => !heads.has(log) && log !== removalsOf(append.tree)))
      yield* refuseForgotten(sql, append)
    return heads
  })

/** A tree with a tombstone takes no more. The lock keeps a tree from being forgotten while a log begins in it. */
const refuseForgotten = (sql: SqlClient, append: Append) =>
  Effect.flatMap(sql`SELECT tree FROM tombstones WHERE tree = ${append.tree} ${forUpdate(sql)}`, ([tombstone]) =>
    tombstone === undefined ? Effect.void : bad(append, `the tree ${append.tree} was forgotten`)
  )

const refuseKnownIds = (sql: SqlClient, append: Append, log: LogId, drafts: ReadonlyArray<Draft>) =>
  Effect.gen(function* () {
    for (const ids of chunksOf(drafts.map(({ id }) => id))) {
      const [known] = yield* sql<{ readonly id: string }>`
        SELECT id FROM events WHERE log = ${log} ${inTree(sql, append.tree)} AND ${sql.in("id", ids)} LIMIT 1`
      if (known !== undefined) return yield* bad(append, `${log} has an event ${known.id} already`)
    }
  })

/** Where tables are partitioned, the one partition that the events of a tree lie in. */
const inTree = (sql: SqlClient, tree: TreeId) =>
  sql.onDialectOrElse({ pg: () => sql`AND events.tree = ${tree}`, orElse: () => sql.literal("") })

const insertEvents = (
  sql: SqlClient,
  tree: TreeId,
  log: LogId,
  drafts: ReadonlyArray<Draft>,
  sealed: ReadonlyArray<Sealed>
) =>
  Effect.gen(function* () {
    // Where tables are partitioned, an event's row says which tree it lies with.
    const place = sql.onDialectOrElse({ pg: () => ({ tree, log }), orElse: () => ({ log }) })
    const rows = sealed.map(({ bytes, digest, id, seq }, i) => ({
      ...place,
      seq,
      id,
      digest,
      kind: drafts[i]!.kind,
      bytes
    }))
    for (const chunk of chunksOf(rows)) yield* sql`INSERT INTO events ${sql.insert(chunk)}`
  })

const moveHeads = (sql: SqlClient, rows: ReadonlyArray<AppendRow>) =>
  Effect.gen(function* () {
    const heads = rows.map(({ head, last, log, tree }) => ({ log, tree, seq: last, head }))
    for (const chunk of chunksOf(heads)) {
      yield* sql`INSERT INTO logs ${sql.insert(chunk)}
        ON CONFLICT (log) DO UPDATE SET seq = excluded.seq, head = excluded.head`
    }
  })

/**
 * `BodyStore` over `SqlClient`: bytes by tree and digest, stored once, and held against their digest whenever they are
 * given back (law 2). A put touches what it finds there already, so that no sweep takes it before it is referred to; it
 * writes that down once an hour at most.
 *
 * @since 0.1.0
 */
import { digestOf, type Stored } from "@palimpsest/ledger/Body"
import { BodyFault, type BodyStore } from "@palimpsest/ledger/BodyStore"
import { StoreError } from "@palimpsest/ledger/EventStore"
import type { Digest, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Tag } from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { chunksOf, pageSize, plainBytes, type Database } from "./Database.ts"

/**
 * The body store of an open, migrated database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (hash: Hasher, database: Database): Tag.Service<BodyStore> => ({
  put: Effect.fn("SqlBodyStore.put")(function* (tree: TreeId, bodies: ReadonlyArray<Stored>) {
    const wrong = bodies.find((body) => digestOf(hash, body.media, body.bytes) !== body.digest)
    if (wrong !== undefined) return yield* new StoreError({ why: `body ${wrong.digest} has other bytes` })
    if (bodies.length === 0) return
    const touched = Math.floor((yield* Clock.currentTimeMillis) / MINUTE)
    // Once each, and in one order: two puts of the same bodies do not wait for each other.
    const rows = [...new Map(bodies.map((body) => [body.digest, body])).values()]
      .sort((a, b) => (a.digest < b.digest ? -1 : 1))
      .map(({ bytes, digest, media }) => ({ tree, digest, media, bytes, touched }))
    yield* database.transact((sql) =>
      Effect.forEach(
        chunksOf(rows),
        (chunk) => sql`INSERT INTO bodies ${sql.insert(chunk)} ON CONFLICT (tree, digest)
          DO UPDATE SET touched = excluded.touched WHERE bodies.touched < excluded.touched - ${TOUCH}`,
        { discard: true }
      )
    )
  }),

  get: Effect.fn("SqlBodyStore.get")(function* (tree: TreeId, digest: Digest) {
    const [row] = yield* database.query(
      (sql) => sql<Pick<Stored, "media" | "bytes">>`
        SELECT media, bytes FROM bodies WHERE tree = ${tree} AND digest = ${digest}`
    )
    if (row === undefined) return yield* new BodyFault({ digest, why: "missing" })
    const bytes = plainBytes(row.bytes)
    if (digestOf(hash, row.media, bytes) !== digest) return yield* new BodyFault({ digest, why: "changed" })
    return { digest, media: row.media, bytes }
  }),

  list: Effect.fn("SqlBodyStore.list")(function* (tree: TreeId, after: string, limit: number) {
    const rows = yield* database.query(
      (sql) => sql<{ readonly digest: Digest }>`
        SELECT digest FROM bodies WHERE tree = ${tree} AND digest > ${after} ORDER BY digest LIMIT ${pageSize(limit)}`
    )
    return rows.map(({ digest }) => digest)
  })
})

const MINUTE = 60_000

/** Minutes within which a body is not touched again: far less than a sweep waits. */
const TOUCH = 60

/**
 * `Removal` over `SqlClient`: the fact and the deletion are one transaction, behind the lock of the log of removals (and,
 * for a tree that is forgotten, of all its logs). No event is changed (law 1), no body goes without its act but one that
 * nothing refers to (law 2).
 *
 * @since 0.1.0
 */
import { StoreError } from "@palimpsest/ledger/EventStore"
import type { Digest, TreeId } from "@palimpsest/ledger/Ids"
import type { Act, Removal } from "@palimpsest/ledger/Removal"
import { removalsOf } from "@palimpsest/ledger/Removal"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Clock from "effect/Clock"
import type { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import { chunksOf, pageSize, type Database } from "./Database.ts"
import { holding } from "./internal/holding.ts"
import { close, remove } from "./internal/remove.ts"
import { deleteUntouched, unnamed } from "./internal/sweep.ts"

/**
 * The removals of an open, migrated database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (hash: Hasher, database: Database): Tag.Service<Removal> => ({
  remove: Effect.fn("SqlRemoval.remove")(function* (act: Act) {
    if (act.command._tag === "Forget") yield* database.transact((sql) => close(sql, act.tree))
    const answer = yield* database
      .transact((sql) => remove(hash, sql, act))
      .pipe(Effect.catchTag("Conflict", (stale) => Effect.fail(new StoreError({ why: stale.message, cause: stale }))))
    yield* database.announce([removalsOf(act.tree)])
    yield* database.purge(act.tree)
    return answer
  }),

  holding: Effect.fn("SqlRemoval.holding")(function* (tree, needles, limit) {
    return yield* database.snapshot((sql) => holding(sql, tree, needles, pageSize(limit)))
  }),

  aged: Effect.fn("SqlRemoval.aged")(function* (tree: TreeId, before: number, after: string, limit: number) {
    const rows = yield* database.query(
      (sql) => sql<{ readonly digest: Digest }>`
        SELECT digest FROM bodies
        WHERE tree = ${tree} AND digest > ${after} AND touched < ${Math.floor(before / MINUTE)}
        ORDER BY digest LIMIT ${pageSize(limit)}`
    )
    return rows.map(({ digest }) => digest)
  }),

  sweep: Effect.fn("SqlRemoval.sweep")(function* (tree: TreeId) {
    const before = Math.floor((yield* Clock.currentTimeMillis) / MINUTE) - DAY
    const found = yield* database.snapshot((sql) => unnamed(sql, tree, before))
    const gone = { bodies: 0, bytes: 0 }
    // A transaction for each, so that nobody waits behind all of them.
    for (const chunk of chunksOf(found)) {
      const sizes = yield* database.transact((sql) => deleteUntouched(sql, tree, before, chunk))
      gone.bodies += sizes.length
      for (const size of sizes) gone.bytes += size
    }
    return gone
  })
})

const MINUTE = 60_000

/** In minutes. */
const DAY = 24 * 60

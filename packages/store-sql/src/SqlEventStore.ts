/**
 * `EventStore` over `SqlClient`: events as their canonical bytes, numbered and chained under the lock of one
 * transaction (laws 1 and 3). Columns beside the bytes are projections, and `inspect` holds them against the bytes.
 *
 * @since 0.1.0
 */
import type { Append, EventStore, LogInfo } from "@palimpsest/ledger/EventStore"
import type { LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { pageSize, plainBytes, type Database } from "./Database.ts"
import { commit } from "./internal/commit.ts"
import { inspect } from "./internal/inspect.ts"
import { page } from "./internal/events.ts"
import { infoOf, listAll, listTree, type LogRow } from "./internal/logs.ts"

/**
 * The event store of an open, migrated database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (hash: Hasher, database: Database): Tag.Service<EventStore> => ({
  append: Effect.fn("SqlEventStore.append")(function* (append: Append) {
    const answer = yield* database.transact((sql) => commit(hash, sql, append))
    yield* database.announce(answer.writes.map(({ log }) => log))
    return answer
  }),

  read: Effect.fn("SqlEventStore.read")(function* (log: LogId, after: number, limit: number) {
    const rows = yield* database.query((sql) => page(sql, log, after, pageSize(limit)))
    return rows.map((row) => ({ ...row, bytes: plainBytes(row.bytes) }))
  }),

  head: Effect.fn("SqlEventStore.head")(function* (log: LogId) {
    const rows = yield* database.query((sql) => sql<LogRow>`SELECT log, tree, seq, head FROM logs WHERE log = ${log}`)
    return Option.map(Option.fromNullable(rows[0]), infoOf)
  }),

  logs: Effect.fn("SqlEventStore.logs")(function* ({ after, limit, tree }) {
    const size = pageSize(limit)
    if (size === 0) return [] as ReadonlyArray<LogInfo>
    const rows = yield* database.query((sql) =>
      tree === undefined ? listAll(sql, after, size) : listTree(sql, tree, after, size)
    )
    return rows.map(infoOf)
  }),

  inspect: Effect.fn("SqlEventStore.inspect")(function* (log: LogId) {
    return yield* database.snapshot((sql) => inspect(hash, sql, log))
  })
})

/**
 * Listing the logs. A log is listed if any table knows it: one whose row in `logs` was removed must still be found by
 * whoever walks the list to check it. Each step of the walk is one seek in an index.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { EMPTY } from "@palimpsest/ledger/Event"
import type { LogInfo } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId, TreeId } from "@palimpsest/ledger/Ids"
import type * as Effect from "effect/Effect"

export interface LogRow {
  readonly log: string
  readonly tree: string
  readonly seq: number | null
  readonly head: string | null
}

export const infoOf = ({ head, log, seq, tree }: LogRow): LogInfo => ({
  log: log as LogId,
  tree: tree as TreeId,
  head: seq === null || head === null ? EMPTY : { seq, digest: head as Digest }
})

export const listAll = (sql: SqlClient, after: string, limit: number): Effect.Effect<ReadonlyArray<LogRow>, SqlError> =>
  sql<LogRow>`
    WITH RECURSIVE names(log, n) AS (
      SELECT (
        SELECT min(log) FROM (
          SELECT min(log) AS log FROM logs WHERE log > ${after}
          UNION ALL SELECT min(log) FROM events WHERE log > ${after}
          UNION ALL SELECT min(log) FROM appends WHERE log > ${after}
        ) AS any_table
      ), 1
      UNION ALL
      SELECT (
        SELECT min(log) FROM (
          SELECT min(log) AS log FROM logs WHERE log > names.log
          UNION ALL SELECT min(log) FROM events WHERE log > names.log
          UNION ALL SELECT min(log) FROM appends WHERE log > names.log
        ) AS any_table
      ), n + 1
      FROM names WHERE names.log IS NOT NULL AND n < ${limit}
    )
    SELECT names.log, logs.seq, logs.head,
      coalesce(logs.tree, (SELECT min(tree) FROM appends WHERE appends.log = names.log), names.log) AS tree
    FROM names LEFT JOIN logs ON logs.log = names.log
    WHERE names.log IS NOT NULL ORDER BY names.log`

export const listTree = (
  sql: SqlClient,
  tree: string,
  after: string,
  limit: number
): Effect.Effect<ReadonlyArray<LogRow>, SqlError> =>
  sql<LogRow>`
    WITH RECURSIVE names(log, n) AS (
      SELECT (
        SELECT min(log) FROM (
          SELECT min(log) AS log FROM logs WHERE tree = ${tree} AND log > ${after}
          UNION ALL SELECT min(log) FROM appends WHERE tree = ${tree} AND log > ${after}
        ) AS any_table
      ), 1
      UNION ALL
      SELECT (
        SELECT min(log) FROM (
          SELECT min(log) AS log FROM logs WHERE tree = ${tree} AND log > names.log
          UNION ALL SELECT min(log) FROM appends WHERE tree = ${tree} AND log > names.log
        ) AS any_table
      ), n + 1
      FROM names WHERE names.log IS NOT NULL AND n < ${limit}
    )
    SELECT names.log, logs.seq, logs.head, coalesce(logs.tree, ${tree}) AS tree
    FROM names LEFT JOIN logs ON logs.log = names.log
    WHERE names.log IS NOT NULL ORDER BY names.log`

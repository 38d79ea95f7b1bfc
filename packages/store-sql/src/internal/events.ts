/**
 * A page of a log's events in the order of their numbers. Where tables are partitioned, the log's row says in which
 * partition they lie; a log whose row was removed is looked for in all of them, as it must still be found.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Sealed } from "@palimpsest/ledger/Event"
import type { LogId } from "@palimpsest/ledger/Ids"
import type * as Effect from "effect/Effect"

export interface EventRow extends Sealed {
  readonly kind: string
}

export const page = (
  sql: SqlClient,
  log: LogId,
  after: number,
  limit: number
): Effect.Effect<ReadonlyArray<EventRow>, SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql<EventRow>`
      (SELECT seq, id, digest, kind, bytes FROM events
       WHERE log = ${log} AND tree = (SELECT tree FROM logs WHERE log = ${log}) AND seq > ${after}
       ORDER BY seq LIMIT ${limit})
      UNION ALL
      (SELECT seq, id, digest, kind, bytes FROM events
       WHERE log = ${log} AND NOT EXISTS (SELECT 1 FROM logs WHERE log = ${log}) AND seq > ${after}
       ORDER BY seq LIMIT ${limit})`,
    orElse: () => sql<EventRow>`
      SELECT seq, id, digest, kind, bytes FROM events
      WHERE log = ${log} AND seq > ${after} ORDER BY seq LIMIT ${limit}`
  })

/**
 * The lock on the logs that an append writes to. On SQLite the transaction holds it already. On PostgreSQL the rows of the
 * logs are locked one by one in the order of their names, so that two writers of the same logs never wait for each other;
 * a log that is not there yet gets its row in its turn, at its beginning, which goes again if the append does not stand.
 *
 * It is a statement before the heads are read: what a statement reads that had to wait is as it was before the wait.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { EMPTY } from "@palimpsest/ledger/Event"
import type { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Effect from "effect/Effect"
import { chunksOf } from "../Database.ts"

export const lockLogs = (sql: SqlClient, tree: TreeId, logs: ReadonlyArray<LogId>): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => {
      const rows = [...logs].sort().map((log) => ({ log, tree, seq: EMPTY.seq, head: EMPTY.digest }))
      // A row that is there is locked and left as it is: nothing satisfies the condition of its update.
      return Effect.forEach(
        chunksOf(rows),
        (chunk) => sql`INSERT INTO logs ${sql.insert(chunk)}
          ON CONFLICT (log) DO UPDATE SET head = excluded.head WHERE false`,
        { discard: true }
      )
    },
    orElse: () => Effect.void
  })

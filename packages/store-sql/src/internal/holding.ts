/** Where some bytes are held in a tree: a search byte by byte, by the database. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Digest, TreeId } from "@palimpsest/ledger/Ids"
import type { Holding } from "@palimpsest/ledger/Removal"
import * as Effect from "effect/Effect"

export const holding = (
  sql: SqlClient,
  tree: TreeId,
  needles: ReadonlyArray<Uint8Array>,
  limit: number
): Effect.Effect<Holding, SqlError> =>
  Effect.gen(function* () {
    const sought = needles.filter((needle) => needle.length > 0)
    if (sought.length === 0) return { bodies: [], events: [] }
    const holds = (column: string) =>
      sql.or(
        sought.map((needle) =>
          sql.onDialectOrElse({
            pg: () => sql`position(${needle}::bytea IN ${sql(column)}) > 0`,
            orElse: () => sql`instr(${sql(column)}, ${needle}) > 0`
          })
        )
      )
    const bodies = yield* sql<{ readonly digest: Digest }>`
      SELECT digest FROM bodies WHERE tree = ${tree} AND ${holds("bytes")} ORDER BY digest LIMIT ${limit}`
    const ofTree = sql.onDialectOrElse({
      pg: () => sql`tree = ${tree}`,
      orElse: () => sql`log IN (SELECT logs.log FROM logs WHERE tree = ${tree})`
    })
    const events = yield* sql<Holding["events"][number]>`
      SELECT log, seq FROM events WHERE ${ofTree} AND ${holds("bytes")} ORDER BY log, seq LIMIT ${limit}`
    return { bodies: bodies.map(({ digest }) => digest), events }
  })

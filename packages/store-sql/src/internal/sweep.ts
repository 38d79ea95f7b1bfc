/**
 * The bodies that nothing names. A name is a digest, as it is written in an event, or in a JSON body that could be a
 * configuration. What a digest looks like and is none keeps a body that could go; never the other way round.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import type { Digest, TreeId } from "@palimpsest/ledger/Ids"
import * as Effect from "effect/Effect"

/** The untouched bodies of a tree that nothing of it names. */
export const unnamed = (sql: SqlClient, tree: TreeId, before: number): Effect.Effect<ReadonlyArray<Digest>, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* sql<{ readonly digest: Digest }>`
      SELECT digest FROM bodies WHERE tree = ${tree} AND touched < ${before} ORDER BY digest`
    const left = new Set(rows.map(({ digest }) => digest))
    const logs = yield* sql<{ readonly log: string }>`SELECT log FROM logs WHERE tree = ${tree} ORDER BY log`
    for (const { log } of logs) {
      for (let after = 0; left.size > 0;) {
        const page = yield* sql<{ readonly seq: number; readonly bytes: Uint8Array }>`
          SELECT seq, bytes FROM events WHERE log = ${log} AND seq > ${after} ORDER BY seq LIMIT ${PAGE}`
        for (const { bytes, seq } of page) {
          strike(left, bytes)
          after = seq
        }
        if (page.length < PAGE) break
      }
    }
    for (let after = ""; left.size > 0;) {
      const page = yield* sql<{ readonly digest: Digest; readonly bytes: Uint8Array }>`
        SELECT digest, bytes FROM bodies
        WHERE tree = ${tree} AND digest > ${after} AND media = 'application/json' AND length(bytes) <= ${MOST}
        ORDER BY digest LIMIT ${PAGE}`
      for (const { bytes, digest } of page) {
        strike(left, bytes)
        after = digest
      }
      if (page.length < PAGE) break
    }
    return [...left]
  })

/** Deletes those that nothing has put meanwhile; the sizes of what went. */
export const deleteUntouched = (
  sql: SqlClient,
  tree: TreeId,
  before: number,
  bodies: ReadonlyArray<Digest>
): Effect.Effect<ReadonlyArray<number>, SqlError> =>
  Effect.map(
    sql<{ readonly size: number }>`
      DELETE FROM bodies WHERE tree = ${tree} AND touched < ${before} AND ${sql.in("digest", bodies)}
      RETURNING length(bytes) AS size`,
    (rows) => rows.map(({ size }) => size)
  )

const strike = (left: Set<Digest>, bytes: Uint8Array): void => {
  for (const [name] of decodeUtf8(bytes).matchAll(DIGESTS)) left.delete(name as Digest)
}

const DIGESTS = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g
const PAGE = 200
const MOST = 1_048_576

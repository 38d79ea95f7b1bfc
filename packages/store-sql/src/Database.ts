/**
 * What the stores need of a driver: a client to read with, and a way to write in one transaction that holds the write
 * lock from its first statement on. The stores themselves are written against `SqlClient` alone.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@palimpsest/ledger/EventStore"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Effect from "effect/Effect"

/**
 * One open database.
 *
 * 1. `transact` is the only way to write. Its body runs behind the write lock, is committed whole and durably before
 *    the effect answers, or leaves nothing. Nothing but SQL belongs inside it.
 * 2. `query` reads what is committed, and never what another fiber is about to commit. `snapshot` reads one state of the
 *    database in several statements.
 * 3. A lock that another process holds is waited for on the fiber's clock, never by blocking the thread.
 *
 * @since 0.1.0
 * @category models
 */
export interface Database {
  /** Sends statements; what fails becomes a `StoreError` that names the database. */
  readonly query: <A>(read: (sql: SqlClient) => Effect.Effect<A, SqlError>) => Effect.Effect<A, StoreError>
  readonly snapshot: <A>(read: (sql: SqlClient) => Effect.Effect<A, SqlError>) => Effect.Effect<A, StoreError>
  readonly transact: <A, E>(
    write: (sql: SqlClient) => Effect.Effect<A, E>
  ) => Effect.Effect<A, Exclude<E, SqlError> | StoreError>
}

/**
 * How many rows one `INSERT` carries at most: the measured optimum, and below every driver's limit of parameters.
 *
 * @since 0.1.0
 * @category constants
 */
export const ROWS_PER_INSERT = 500

/**
 * Cuts rows into inserts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const chunksOf = <A>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const chunks: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) chunks.push(rows.slice(at, at + ROWS_PER_INSERT))
  return chunks
}

/**
 * The bytes of a BLOB as a plain `Uint8Array`: drivers answer with a `Buffer`, which is another class.
 *
 * @since 0.1.0
 * @category combinators
 */
export const plainBytes = (blob: Uint8Array): Uint8Array => new Uint8Array(blob.buffer, blob.byteOffset, blob.length)

/**
 * A page size as a driver can bind it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const pageSize = (limit: number): number => Math.max(0, Math.min(Math.trunc(limit), 2_147_483_647))

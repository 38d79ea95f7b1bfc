/**
 * What the stores need of a driver: a client to read with, and a way to write in one transaction. The stores themselves
 * are written against `SqlClient` alone, and where the two databases differ in words they ask for the dialect.
 *
 *     SQLite        one writer: the lock is taken by the first statement of the transaction
 *     PostgreSQL    many: a row is locked by `SELECT ... FOR UPDATE` before it is read to be written (`forUpdate`)
 *
 * @since 0.1.0
 */
import type { StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId, TreeId } from "@palimpsest/ledger/Ids"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/**
 * One open database.
 *
 * 1. `transact` is the only way to write. Its body is committed whole and durably before the effect answers, or leaves
 *    nothing. It may be run again from its beginning (a lock that was not got, a deadlock, a key that another
 *    transaction took first), so nothing but SQL belongs inside it, and what it reads in order to write it locks first.
 * 2. `query` reads what is committed, and never what another fiber is about to commit. `snapshot` reads one state of the
 *    database in several statements.
 * 3. A lock that another process holds is waited for on the fiber's clock, never by blocking the thread.
 * 4. `wakes` is a hint and never the only word: a change may be missed (a lost connection), so its reader also looks by
 *    itself now and then.
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
  /** After it, no file of the database holds the bytes of rows of this tree that were deleted before. */
  readonly purge: (tree: TreeId) => Effect.Effect<void, StoreError>
  /** Says which logs have grown, behind their commit and outside of its transaction. */
  readonly announce: (logs: ReadonlyArray<LogId>) => Effect.Effect<void>
  /** The names of logs that may have grown; an empty name where it may be any of them. */
  readonly wakes: Stream.Stream<string>
}

/**
 * What a `SELECT` ends with that reads rows in order to write them: the lock on these rows, or nothing where the
 * transaction holds the lock of the whole database already.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forUpdate = (sql: SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE"), orElse: () => sql.literal("") })

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

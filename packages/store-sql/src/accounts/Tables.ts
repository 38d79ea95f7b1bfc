/**
 * The tables that hold the folds of accounts, beside their logs. One call reads and writes as many rows as its run is
 * deep, whatever the size of the tree.
 *
 *     accounts              one row an account: its head, which is locked first, and the tree that its logs lie in
 *     account_runs          one row a run: what it and all below it have spent and hold
 *     account_reservations  one row a call that is in flight, or whose lease ran out
 *
 * All of them are projections of the account's log, and `AccountsAudit` holds them against it.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * Makes the tables where they are not there yet. To be run in a transaction.
 *
 * @since 0.1.0
 * @category making
 */
export const make = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })

const sqlite = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    yield* sql`CREATE TABLE IF NOT EXISTS accounts (
      account TEXT NOT NULL PRIMARY KEY,
      tree TEXT NOT NULL,
      head TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`
    yield* sql`CREATE TABLE IF NOT EXISTS account_runs (
      account TEXT NOT NULL,
      run TEXT NOT NULL,
      parent TEXT NOT NULL,
      fold TEXT NOT NULL,
      PRIMARY KEY (account, run)
    ) STRICT, WITHOUT ROWID`
    yield* sql`CREATE TABLE IF NOT EXISTS account_reservations (
      account TEXT NOT NULL,
      reservation TEXT NOT NULL,
      state TEXT NOT NULL,
      fold TEXT NOT NULL,
      PRIMARY KEY (account, reservation)
    ) STRICT, WITHOUT ROWID`
    yield* sql`CREATE INDEX IF NOT EXISTS account_reservations_state ON account_reservations (account, state)`
    yield* sql`CREATE INDEX IF NOT EXISTS accounts_tree ON accounts (tree)`
  })

/** Rows change with every call: room on their pages keeps new versions beside the old. */
const postgres = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    yield* sql`CREATE TABLE IF NOT EXISTS accounts (
      account TEXT COLLATE "C" NOT NULL PRIMARY KEY,
      tree TEXT COLLATE "C" NOT NULL,
      head TEXT NOT NULL
    ) WITH (fillfactor = 50)`
    yield* sql`CREATE TABLE IF NOT EXISTS account_runs (
      account TEXT COLLATE "C" NOT NULL,
      run TEXT COLLATE "C" NOT NULL,
      parent TEXT COLLATE "C" NOT NULL,
      fold TEXT NOT NULL,
      PRIMARY KEY (account, run)
    ) WITH (fillfactor = 50)`
    yield* sql`CREATE TABLE IF NOT EXISTS account_reservations (
      account TEXT COLLATE "C" NOT NULL,
      reservation TEXT COLLATE "C" NOT NULL,
      state TEXT COLLATE "C" NOT NULL,
      fold TEXT NOT NULL,
      PRIMARY KEY (account, reservation)
    )`
    yield* sql`CREATE INDEX IF NOT EXISTS account_reservations_state ON account_reservations (account, state)`
    yield* sql`CREATE INDEX IF NOT EXISTS accounts_tree ON accounts (tree)`
  })

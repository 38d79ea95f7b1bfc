/**
 * The tables, as a list of migrations that is only ever appended to, and the check that a database holds exactly a
 * prefix of it (law 14): a database of a newer version, or with a list that is not ours, is refused by name.
 *
 *     logs      one row a log: its tree and its head                      a projection of events, checked by `inspect`
 *     events    the events, as their canonical bytes                      `id`, `digest`, `kind` are projections
 *     appends   one row a log an append wrote to: what the append did     so that a repeat answers as the first did
 *     bodies    bytes by tree and digest
 *
 * @since 0.1.0
 */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * What a database is, by its list of migrations.
 *
 * @since 0.1.0
 * @category models
 */
export type State =
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Behind"; readonly version: number }
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Newer"; readonly version: number }
  | { readonly _tag: "Garbled" }
  | { readonly _tag: "Foreign" }

/**
 * The name of the table that lists the migrations.
 *
 * @since 0.1.0
 * @category constants
 */
export const TABLE = "palimpsest_migrations"

/**
 * The version that this program knows: the number of its newest migration.
 *
 * @since 0.1.0
 * @category constants
 */
export const KNOWN = 1

/**
 * Reads the state of an SQLite database. It writes nothing.
 *
 * @since 0.1.0
 * @category checks
 */
export const state = (sql: SqlClient.SqlClient): Effect.Effect<State, SqlError> =>
  Effect.gen(function* () {
    const tables = yield* sql<{
      readonly name: string
    }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
    if (tables.length === 0) return { _tag: "Empty" }
    if (!tables.some(({ name }) => name === TABLE)) return { _tag: "Foreign" }
    const rows = yield* sql<Row>`SELECT migration_id, name FROM ${sql(TABLE)} ORDER BY migration_id`
    return judge(rows)
  })

/**
 * Brings a database to the version of this program. To be run inside a transaction that holds the write lock.
 *
 * @since 0.1.0
 * @category migrating
 */
export const migrate = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    // The migrator's own table carries the time of each migration, which nothing could check: here it is a constant.
    yield* sql`CREATE TABLE IF NOT EXISTS ${sql(TABLE)} (
      migration_id INTEGER PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT GENERATED ALWAYS AS ('') VIRTUAL
    ) STRICT`
    yield* Migrator.make({})({ loader: Migrator.fromRecord(MIGRATIONS), table: TABLE })
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

const NAMES = ["1_logs_events_appends_bodies"] as const

interface Row {
  readonly migration_id: number
  readonly name: string
}

const judge = (rows: ReadonlyArray<Row>): State => {
  const ours = rows.every((row, i) => i >= NAMES.length || `${row.migration_id}_${row.name}` === NAMES[i])
  const newest = rows.at(-1)?.migration_id
  if (!ours || newest === undefined) return { _tag: "Garbled" }
  if (newest > KNOWN) return { _tag: "Newer", version: newest }
  return rows.length === KNOWN ? { _tag: "Ready" } : { _tag: "Behind", version: newest }
}

const first = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE logs (
    log TEXT NOT NULL PRIMARY KEY,
    tree TEXT NOT NULL,
    seq INTEGER NOT NULL,
    head TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`
  yield* sql`CREATE INDEX logs_tree ON logs (tree, log)`
  yield* sql`CREATE TABLE events (
    log TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    kind TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (log, seq)
  ) STRICT`
  yield* sql`CREATE UNIQUE INDEX events_id ON events (log, id)`
  yield* sql`CREATE TABLE appends (
    id TEXT NOT NULL,
    place INTEGER NOT NULL,
    writes INTEGER NOT NULL,
    tree TEXT NOT NULL,
    log TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    head TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (id, place)
  ) STRICT, WITHOUT ROWID`
  yield* sql`CREATE UNIQUE INDEX appends_log ON appends (log, first)`
  yield* sql`CREATE INDEX appends_tree ON appends (tree, log)`
  yield* sql`CREATE TABLE bodies (
    tree TEXT NOT NULL,
    digest TEXT NOT NULL,
    media TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (tree, digest)
  ) STRICT`
})

const MIGRATIONS: Readonly<Record<(typeof NAMES)[number], Effect.Effect<void, SqlError, SqlClient.SqlClient>>> = {
  "1_logs_events_appends_bodies": first
}

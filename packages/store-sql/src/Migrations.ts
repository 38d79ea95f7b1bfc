/**
 * The tables, as a list of migrations that is only ever appended to, and the check that a database holds exactly a
 * prefix of it (law 14): a database of a newer version, or with a list that is not ours, is refused by name.
 *
 *     logs        one row a log: its tree and its head                      a projection of events, checked by `inspect`
 *     events      the events, as their canonical bytes                      `id`, `digest`, `kind` are projections
 *     appends     one row a log an append wrote to: what the append did     so that a repeat answers as the first did
 *     bodies      bytes by tree and digest, and when they were last put
 *     tombstones  one row a tree that was forgotten: the event that says so
 *
 * @since 0.1.0
 */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Postgres from "./internal/tablesPostgres.ts"
import * as Sqlite from "./internal/tablesSqlite.ts"

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
export const KNOWN = 2

/**
 * Reads the state of a database. It writes nothing. A PostgreSQL database is looked at in the schema that its connection
 * names first, where tables of other programs may stand beside ours unless they take our names.
 *
 * @since 0.1.0
 * @category checks
 */
export const state = (sql: SqlClient.SqlClient): Effect.Effect<State, SqlError> =>
  Effect.gen(function* () {
    const tables = yield* sql.onDialectOrElse({
      pg: () => sql<{ readonly name: string }>`
        SELECT tablename AS name FROM pg_tables
        WHERE schemaname = current_schema() AND ${sql.in("tablename", [TABLE, ...TABLES])}`,
      orElse: () => sql<{ readonly name: string }>`
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
    })
    if (tables.length === 0) return { _tag: "Empty" }
    if (!tables.some(({ name }) => name === TABLE)) return { _tag: "Foreign" }
    const rows = yield* sql<Row>`SELECT migration_id, name FROM ${sql(TABLE)} ORDER BY migration_id`
    return judge(rows)
  })

/**
 * What is said against a database in that state; undefined where nothing is. `complete` where it cannot be brought to the
 * version of this program.
 *
 * @since 0.1.0
 * @category checks
 */
export const complaint = (state: State, complete: boolean): string | undefined => {
  switch (state._tag) {
    case "Ready":
      return undefined
    case "Empty":
      return complete ? "the database is empty" : undefined
    case "Behind":
      return complete ? `the database is of version ${state.version}; open it for writing once` : undefined
    case "Newer":
      return `the database is of a newer version (${state.version}); this program knows ${KNOWN}`
    case "Garbled":
      return "the database's list of migrations is damaged, or not one of this program"
    case "Foreign":
      return "the database belongs to another program"
  }
}

/**
 * Brings a database to the version of this program. To be run inside a transaction that holds the write lock.
 *
 * @since 0.1.0
 * @category migrating
 */
export const migrate = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    // The migrator's own table carries the time of each migration, which nothing could check: here it is a constant.
    yield* sql.onDialectOrElse({
      pg: () => Postgres.list(sql, TABLE),
      orElse: () => Sqlite.list(sql, TABLE)
    })
    yield* Migrator.make({})({ loader: Migrator.fromRecord(MIGRATIONS), table: TABLE })
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

const TABLES = ["logs", "events", "appends", "bodies", "tombstones"] as const
const NAMES = ["1_logs_events_appends_bodies", "2_removal"] as const

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

type Migration = (sql: SqlClient.SqlClient) => Effect.Effect<void, SqlError>

const either = (sqlite: Migration, postgres: Migration) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })
  )

const MIGRATIONS: Readonly<Record<(typeof NAMES)[number], Effect.Effect<void, SqlError, SqlClient.SqlClient>>> = {
  "1_logs_events_appends_bodies": either(Sqlite.first, Postgres.first),
  "2_removal": either(Sqlite.removal, Postgres.removal)
}

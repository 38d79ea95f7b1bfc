/**
 * The tables on SQLite, migration by migration. What a released version has run is never changed.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

export const list = (sql: SqlClient, table: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (
    migration_id INTEGER PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT GENERATED ALWAYS AS ('') VIRTUAL
  ) STRICT`)

export const first = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
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

/** `touched`, in minutes of Unix time, is when a body was last put: what stood there before is taken as put now. */
export const removal = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    yield* sql`ALTER TABLE bodies ADD COLUMN touched INTEGER NOT NULL DEFAULT 0`
    yield* sql`UPDATE bodies SET touched = CAST(strftime('%s', 'now') AS INTEGER) / 60`
    yield* sql`CREATE INDEX bodies_touched ON bodies (touched)`
    yield* sql`CREATE TABLE tombstones (
      tree TEXT NOT NULL PRIMARY KEY,
      log TEXT NOT NULL,
      seq INTEGER NOT NULL,
      digest TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`
  })

/**
 * The tables on PostgreSQL, migration by migration. What a released version has run is never changed.
 *
 * All that belongs to a tree but its row in `logs` lies in one partition, by the tree's name. `logs` is not partitioned: it
 * is small, its key keeps a log in one tree, and its rows are the locks that writers take. Keys begin with what is
 * looked up by and end with the tree, as the key of a partitioned table has to hold what it is partitioned by.
 *
 * Names compare byte by byte (`COLLATE "C"`), as they do on SQLite; the database's own order could be any language's.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

export const PARTITIONS = 8

export const list = (sql: SqlClient, table: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (
    migration_id INTEGER PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT ''
  )`)

export const first = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    // A head moves with every append: room on its page keeps the new version beside the old one, and the indexes as
    // they are.
    yield* sql`CREATE TABLE logs (
      log TEXT COLLATE "C" NOT NULL PRIMARY KEY,
      tree TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      head TEXT COLLATE "C" NOT NULL
    ) WITH (fillfactor = 50)`
    yield* sql`CREATE INDEX logs_tree ON logs (tree, log)`
    yield* sql`CREATE TABLE events (
      tree TEXT COLLATE "C" NOT NULL,
      log TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      id TEXT COLLATE "C" NOT NULL,
      digest TEXT COLLATE "C" NOT NULL,
      kind TEXT COLLATE "C" NOT NULL,
      bytes BYTEA NOT NULL,
      PRIMARY KEY (log, seq, tree)
    ) PARTITION BY HASH (tree)`
    yield* sql`CREATE UNIQUE INDEX events_id ON events (log, id, tree)`
    yield* sql`CREATE TABLE appends (
      id TEXT COLLATE "C" NOT NULL,
      place INTEGER NOT NULL,
      writes INTEGER NOT NULL,
      tree TEXT COLLATE "C" NOT NULL,
      log TEXT COLLATE "C" NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      head TEXT COLLATE "C" NOT NULL,
      digest TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (id, place, tree)
    ) PARTITION BY HASH (tree)`
    yield* sql`CREATE UNIQUE INDEX appends_log ON appends (log, first, tree)`
    yield* sql`CREATE INDEX appends_tree ON appends (tree, log)`
    yield* sql`CREATE TABLE bodies (
      tree TEXT COLLATE "C" NOT NULL,
      digest TEXT COLLATE "C" NOT NULL,
      media TEXT COLLATE "C" NOT NULL,
      bytes BYTEA NOT NULL,
      PRIMARY KEY (tree, digest)
    ) PARTITION BY HASH (tree)`
    for (const table of ["events", "appends", "bodies"]) yield* parts(sql, table)
  })

/** `touched`, in minutes of Unix time, is when a body was last put: what stood there before is taken as put now. */
export const removal = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    yield* sql`ALTER TABLE bodies ADD COLUMN touched INTEGER NOT NULL DEFAULT 0`
    yield* sql`UPDATE bodies SET touched = floor(extract(epoch FROM now()) / 60)::integer`
    yield* sql`CREATE INDEX bodies_touched ON bodies (touched)`
    yield* sql`CREATE TABLE tombstones (
      tree TEXT COLLATE "C" NOT NULL PRIMARY KEY,
      log TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      digest TEXT COLLATE "C" NOT NULL
    )`
  })

const parts = (sql: SqlClient, table: string): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    Array.from({ length: PARTITIONS }, (_, i) => i),
    (i) => sql`CREATE TABLE ${sql(`${table}_${i}`)} PARTITION OF ${sql(table)}
      FOR VALUES WITH (MODULUS ${sql.literal(String(PARTITIONS))}, REMAINDER ${sql.literal(String(i))})`,
    { discard: true }
  )

/**
 * An open SQLite file: a connection that writes, one that only reads, and the lock between processes.
 *
 * The reader is a second connection because the client hands its one connection to any statement once no transaction
 * holds it: a read could slip into another fiber's transaction and see what is then rolled back.
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { StoreError } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as fs from "node:fs"
import type { Database } from "../Database.ts"
import * as Migrations from "../Migrations.ts"
import { alone, codeOf, isSqlError, transaction } from "./transactions.ts"
import { shared, type Tell } from "./wakes.ts"

export const open = Effect.fn("SqliteStore.open")(function* (filename: string, readonly: boolean) {
  yield* Effect.try({ try: () => prepareFile(filename, readonly), catch: (cause) => failure(filename, cause) })
  const attempt = afresh(readonly ? connectReader(filename) : connectBoth(filename))
  const scope = yield* Effect.scope
  const { reader, writer } = yield* alone(patiently(filename)(Scope.extend(attempt, scope)))
  return database(filename, reader, writer, yield* shared(watching(reader)))
})

interface Connections {
  readonly reader: SqlClient
  readonly writer?: SqlClient
}

/**
 * An attempt at opening keeps its connections only if it succeeds. A next attempt must not use them: the client keeps a
 * statement that could not be prepared because the file was locked, and gives its error again and again.
 */
const afresh = <A, E>(attempt: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E | SqlError, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (outer) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Scope.fork(outer, ExecutionStrategy.sequential), (inner) =>
        restore(attempt).pipe(
          Scope.extend(inner),
          // The client throws where a file cannot be opened, and its migrator dies.
          Effect.catchAllDefect((cause) => Effect.fail(new SqlError({ cause }))),
          Effect.onError((cause) => Scope.close(inner, Exit.failCause(cause)))
        )
      )
    )
  )

const database = (
  filename: string,
  reader: SqlClient,
  writer: SqlClient | undefined,
  wakes: Database["wakes"]
): Database => {
  const calm = patiently(filename)
  const gate = Effect.unsafeMakeSemaphore(1)
  const readOnly = new StoreError({ why: `${filename} was opened to be read only` })
  return {
    query: (read) => alone(calm(Effect.suspend(() => read(reader)))),
    snapshot: (read) => alone(calm(reader.withTransaction(Effect.suspend(() => read(reader))))),
    transact: (write) =>
      writer === undefined ? Effect.fail(readOnly) : alone(calm(gate.withPermits(1)(locked(writer, write(writer))))),
    purge: () =>
      writer === undefined ? Effect.fail(readOnly) : alone(calm(gate.withPermits(1)(emptyJournal(writer)))),
    // Whoever follows sees by the number that SQLite gives each state of the file, this process's own changes included.
    announce: () => Effect.void,
    wakes
  }
}

/**
 * Deleted bytes are overwritten in the file as they are deleted (`secure_delete`); older pages stand in the journal until
 * it is cut to nothing, which a reader that still needs them holds up.
 */
const emptyJournal = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.flatMap(sql.unsafe<{ readonly busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)"), ([answer]) =>
    answer?.busy === 0
      ? Effect.void
      : Effect.fail(new SqlError({ cause: { code: "SQLITE_BUSY", message: "the journal is being read" } }))
  )

const watching =
  (reader: SqlClient) =>
  (tell: Tell): Effect.Effect<never> => {
    let seen: number | undefined
    const look = Effect.map(alone(reader.unsafe<Versions>("PRAGMA data_version")), ([row]) => {
      if (row?.data_version !== seen) tell("")
      seen = row?.data_version
    })
    return Effect.forever(Effect.zipRight(Effect.ignore(look), Effect.sleep("40 millis")))
  }

interface Versions {
  readonly data_version: number
}

/**
 * One attempt at a transaction whose first statement takes the write lock: an update that matches nothing is a write.
 * Reading first and writing later would fail at once, whatever the patience, if another process wrote in between.
 */
const locked = <A, E>(sql: SqlClient, body: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
  transaction(
    sql,
    Effect.zipRight(sql`UPDATE logs SET seq = seq WHERE log = ''`, body),
    // A commit that failed may have left it open.
    sql.unsafe("ROLLBACK")
  )

/** Waits for other processes' locks, and turns what SQLite says into words. */
const patiently =
  (filename: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError> | StoreError, R> =>
    effect.pipe(
      Effect.retry({ while: isBusy, schedule: PATIENCE }),
      Effect.mapError((error) => (isSqlError(error) ? failure(filename, error) : (error as Exclude<E, SqlError>)))
    )

const PATIENCE = Schedule.exponential("1 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("40 millis")),
  Schedule.jittered,
  Schedule.upTo("30 seconds")
)

const connect = (filename: string, readonly: boolean): Effect.Effect<SqlClient, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    // WAL is set after the file is known to be ours. Statements are kept for a second, and so are their errors.
    const sql = yield* SqliteClient.make({ filename, readonly, disableWAL: true, prepareCacheTTL: "1 second" })
    yield* sql`PRAGMA busy_timeout = 0`
    return sql
  }).pipe(Effect.provide(Reactivity.layer))

const connectReader = (filename: string): Effect.Effect<Connections, SqlError | StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const reader = yield* connect(filename, true)
    yield* check(filename, reader, true)
    return { reader }
  })

/** Refuses what is not ours before anything is written; then settings, then the tables, then the reader. */
const connectBoth = (filename: string): Effect.Effect<Connections, SqlError | StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const writer = yield* connect(filename, false)
    const found = yield* check(filename, writer, false)
    yield* writer`PRAGMA journal_mode = WAL`
    yield* writer`PRAGMA synchronous = FULL`
    yield* writer`PRAGMA foreign_keys = ON`
    yield* writer`PRAGMA secure_delete = ON`
    if (found._tag !== "Ready") {
      // The first statement is a write here too; it also marks the file for `file(1)`.
      const mark = writer`PRAGMA application_id = 1346456649`
      const made = Effect.zipRight(mark, Migrations.migrate(writer))
      yield* Effect.catchTag(writer.withTransaction(made), "MigrationError", (cause) =>
        Effect.fail(new SqlError({ cause }))
      )
    }
    return { writer, reader: (yield* connectReader(filename)).reader }
  })

const check = (filename: string, sql: SqlClient, complete: boolean) =>
  Effect.flatMap(Migrations.state(sql), (state) => {
    const why = Migrations.complaint(state, complete)
    return why === undefined ? Effect.succeed(state) : Effect.fail(new StoreError({ why: `${filename}: ${why}` }))
  })

/** Makes the file readable by its owner alone; SQLite gives the files beside it the same mode. */
const prepareFile = (filename: string, readonly: boolean): void => {
  const found = fs.statSync(filename, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) throw new Error("it is a directory")
  if (found !== undefined) return
  if (readonly) throw new Error("there is no such file")
  fs.closeSync(fs.openSync(filename, "a", 0o600))
}

const isBusy = (error: unknown): boolean => isSqlError(error) && codeOf(error.cause).startsWith("SQLITE_BUSY")

const failure = (filename: string, error: unknown): StoreError => {
  const cause = isSqlError(error) ? error.cause : error
  const code = codeOf(cause)
  const text = cause instanceof Error ? cause.message : String(cause)
  const why = code.startsWith("SQLITE_BUSY")
    ? "another process has held its lock for 30 seconds"
    : code === "SQLITE_NOTADB"
      ? "it is not a database"
      : code === "" || text.includes(code)
        ? text
        : `${text} (${code})`
  return new StoreError({ why: `${filename}: ${why}`, cause })
}

/**
 * An open PostgreSQL database: a pool of connections. The database decides the order of everything: a writer locks the
 * rows that it reads in order to write, a key that another took first aborts the transaction, which is then run again on
 * what is committed now, and gives the answer that it must (a `Conflict` with the actual head).
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { StoreError } from "@palimpsest/ledger/EventStore"
import type { TreeId } from "@palimpsest/ledger/Ids"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { Database } from "../Database.ts"
import * as Migrations from "../Migrations.ts"
import { announcing, listening } from "./notify.ts"
import { PARTITIONS } from "./tablesPostgres.ts"
import { alone, codeOf, isSqlError, transaction } from "./transactions.ts"
import { shared } from "./wakes.ts"

export const open = Effect.fn("PostgresStore.open")(function* (given: Redacted.Redacted, connections: number) {
  const { name, url } = yield* Effect.try({
    try: () => addressOf(Redacted.value(given)),
    // What was given may hold a password, so it is not repeated.
    catch: () => new StoreError({ why: "the address of the database is not a URL postgres://USER@HOST:PORT/DATABASE" })
  })
  const calm = patiently(name)
  const client = yield* PgClient.make({
    url: Redacted.make(url),
    applicationName: "palimpsest",
    maxConnections: connections,
    connectTimeout: "10 seconds"
  }).pipe(Effect.provide(Reactivity.layer), calm)
  const write = <A, E>(body: Effect.Effect<A, E>) => alone(calm(transaction(client, body)))
  yield* prepare(name, client, write)
  const announcements = yield* Queue.sliding<string>(10_000)
  yield* Effect.forkScoped(announcing(client, announcements))
  const database: Database = {
    query: (read) => alone(calm(Effect.suspend(() => read(client)))),
    snapshot: (read) =>
      write(
        Effect.zipRight(
          client`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`,
          Effect.suspend(() => read(client))
        )
      ),
    transact: (body) => write(Effect.suspend(() => body(client))),
    purge: (tree) => alone(calm(vacuum(client, tree))),
    announce: (logs) => Effect.asVoid(announcements.offerAll(logs)),
    wakes: yield* shared(listening(url))
  }
  return database
})

/** The tables, made or checked; nothing is written to a database that is not ours. */
const prepare = (
  name: string,
  client: SqlClient,
  write: <A, E>(body: Effect.Effect<A, E>) => Effect.Effect<A, Exclude<E, SqlError> | StoreError>
) =>
  Effect.gen(function* () {
    const state = yield* patiently(name)(Migrations.state(client))
    const why = Migrations.complaint(state, false)
    if (why !== undefined) return yield* new StoreError({ why: `${name}: ${why}` })
    if (state._tag === "Ready") return
    const made = Effect.catchTag(Migrations.migrate(client), "MigrationError", (cause) =>
      Effect.fail(new SqlError({ cause: cause.cause ?? cause }))
    )
    yield* write(made)
  })

/**
 * Dead rows and their bytes are given back within the partition of the tree. The server's own log (WAL), its replicas and
 * its backups are its operator's: no statement reaches them.
 */
const vacuum = (client: SqlClient, tree: TreeId) =>
  Effect.gen(function* () {
    const found = yield* client<{ readonly part: number }>`
      SELECT part FROM generate_series(0, ${PARTITIONS - 1}::integer) AS part
      WHERE satisfies_hash_partition('bodies'::regclass, ${PARTITIONS}::integer, part, ${tree}::text)`
    for (const { part } of found) {
      yield* client`VACUUM ${client(`bodies_${part}`)}, ${client(`events_${part}`)}, ${client(`appends_${part}`)}`
    }
  })

/** The address with the settings that the store counts on, and how it is called in words: without who and how. */
const addressOf = (given: string): { readonly url: string; readonly name: string } => {
  const url = new URL(given)
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") throw new TypeError("another protocol")
  const settings = ["lock_timeout=30s", "default_transaction_isolation=read\\ committed"].map((one) => `-c ${one}`)
  url.searchParams.set("options", [...settings, url.searchParams.get("options") ?? ""].join(" ").trim())
  return { url: url.toString().replaceAll("+", "%20"), name: `${url.host}${url.pathname}` }
}

/** Runs again what lost against another transaction, and turns what PostgreSQL says into words. */
const patiently =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError> | StoreError, R> =>
    effect.pipe(
      Effect.retry({ while: isTaken, schedule: RACES }),
      Effect.retry({ while: isCrossed, schedule: PATIENCE }),
      Effect.mapError((error) => (isSqlError(error) ? failure(name, error) : (error as Exclude<E, SqlError>)))
    )

/** A key, or a table, that another transaction made first: a few times at most, as it stays taken where it is damage. */
const isTaken = (error: unknown): boolean => isSqlError(error) && TAKEN.has(codeOf(error.cause))

/** A deadlock, or a snapshot that has passed. */
const isCrossed = (error: unknown): boolean => isSqlError(error) && CROSSED.has(codeOf(error.cause))

const TAKEN: ReadonlySet<string> = new Set(["23505", "42P07", "42710"])
const CROSSED: ReadonlySet<string> = new Set(["40001", "40P01"])

const RACES = Schedule.spaced("2 millis").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(20)))
const PATIENCE = Schedule.exponential("1 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("40 millis")),
  Schedule.jittered,
  Schedule.upTo("30 seconds")
)

const failure = (name: string, { cause }: SqlError): StoreError => {
  const code = codeOf(cause)
  const text = cause instanceof Error ? cause.message : String(cause)
  const said = text === "" ? "it does not answer" : text
  const why =
    code === "55P03"
      ? "another transaction has held its lock for 30 seconds"
      : code === "" || said.includes(code)
        ? said
        : `${said} (${code})`
  return new StoreError({ why: `${name}: ${why}`, cause })
}

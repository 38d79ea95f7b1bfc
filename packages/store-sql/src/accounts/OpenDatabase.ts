/**
 * An open database of ours that has the tables of accounts. It may be open elsewhere too, as a store of events: two
 * connections to one file, or one server, are one database.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type { StoreError } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Database } from "../Database.ts"
import { open as openPostgres } from "../internal/postgres.ts"
import { open as openSqlite } from "../internal/sqlite.ts"
import * as Tables from "./Tables.ts"

/**
 * @since 0.1.0
 * @category tags
 */
export class OpenDatabase extends Context.Tag("@palimpsest/store-sql/OpenDatabase")<OpenDatabase, Database>() {}

/**
 * A SQLite file, made where it is not there.
 *
 * @since 0.1.0
 * @category layers
 */
export const sqlite = (filename: string): Layer.Layer<OpenDatabase, StoreError> =>
  Layer.scoped(OpenDatabase, Effect.tap(openSqlite(filename, false), prepare))

/**
 * A PostgreSQL database, by its address, with a pool of so many connections.
 *
 * @since 0.1.0
 * @category layers
 */
export const postgres = (url: Redacted.Redacted, connections = 10): Layer.Layer<OpenDatabase, StoreError> =>
  Layer.scoped(OpenDatabase, Effect.tap(openPostgres(url, connections), prepare))

const prepare = (database: Database): Effect.Effect<void, StoreError> => database.transact((sql) => Tables.make(sql))

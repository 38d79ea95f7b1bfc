import type { SqlClient } from "@effect/sql/SqlClient"
import type { StoreError } from "@palimpsest/ledger/EventStore"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Postgres from "./postgres/TemporarySchema.ts"
import * as Raw from "./Raw.ts"
import * as Sqlite from "./TemporaryStore.ts"

/** What the tests of both databases need of one. */
export interface DatabaseUnderTest {
  readonly name: "SQLite" | "PostgreSQL"
  /** The address of an empty database that lives as long as the scope. */
  readonly temporary: Effect.Effect<string, unknown, Scope.Scope>
  readonly storeAt: (address: string) => Layer.Layer<Sqlite.Services, StoreError>
  readonly byHand: <A, E>(address: string, work: (sql: SqlClient) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>
}

export const databases: ReadonlyArray<DatabaseUnderTest> = [
  { name: "SQLite", temporary: Sqlite.temporaryFile, storeAt: Sqlite.storeAt, byHand: Raw.byHand },
  { name: "PostgreSQL", temporary: Postgres.temporarySchema, storeAt: Postgres.storeAt, byHand: Postgres.byHand }
]

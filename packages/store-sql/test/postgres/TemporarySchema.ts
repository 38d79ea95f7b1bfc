import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { StoreError } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { hash } from "../../src/NodeHasher.ts"
import * as PostgresStore from "../../src/PostgresStore.ts"
import type { Services } from "../TemporaryStore.ts"

/** A hand at the database that knows nothing of this package: one connection, no checks. */
export const byHand = <A, E>(
  url: string,
  work: (sql: SqlClient) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  Effect.scoped(Effect.flatMap(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), work)).pipe(
    Effect.provide(Reactivity.layer)
  )

/** The address of a schema of its own, which lives as long as the scope. */
export const schemaOn = (cluster: string): Effect.Effect<string, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const name = `test_${randomBytes(6).toString("hex")}`
    yield* Effect.acquireRelease(
      byHand(cluster, (sql) => sql`CREATE SCHEMA ${sql(name)}`),
      () => Effect.ignore(byHand(cluster, (sql) => sql`DROP SCHEMA ${sql(name)} CASCADE`))
    )
    return `${cluster}?options=-c%20search_path%3D${name}`
  })

export const temporarySchema: Effect.Effect<string, SqlError, Scope.Scope> = Effect.suspend(() =>
  schemaOn(inject("postgres"))
)

export const storeAt = (url: string): Layer.Layer<Services, StoreError> => PostgresStore.layer({ url, hash })

export const temporaryStore = (): Layer.Layer<Services, StoreError | SqlError> =>
  Layer.unwrapScoped(Effect.map(temporarySchema, storeAt))

import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** A hand at the file that knows nothing of this package: one connection, no checks. */
export const byHand = <A, E>(filename: string, work: (sql: SqlClient) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.scoped(Effect.flatMap(SqliteClient.make({ filename, disableWAL: true }), work)).pipe(
    Effect.provide(Reactivity.layer)
  )

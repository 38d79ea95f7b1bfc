/** What both drivers do around a transaction of the client. */
import { TransactionConnection, type SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Out of any transaction of the caller's. The client looks for an open transaction under one tag, whatever database it
 * is of: inside a caller's own transaction, on another database, our statements would be sent there.
 */
export const alone = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.mapInputContext(effect, (context: Context.Context<never>) => Context.omit(TransactionConnection)(context))

/**
 * A transaction of the client. A commit that fails is a defect of the client, and so is a rollback (which the database has
 * done by itself where the disk is full, or the connection is gone): here both are errors, and the first one counts.
 */
export const transaction = <A, E>(
  sql: SqlClient,
  body: Effect.Effect<A, E>,
  afterwards: Effect.Effect<unknown, unknown> = Effect.void
): Effect.Effect<A, E | SqlError> =>
  Effect.suspend(() => {
    let first: SqlError | undefined
    const noted = Effect.tapError(body, (error) =>
      Effect.sync(() => {
        if (isSqlError(error)) first ??= error
      })
    )
    return Effect.catchSomeDefect(sql.withTransaction(noted), (defect) =>
      defect instanceof SqlError
        ? Option.some(Effect.zipRight(Effect.ignore(afterwards), Effect.fail(first ?? defect)))
        : Option.none()
    )
  })

export const isSqlError = (error: unknown): error is SqlError => error instanceof SqlError

/** The code that a driver gives its error, or nothing. */
export const codeOf = (cause: unknown): string => {
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : ""
}

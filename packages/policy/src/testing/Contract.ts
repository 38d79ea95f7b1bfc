/**
 * A contract: what any implementation of a port must do, as checks without a test runner. A check fails with a
 * `Violation`.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/**
 * One thing that an implementation must do. Each is to be run once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Check<R> {
  readonly name: string
  readonly check: Effect.Effect<void, unknown, R>
}

/**
 * What an implementation did against its contract.
 *
 * @since 0.1.0
 * @category errors
 */
export class Violation extends Data.TaggedError("Violation")<{ readonly why: string }> {
  override get message(): string {
    return this.why
  }
}

/**
 * Fails unless the condition holds.
 *
 * @since 0.1.0
 * @category checking
 */
export const hold = (condition: boolean, why: string): Effect.Effect<void, Violation> =>
  condition ? Effect.void : Effect.fail(new Violation({ why }))

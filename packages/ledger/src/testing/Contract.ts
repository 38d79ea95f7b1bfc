/**
 * A contract: what any implementation of a port must do, as checks without a test runner. A check fails with a
 * `Violation`, or with whatever error the implementation should not have given.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

/**
 * One thing that an implementation must do. Checks of one contract use names of their own, so they may share a store that
 * began empty; each is to be run once on it.
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

/**
 * Fails unless both are the same value, as JSON tells it.
 *
 * @since 0.1.0
 * @category checking
 */
export const equal = (actual: unknown, expected: unknown, what: string): Effect.Effect<void, Violation> => {
  const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  return hold(given === wanted, `${what}: ${given}, not ${wanted}`)
}

/**
 * The error with a tag that an effect must fail with.
 *
 * @since 0.1.0
 * @category checking
 */
export const failing = <A, E extends { readonly _tag: string }, R, T extends E["_tag"]>(
  effect: Effect.Effect<A, E, R>,
  tag: T,
  what: string
): Effect.Effect<Extract<E, { readonly _tag: T }>, Violation, R> =>
  Effect.flatMap(Effect.either(effect), (answer) => {
    const isIt = (error: E): error is Extract<E, { readonly _tag: T }> => error._tag === tag
    if (Either.isLeft(answer) && isIt(answer.left)) return Effect.succeed(answer.left)
    const was = Either.isLeft(answer) ? answer.left._tag : "a success"
    return Effect.fail(new Violation({ why: `${what}: expected ${tag}, got ${was}` }))
  })

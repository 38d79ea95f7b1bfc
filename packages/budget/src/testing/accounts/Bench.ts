/** What the checks of accounts share: an account of their own, names, holds, and what must come out. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Accounts, type AccountsError } from "../../Accounts.ts"
import type { Axis } from "../../Axis.ts"
import type { Hold } from "../../Hold.ts"
import { AccountId, ReservationId, RunId } from "../../Ids.ts"
import type { Limits } from "../../Limits.ts"
import * as Measure from "../../Measure.ts"
import { on } from "../../Reading.ts"
import { standard, type Rules } from "../../Rules.ts"
import * as Spend from "../../Spend.ts"
import { hold as must, Violation, type Check } from "../Contract.ts"

export interface Bench {
  readonly accounts: Accounts["Type"]
  readonly id: AccountId
  readonly root: RunId
  readonly open: (limits: Limits, rules?: Rules) => Effect.Effect<unknown, AccountsError>
  /** What is charged, and what is reserved, of an axis in a scope. */
  readonly sums: (
    axis: Axis,
    scope?: RunId
  ) => Effect.Effect<readonly [charged: number, reserved: number], AccountsError | Violation>
}

export const bench =
  (seed: number) =>
  (name: string, run: (bench: Bench) => Effect.Effect<unknown, unknown, Accounts>): Check<Accounts> => ({
    name,
    check: Effect.flatMap(Accounts, (accounts) => {
      const id = AccountId.make(`${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 150)}-${seed}`)
      const root = RunId.make("root")
      return Effect.asVoid(
        run({
          accounts,
          id,
          root,
          open: (limits, rules = standard) => accounts.open(id, { root, limits, rules }),
          sums: (axis, scope) =>
            Effect.flatMap(accounts.reading(id, { run: scope ?? root }), (reading) => {
              const found = on(reading, axis, scope ?? root)
              return found === undefined
                ? Effect.fail(new Violation({ why: `no reading of ${axis}` }))
                : Effect.succeed([found.charged, found.reserved] as const)
            })
        })
      )
    })
  })

export const held = (tokens: number, micros?: number): Hold => ({
  tokens,
  ...(micros === undefined ? {} : { micros }),
  overshoot: { tokens: 0, micros: 0 }
})

export const spent = (tokens: number): Spend.Spend => Spend.make(Measure.measured(tokens), Measure.measured(0))

export const call = (n: number | string): ReservationId => ReservationId.make(`call-${n}`)

export const child = (n: number | string): RunId => RunId.make(`child-${n}`)

/** The error that an effect must fail with. */
export const refused = <A, T extends AccountsError["_tag"]>(
  effect: Effect.Effect<A, AccountsError>,
  tag: T,
  what: string
): Effect.Effect<Extract<AccountsError, { readonly _tag: T }>, Violation> =>
  Effect.flatMap(Effect.either(effect), (answer) => {
    if (Either.isLeft(answer) && isOf(answer.left, tag)) return Effect.succeed(answer.left)
    return Effect.fail(
      new Violation({
        why: `${what}: expected ${tag}, got ${Either.merge(Either.mapBoth(answer, { onLeft: ({ _tag }) => _tag, onRight: () => "an answer" }))}`
      })
    )
  })

export const same = (actual: unknown, expected: unknown, what: string): Effect.Effect<void, Violation> => {
  const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  return must(given === wanted, `${what}: ${given}, not ${wanted}`)
}

/** The same draws for the same seed: a linear congruence, which is all that is needed to mix what happens. */
export const draws = (seed: number): ((below: number) => number) => {
  let state = (seed * 2_654_435_761) % 4_294_967_296
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const isOf = <T extends AccountsError["_tag"]>(
  error: AccountsError,
  tag: T
): error is Extract<AccountsError, { readonly _tag: T }> => error._tag === tag

/**
 * Holds: what a call in flight may cost, worked out before it is made.
 *
 * ```
 * tokens = bound of the input + cap of the output
 * micros = the input at the dearest rate that it can meet + the cap of the output
 * what the call may exceed that by is declared beside it: the overshoot, which is not held
 * ```
 *
 * Laws kept here: 10 (what a limit can be passed by is declared), 11 (no tariff is no price, not a price of 0), 14.
 * Source: DESIGN section 6, mending LE-W5.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { BudgetInfeasible } from "./BudgetInfeasible.ts"
import { PLAUSIBLE } from "./Spend.ts"
import { dearest, type Tariff } from "./Tariff.ts"

const amount = Schema.Int.pipe(Schema.between(0, PLAUSIBLE))

/**
 * `tokens` and `micros` are held; `micros` is absent where there is no tariff. `overshoot` is what the actual may exceed
 * them by. `contextBytes` is the size of the request, where known.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Hold = Schema.Struct({
  tokens: amount,
  micros: Schema.optionalWith(amount, { exact: true }),
  contextBytes: Schema.optionalWith(amount, { exact: true }),
  overshoot: Schema.Struct({ tokens: amount, micros: amount }).annotations({
    parseOptions: { onExcessProperty: "error" }
  })
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Hold = typeof Hold.Type

/**
 * What a hold is made from. Tokens: `inputBound` (a calibrated estimate and its margin, or a bound that is proven),
 * `outputCap` of the call (else of the model), `overshoot` that either may be exceeded by (0 for proven ones).
 *
 * @since 0.1.0
 * @category models
 */
export interface Contents {
  readonly inputBound: number
  readonly outputCap: number
  readonly overshoot?: number
  readonly tariff?: Tariff
  readonly contextBytes?: number
}

/**
 * A hold, or the number that is none. An output cap of 0 is no cap that a provider takes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (contents: Contents): Either.Either<Hold, BudgetInfeasible> => {
  const { contextBytes, inputBound, outputCap, overshoot = 0, tariff } = contents
  const numbers = { inputBound, outputCap, overshoot, contextBytes: contextBytes ?? 0 }
  for (const [field, actual] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(actual) || actual < 0 || actual > PLAUSIBLE / 4) return infeasible(field, actual)
  }
  if (outputCap === 0) return infeasible("outputCap", outputCap, "at least 1")
  const micros = tariff === undefined ? undefined : dearest(tariff, { input: inputBound, output: outputCap })
  const beyond =
    tariff === undefined
      ? 0
      : dearest(tariff, { input: inputBound + overshoot, output: outputCap + overshoot }) - (micros ?? 0)
  if ((micros ?? 0) > PLAUSIBLE || beyond > PLAUSIBLE) return infeasible("tariff", micros ?? 0)
  return Either.right({
    tokens: inputBound + outputCap,
    ...(micros === undefined ? {} : { micros }),
    ...(contextBytes === undefined ? {} : { contextBytes }),
    overshoot: { tokens: overshoot, micros: beyond }
  })
}

const infeasible = (
  field: string,
  actual: number,
  expected = "a whole number, not negative, that a call can have"
): Either.Either<never, BudgetInfeasible> => Either.left(new BudgetInfeasible({ field, expected, actual }))

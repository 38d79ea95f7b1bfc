/**
 * Tariffs: what a model's tokens cost in money, in whole micros (millionths of the currency), never in fractions.
 *
 * A rate is micros for a million tokens: three dollars for a million tokens is 3,000,000. Some models have another set of
 * rates for requests above a size; a request is billed whole by the set that its input falls under. Every amount is
 * rounded up to a whole micro, once.
 *
 * Laws kept here: 7 (integer arithmetic), 10 (a bound is at the dearest rate that it can meet), 11, 14.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Measure from "./Measure.ts"
import { inputTokens, outputTokens, type Usage } from "./Usage.ts"

const Rate = Schema.Int.pipe(Schema.between(0, 1_000_000_000_000))

/**
 * Micros for a million tokens. `longWrite` is the rate of a cache write with a longer time to live, where it differs.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Rates = Schema.Struct({
  uncached: Rate,
  cacheRead: Rate,
  cacheWrite: Rate,
  longWrite: Schema.optionalWith(Rate, { exact: true }),
  output: Rate
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Rates = typeof Rates.Type

/**
 * The rates of a model, and those of requests whose input is above so many tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Tariff = Schema.Struct({
  rates: Rates,
  above: Schema.Array(
    Schema.Struct({ inputTokens: Schema.NonNegativeInt, rates: Rates }).annotations({
      parseOptions: { onExcessProperty: "error" }
    })
  )
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Tariff = typeof Tariff.Type

/**
 * The most that a request can cost whose input and output are within these bounds: every input token at the dearest rate
 * of input, every set of rates that the bound reaches. Source: DESIGN section 6.
 *
 * @since 0.1.0
 * @category costs
 */
export const dearest = (
  tariff: Tariff,
  { input, output }: { readonly input: number; readonly output: number }
): number =>
  Math.max(
    ...[tariff.rates, ...tariff.above.filter((tier) => input > tier.inputTokens).map(({ rates }) => rates)].map(
      (rates) =>
        micros(
          [input, Math.max(rates.uncached, rates.cacheRead, rates.cacheWrite, rates.longWrite ?? 0)],
          [output, rates.output]
        )
    )
  )

/**
 * What a request cost. Unmeasured where a part is. `longWrite` is how many of the written tokens have the longer time to
 * live; where that is not known, all are taken to, at whichever rate is the dearer.
 *
 * @since 0.1.0
 * @category costs
 */
export const cost = (tariff: Tariff, usage: Usage, longWrite?: Measure.Measure): Measure.Measure =>
  Measure.match(inputTokens(usage), {
    measured: (input) => {
      const rates = ratesFor(tariff, input)
      const long = rates.longWrite ?? rates.cacheWrite
      const { cacheRead, cacheWrite, uncached } = usage
      const output = outputTokens(usage)
      if (
        !Measure.isMeasured(uncached) ||
        !Measure.isMeasured(cacheRead) ||
        !Measure.isMeasured(cacheWrite) ||
        !Measure.isMeasured(output)
      ) {
        return Measure.isMeasured(output) ? Measure.unmeasured("a part of the input was not measured") : output
      }
      const longer = longWrite === undefined || !Measure.isMeasured(longWrite) ? undefined : longWrite.n
      const written: ReadonlyArray<readonly [number, number]> =
        longer === undefined
          ? [[cacheWrite.n, Math.max(long, rates.cacheWrite)]]
          : [
              [Math.min(longer, cacheWrite.n), long],
              [Math.max(0, cacheWrite.n - longer), rates.cacheWrite]
            ]
      return Measure.measured(
        micros([uncached.n, rates.uncached], [cacheRead.n, rates.cacheRead], [output.n, rates.output], ...written)
      )
    },
    unmeasured: Measure.unmeasured
  })

const ratesFor = (tariff: Tariff, input: number): Rates =>
  tariff.above
    .filter((tier) => input > tier.inputTokens)
    .reduce((best, tier) => (tier.inputTokens >= best.inputTokens ? tier : best), {
      inputTokens: -1,
      rates: tariff.rates
    }).rates

/** The exact sum of tokens x rate / 1,000,000, rounded up. */
const micros = (...parts: ReadonlyArray<readonly [tokens: number, rate: number]>): number => {
  const sum = parts.reduce((total, [tokens, rate]) => total + BigInt(tokens) * BigInt(rate), 0n)
  return Number((sum + 999_999n) / 1_000_000n)
}

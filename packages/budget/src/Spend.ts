/**
 * Spend: what one attempt at a call turned out to cost, on the axes that calls spend.
 *
 * Every attempt is one, the failed and the superseded as well: it was billed. What was not measured stays so, with a floor
 * where something is known.
 *
 * Laws kept here: 10, 11, 14. Source: LE-09, LE-10; field report B88.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Measure from "./Measure.ts"
import { cost, type Tariff } from "./Tariff.ts"
import type { Counted } from "./UsageShape.ts"

/**
 * `tokens` in and out; `micros` of the currency; `atLeast` how many of each at the least, where unmeasured.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Spend = Schema.Struct({
  tokens: Measure.Measure,
  micros: Measure.Measure,
  atLeast: Schema.Struct({ tokens: Schema.NonNegativeInt, micros: Schema.NonNegativeInt }).annotations({
    parseOptions: { onExcessProperty: "error" }
  })
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Spend = typeof Spend.Type

/**
 * More than any one call has ever cost, in tokens or micros: a report above it is taken for a fault of the report.
 *
 * @since 0.1.0
 * @category constants
 */
export const PLAUSIBLE = 1_000_000_000_000

/**
 * What a usage report comes to, in money too where there is a tariff.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = (counted: Counted, tariff?: Tariff, longWrite?: Measure.Measure): Spend =>
  make(
    counted.total,
    tariff === undefined ? Measure.unmeasured("no tariff") : cost(tariff, counted.usage, longWrite),
    counted.atLeast
  )

/**
 * From measures. Counts that are not plausible are unmeasured.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (tokens: Measure.Measure, micros: Measure.Measure, atLeastTokens = 0): Spend => {
  const [t, m] = [plausible(tokens), plausible(micros)]
  return {
    tokens: t,
    micros: m,
    atLeast: { tokens: floorOf(t, atLeastTokens), micros: floorOf(m, 0) }
  }
}

/**
 * A call that said nothing of what it cost, and why.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unknown = (why: string): Spend => make(Measure.unmeasured(why), Measure.unmeasured(why))

const plausible = (measure: Measure.Measure): Measure.Measure =>
  Measure.isMeasured(measure) && measure.n > PLAUSIBLE
    ? Measure.unmeasured(`${measure.n} is more than any call has cost`)
    : measure

const floorOf = (measure: Measure.Measure, atLeast: number): number =>
  Measure.match(measure, {
    measured: (n) => n,
    unmeasured: () => (Number.isSafeInteger(atLeast) && atLeast > 0 && atLeast <= PLAUSIBLE ? atLeast : 0)
  })

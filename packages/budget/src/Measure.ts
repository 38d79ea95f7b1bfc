/**
 * Measures: a count that was taken, or the reason why there is none.
 *
 * Nothing here turns the second into a number: there is no default, no coalescing, no conversion. Whoever needs a number
 * must say, with `match`, what it does without one (refuse, or charge an estimate).
 *
 * Laws kept here: 11 (measured is not zero), 14 (strict).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * A count of tokens, bytes, calls or milliseconds: what holds it says which.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Measured = Schema.TaggedStruct("Measured", { n: Schema.NonNegativeInt }).annotations({
  parseOptions: { onExcessProperty: "error" }
})

/**
 * No count, and why, in words for a person.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Unmeasured = Schema.TaggedStruct("Unmeasured", { why: Schema.NonEmptyString }).annotations({
  parseOptions: { onExcessProperty: "error" }
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const Measure = Schema.Union(Measured, Unmeasured)

/**
 * @since 0.1.0
 * @category models
 */
export type Measure = typeof Measure.Type

/**
 * A count that was taken. What is no count (negative, fractional, not finite, beyond the safe integers) is unmeasured.
 *
 * @since 0.1.0
 * @category constructors
 */
export const measured = (n: number): Measure =>
  Number.isSafeInteger(n) && n >= 0 ? { _tag: "Measured", n } : unmeasured(`${n} is no count`)

/**
 * No count, and why.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unmeasured = (why: string): Measure => ({ _tag: "Unmeasured", why })

/**
 * @since 0.1.0
 * @category predicates
 */
export const isMeasured = (measure: Measure): measure is typeof Measured.Type => measure._tag === "Measured"

/**
 * The one way out: what to do with a count, and what to do without one.
 *
 * @since 0.1.0
 * @category matching
 */
export const match = <A, B>(
  measure: Measure,
  cases: { readonly measured: (n: number) => A; readonly unmeasured: (why: string) => B }
): A | B => (isMeasured(measure) ? cases.measured(measure.n) : cases.unmeasured(measure.why))

/**
 * The sum. Unmeasured where either is, with the first reason. Source: law 11.
 *
 * @since 0.1.0
 * @category combining
 */
export const add = (self: Measure, that: Measure): Measure => both(self, that, (a, b) => a + b)

/**
 * The difference. Unmeasured where either is, or where more would be taken away than there is.
 *
 * @since 0.1.0
 * @category combining
 */
export const subtract = (self: Measure, that: Measure): Measure => both(self, that, (a, b) => a - b)

/**
 * The sum of all. Of none it is a measured 0.
 *
 * @since 0.1.0
 * @category combining
 */
export const sum = (measures: Iterable<Measure>): Measure => {
  let total = measured(0)
  for (const measure of measures) total = add(total, measure)
  return total
}

const both = (self: Measure, that: Measure, f: (a: number, b: number) => number): Measure => {
  if (!isMeasured(self)) return self
  if (!isMeasured(that)) return that
  return measured(f(self.n, that.n))
}

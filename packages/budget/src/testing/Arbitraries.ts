/**
 * Hand-written generators. Sizes crowd around the constants of this package, and reach the largest safe integer.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { ContextBudget } from "../ContextBudget.ts"
import type { Bounds } from "../Line.ts"
import * as Measure from "../Measure.ts"
import type { Usage } from "../Usage.ts"

/**
 * Counts of tokens.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const tokens: FastCheck.Arbitrary<number> = FastCheck.oneof(
  FastCheck.nat(100),
  FastCheck.nat(100_000),
  FastCheck.constantFrom(0, 1, 1_999, 2_000, 2_001, 24_000, 50_000, Number.MAX_SAFE_INTEGER),
  FastCheck.maxSafeNat()
)

/**
 * Any number at all: counts, fractions, negatives, NaN and the infinities.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const anyNumber: FastCheck.Arbitrary<number> = FastCheck.oneof(
  tokens,
  FastCheck.integer({ min: -100_000, max: -1 }),
  FastCheck.double(),
  FastCheck.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 0.5)
)

/**
 * Basis points of a share.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const basisPoints: FastCheck.Arbitrary<number> = FastCheck.integer({ min: 1, max: 10_000 })

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const contextBudget: FastCheck.Arbitrary<ContextBudget> = FastCheck.record({ maxTokens: tokens, basisPoints })

/**
 * Bounds of a request, some of them known, feasible or not.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const bounds: FastCheck.Arbitrary<Bounds> = FastCheck.record(
  {
    explicit: tokens,
    window: FastCheck.record({ size: tokens, reserve: tokens }),
    left: FastCheck.record({ tokens: anyNumber, basisPoints })
  },
  { requiredKeys: [] }
)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const measure: FastCheck.Arbitrary<Measure.Measure> = FastCheck.oneof(
  { weight: 3, arbitrary: FastCheck.nat(1_000_000).map(Measure.measured) },
  { weight: 1, arbitrary: FastCheck.constantFrom("not reported", "malformed").map(Measure.unmeasured) }
)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const usage: FastCheck.Arbitrary<Usage> = FastCheck.record({
  uncached: measure,
  cacheRead: measure,
  cacheWrite: measure,
  output: measure,
  reasoning: measure
})

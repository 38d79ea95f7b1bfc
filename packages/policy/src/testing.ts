/**
 * The law kit of this package: laws as values, the generators that they draw from, and what runs their mutants.
 *
 * @since 0.1.0
 */
import type { Implementation } from "./testing/Implementation.ts"
import type { Law } from "./testing/Law.ts"
import * as Narrowing from "./testing/Narrowing.ts"
import * as Strictness from "./testing/Strictness.ts"

export * as Arbitraries from "./testing/Arbitraries.ts"
export * as Implementation from "./testing/Implementation.ts"
export * as Law from "./testing/Law.ts"

/**
 * Every law of this package, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  Narrowing.containment,
  Narrowing.merging,
  Strictness.refusal,
  Strictness.roundTrip
]

/**
 * The law kit of this package: laws as values, the generators that they draw from, what runs their mutants, and contracts
 * that any implementation of a port can run.
 *
 * @since 0.1.0
 */
import * as AccountStrictness from "./testing/AccountStrictness.ts"
import type { AccountImplementation } from "./testing/AccountImplementation.ts"
import * as Bounded from "./testing/Bounded.ts"
import * as Charging from "./testing/Charging.ts"
import * as Clocks from "./testing/Clocks.ts"
import type { Implementation } from "./testing/Implementation.ts"
import type { Law } from "./testing/Law.ts"
import * as NarrowingLimits from "./testing/NarrowingLimits.ts"
import * as Strictness from "./testing/Strictness.ts"
import * as Unmeasured from "./testing/Unmeasured.ts"
import * as WithinLimits from "./testing/WithinLimits.ts"

export * as AccountImplementation from "./testing/AccountImplementation.ts"
export * as AccountsContract from "./testing/AccountsContract.ts"
export * as Arbitraries from "./testing/Arbitraries.ts"
export * as Contract from "./testing/Contract.ts"
export * as Implementation from "./testing/Implementation.ts"
export * as Law from "./testing/Law.ts"
export * as Script from "./testing/account/Script.ts"
export * as Simulation from "./testing/account/Simulation.ts"
export * as TokenEstimatorContract from "./testing/TokenEstimatorContract.ts"

/**
 * Every law of this package, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  Bounded.effective,
  Bounded.ceiling,
  Bounded.window,
  Unmeasured.absorbing,
  Unmeasured.reported,
  Strictness.refusal
]

/**
 * Every law of accounts, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const accountLaws: ReadonlyArray<Law<AccountImplementation>> = [
  WithinLimits.limits,
  WithinLimits.derived,
  Clocks.clocks,
  Charging.charging,
  NarrowingLimits.narrowing,
  AccountStrictness.strictness
]

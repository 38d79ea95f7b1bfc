/**
 * The law kit of this package: laws as values, the generators that they draw from, and contracts that any implementation
 * of a port can run. Imports no test runner.
 *
 * @since 0.1.0
 */
import * as AppendOnly from "./testing/AppendOnly.ts"
import * as Chained from "./testing/Chained.ts"
import * as Deterministic from "./testing/Deterministic.ts"
import type { Implementation } from "./testing/Implementation.ts"
import type { Law } from "./testing/Law.ts"
import * as Strict from "./testing/Strict.ts"
import * as Whole from "./testing/Whole.ts"

export * as Arbitraries from "./testing/Arbitraries.ts"
export * as BodyStoreContract from "./testing/BodyStoreContract.ts"
export * as Chained from "./testing/Chained.ts"
export * as Contract from "./testing/Contract.ts"
export * as EventStoreContract from "./testing/EventStoreContract.ts"
export * as FactArbitraries from "./testing/FactArbitraries.ts"
export * as Implementation from "./testing/Implementation.ts"
export * as Law from "./testing/Law.ts"

/**
 * Every law of this package, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  AppendOnly.appendOnly,
  Whole.bodies,
  Whole.places,
  Whole.steps,
  Chained.chained,
  Deterministic.deterministic,
  Deterministic.canonical,
  Strict.kinds,
  Strict.facts,
  Strict.events
]

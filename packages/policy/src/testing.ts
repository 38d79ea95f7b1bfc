/**
 * The law kit of this package: laws as values, the generators that they draw from, what runs their mutants, and the
 * contract that any approver can run. Imports no test runner.
 *
 * @since 0.1.0
 */
import * as Approving from "./testing/Approving.ts"
import type { Implementation } from "./testing/Implementation.ts"
import type { Law } from "./testing/Law.ts"
import * as Layers from "./testing/Layers.ts"
import * as Matching from "./testing/Matching.ts"
import * as Narrowing from "./testing/Narrowing.ts"
import * as Strictness from "./testing/Strictness.ts"

export * as ApproverContract from "./testing/ApproverContract.ts"
export * as Arbitraries from "./testing/Arbitraries.ts"
export * as Contract from "./testing/Contract.ts"
export * as Implementation from "./testing/Implementation.ts"
export * as Law from "./testing/Law.ts"
export * as Model from "./testing/Model.ts"

/**
 * Every law of this package, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  Matching.aliases,
  Approving.answering,
  Approving.remembering,
  Approving.telling,
  Layers.denying,
  Layers.adding,
  Layers.restricting,
  Narrowing.containment,
  Narrowing.merging,
  Matching.matching,
  Matching.explaining,
  Strictness.refusal,
  Strictness.roundTrip
]

/**
 * The law kit of this package: laws of the whole turn as values, the scripts that they draw from, and the contracts of its
 * ports, which any implementation can run. Imports no test runner:
 *
 *     for (const law of laws) it(law.name, () => FastCheck.assert(law.property(Implementation.ours)))
 *     for (const { check, name } of WorkspaceContract.checks) it.effect(name, () => Effect.provide(check, layer))
 *
 * @since 0.1.0
 */
import type { Law } from "@palimpsest/ledger/testing/Law"
import * as Gating from "./testing/Gating.ts"
import type { Implementation } from "./testing/Implementation.ts"
import * as Rerendered from "./testing/Rerendered.ts"
import * as Whole from "./testing/Whole.ts"

export * as Implementation from "./testing/Implementation.ts"
export * as Script from "./testing/Script.ts"
export * as WorkspaceContract from "./testing/WorkspaceContract.ts"

/**
 * Every law of this package, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  Whole.recalled,
  Whole.exported,
  Rerendered.rerendered,
  Gating.recalling,
  Gating.refreshing
]

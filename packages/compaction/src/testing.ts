/**
 * The law kit of this package: laws as values, the scripts that they draw from, the simulation that plays them, and what
 * runs their mutants. Imports no test runner.
 *
 * @since 0.1.0
 */
import * as Accounted from "./testing/Accounted.ts"
import * as Addressed from "./testing/Addressed.ts"
import * as AppendOnly from "./testing/AppendOnly.ts"
import * as Bounded from "./testing/Bounded.ts"
import * as Deterministic from "./testing/Deterministic.ts"
import type { Implementation } from "./testing/Implementation.ts"
import type { Law } from "./testing/Law.ts"
import * as Paired from "./testing/Paired.ts"
import * as Stable from "./testing/Stable.ts"
import * as Untrusted from "./testing/Untrusted.ts"

export * as Bounded from "./testing/Bounded.ts"
export * as Implementation from "./testing/Implementation.ts"
export { deterministicBy } from "./testing/Deterministic.ts"
export { laws as leavingLaws } from "./testing/Leaving.ts"
export * as Law from "./testing/Law.ts"
export * as NoteKeeping from "./testing/NoteKeeping.ts"
export * as Ordered from "./testing/Ordered.ts"
export { noteLaws } from "./testing/NoteLaws.ts"
export * as Pairing from "./testing/Pairing.ts"
export { laws as orderLaws } from "./testing/Pinned.ts"
export * as Rendered from "./testing/Rendered.ts"
export * as Script from "./testing/Script.ts"
export * as Simulation from "./testing/Simulation.ts"
export * as SummarizerContract from "./testing/SummarizerContract.ts"
export * as Words from "./testing/Words.ts"

/**
 * Every law of the transcript's side of this package, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  AppendOnly.appendOnly,
  Addressed.addressed,
  Bounded.bounded,
  Stable.prefix,
  Stable.schedule,
  Deterministic.deterministic,
  Paired.paired,
  Accounted.accounted,
  Untrusted.untrusted
]

/**
 * A law as a value: something that any implementation must satisfy, with wrong ones that it is known to tell apart. Imports
 * no test runner: hand `property` to `FastCheck.assert`, or `FastCheck.check`.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"

/**
 * @since 0.1.0
 * @category models
 */
export interface Law<Implementation> {
  /** The number in the project's list of laws. */
  readonly number: number
  readonly name: string
  readonly property: (implementation: Implementation) => FastCheck.IRawProperty<unknown, false>
  readonly mutants: ReadonlyArray<Mutant<Implementation>>
}

/**
 * A wrong implementation, named after what is wrong with it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Mutant<Implementation> {
  readonly name: string
  readonly implementation: Implementation
}

/**
 * The names of the mutants that a law does not catch: none, where the law is worth its name.
 *
 * @since 0.1.0
 * @category running
 */
export const survivors = <Implementation>(
  law: Pick<Law<Implementation>, "property" | "mutants">,
  parameters: { readonly numRuns: number; readonly seed: number }
): ReadonlyArray<string> =>
  law.mutants
    .filter(
      ({ implementation }) =>
        !FastCheck.check(law.property(implementation), { ...parameters, endOnFailure: true }).failed
    )
    .map(({ name }) => name)

/**
 * Law 13, of limits: a child's only narrow its parent's.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { ORDER } from "../Axis.ts"
import type { Limits } from "../Limits.ts"
import { ours, type AccountImplementation } from "./AccountImplementation.ts"
import type { Law } from "./Law.ts"

/**
 * Limits of any kind.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const limits: FastCheck.Arbitrary<Limits> = FastCheck.dictionary(
  FastCheck.constantFrom(...ORDER),
  FastCheck.integer({ min: 1, max: 1_000 })
)

/**
 * @since 0.1.0
 * @category laws
 */
export const narrowing: Law<AccountImplementation> = {
  number: 13,
  name: "no limit of a child is above its parent's, none is loosened, none is made up",
  property: ({ narrow }) =>
    FastCheck.property(limits, limits, (above, asked) => {
      const given = narrow(above, asked)
      return ORDER.every((axis) => {
        const [over, want, got] = [above[axis], asked[axis], given[axis]]
        if (want === undefined || got === undefined) return want === got
        return got <= want && got <= (over ?? Infinity) && (got === want || got === over)
      })
    }),
  mutants: [
    { name: "a child gets what it asks for", implementation: { ...ours, narrow: (_, asked) => asked } },
    { name: "a child gets what its parent has", implementation: { ...ours, narrow: (above) => above } },
    {
      name: "the looser of the two",
      implementation: {
        ...ours,
        narrow: (above, asked) =>
          Object.fromEntries(
            ORDER.flatMap((axis) => {
              const want = asked[axis]
              return want === undefined ? [] : [[axis, Math.max(want, above[axis] ?? want)]]
            })
          )
      }
    }
  ]
}

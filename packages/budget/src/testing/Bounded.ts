/**
 * Law 5: no number of this package lets a request exceed its ceiling, and what cannot fit is a typed refusal.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const effective: Law<Implementation> = {
  number: 5,
  name: "the effective tokens are a count, never above the explicit ceiling, and never fall as more is left",
  property: ({ effectiveTokens }) =>
    FastCheck.property(Arbitraries.contextBudget, Arbitraries.anyNumber, Arbitraries.tokens, (budget, left, more) => {
      const tokens = effectiveTokens(budget, left)
      return (
        Number.isSafeInteger(tokens) &&
        tokens >= 0 &&
        tokens <= budget.maxTokens &&
        effectiveTokens(budget, undefined) === budget.maxTokens &&
        (Number.isNaN(left) || effectiveTokens(budget, left + more) >= tokens)
      )
    }),
  mutants: [
    {
      name: "the floor raises an explicit ceiling",
      implementation: {
        ...ours,
        effectiveTokens: (budget, left) => Math.max(2_000, ours.effectiveTokens(budget, left))
      }
    },
    {
      name: "the share is a floating-point product",
      implementation: {
        ...ours,
        effectiveTokens: ({ basisPoints, maxTokens }, left) =>
          left === undefined ? maxTokens : Math.min(maxTokens, Math.max(left * (basisPoints / 10_000), 2_000))
      }
    },
    {
      name: "no limit reads as nothing left",
      implementation: { ...ours, effectiveTokens: (budget, left = 0) => ours.effectiveTokens(budget, left) }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const ceiling: Law<Implementation> = {
  number: 5,
  name: "a ceiling is above no bound that is known; managed and fixed tokens together are the ceiling, neither negative",
  property: ({ ceilingOf, managed }) =>
    FastCheck.property(Arbitraries.bounds, Arbitraries.tokens, (bounds, fixed) => {
      const ceiling = ceilingOf(bounds)
      if (Either.isLeft(ceiling)) return ceiling.left._tag === "BudgetInfeasible"
      if (ceiling.right === undefined) return Object.keys(bounds).length === 0
      const { explicit, left, window } = bounds
      if (explicit !== undefined && ceiling.right > explicit) return false
      if (window !== undefined && ceiling.right + window.reserve > window.size) return false
      if (left !== undefined && ceiling.right > Math.max(2_000, left.tokens)) return false
      if (ceiling.right < 1) return false
      const rest = managed(ceiling.right, fixed)
      if (Either.isLeft(rest)) return fixed >= ceiling.right
      return rest.right > 0 && Number.isSafeInteger(rest.right) && rest.right + fixed <= ceiling.right
    }),
  mutants: [
    {
      name: "the reserve is not taken off the window",
      implementation: {
        ...ours,
        ceilingOf: ({ window, ...rest }) =>
          ours.ceilingOf(window === undefined ? rest : { ...rest, window: { ...window, reserve: 0 } })
      }
    },
    {
      name: "what is left is forgotten where there is an explicit ceiling",
      implementation: {
        ...ours,
        ceilingOf: ({ left, ...rest }) =>
          ours.ceilingOf(rest.explicit === undefined && left !== undefined ? { ...rest, left } : rest)
      }
    },
    {
      name: "an explicit ceiling beats the window",
      implementation: {
        ...ours,
        ceilingOf: (bounds) =>
          bounds.explicit === undefined ? ours.ceilingOf(bounds) : ours.ceilingOf({ explicit: bounds.explicit })
      }
    },
    {
      name: "the fixed part is not taken off",
      implementation: { ...ours, managed: (ceiling) => ours.managed(ceiling, 0) }
    },
    {
      name: "too large a fixed part leaves nothing instead of an error",
      implementation: { ...ours, managed: (ceiling, fixed) => Either.right(Math.max(0, ceiling - fixed)) }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const window: Law<Implementation> = {
  number: 5,
  name: "a window has its low water below its line and all of it in counts, or is refused by the field at fault",
  property: ({ window }) =>
    FastCheck.property(
      FastCheck.record(
        { line: Arbitraries.anyNumber, lowWater: Arbitraries.anyNumber, ceiling: Arbitraries.anyNumber },
        { requiredKeys: [] }
      ),
      (options) => {
        const made = window(options)
        if (Either.isLeft(made))
          return made.left.field in { line: 0, lowWater: 0, ceiling: 0 } && made.left.expected !== ""
        const { ceiling, line, lowWater } = made.right
        return (
          Number.isSafeInteger(line) &&
          Number.isSafeInteger(lowWater) &&
          0 <= lowWater &&
          lowWater < line &&
          (ceiling === undefined || (Number.isSafeInteger(ceiling) && ceiling > 0)) &&
          ceiling === options.ceiling
        )
      }
    ),
  mutants: [
    {
      name: "any low water will do",
      implementation: {
        ...ours,
        window: ({ lowWater = 30_000, ...rest }) => Either.map(ours.window(rest), (made) => ({ ...made, lowWater }))
      }
    },
    {
      name: "a ceiling of nothing is dropped",
      implementation: {
        ...ours,
        window: ({ ceiling, ...rest }) =>
          ours.window(ceiling === undefined || !(ceiling > 0) ? rest : { ...rest, ceiling })
      }
    }
  ]
}

/**
 * The context budget: how much of what a run may still spend goes into one request.
 *
 * One number, `effectiveTokens`, derives both the ceiling of a prompt and the cap of each entry in it, so that they cannot
 * disagree. A share is held in whole basis points (ten-thousandths) and every product is exact integer arithmetic: a
 * share of 0.5, or any that is a multiple of a ten-thousandth, means precisely that, at any size. A share that is not,
 * such as 1/3, is rounded to the nearest basis point (0.3333) when it is read.
 *
 * Laws kept here: 5 (the effective number never exceeds the explicit one), 7 (no floating-point product), 14 (strict).
 * Source: IO-11 to IO-14; the integer arithmetic and the bounds of a share mend IO-W17.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BudgetInfeasible } from "./BudgetInfeasible.ts"
import { SCALARS_PER_TOKEN } from "./Estimate.ts"

/**
 * `maxTokens` is an explicit ceiling in tokens; `basisPoints` the share of what is left that one request may take: 1 to
 * 10,000, which is 0.0001 to 1.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContextBudget {
  readonly maxTokens: number
  readonly basisPoints: number
}

/**
 * Tokens that a share of what is left never falls below. It does not raise an explicit ceiling. Source: IO-12.
 *
 * @since 0.1.0
 * @category constants
 */
export const BUDGET_FLOOR = 2_000

/**
 * Scalar values that the cap of one entry never falls below. Source: IO-14.
 *
 * @since 0.1.0
 * @category constants
 */
export const ENTRY_CAP_FLOOR = 2_000

/**
 * 24,000 tokens, half of what is left. Source: IO-11.
 *
 * @since 0.1.0
 * @category constants
 */
export const standard: ContextBudget = { maxTokens: 24_000, basisPoints: 5_000 }

/**
 * A budget from a ceiling in tokens and a share as a fraction in (0, 1], either of which may be left to the standard.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly maxTokens?: number
  readonly share?: number
}): Either.Either<ContextBudget, BudgetInfeasible> => {
  const { maxTokens = standard.maxTokens, share = standard.basisPoints / WHOLE } = options
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 0) {
    return Either.left(new BudgetInfeasible({ field: "max_tokens", expected: "a whole number", actual: maxTokens }))
  }
  return Either.map(basisPointsOf(share), (basisPoints) => ({ maxTokens, basisPoints }))
}

/**
 * A fraction in (0, 1] as basis points, rounded to the nearest. NaN, negative fractions, those above one and those that
 * round to nothing are refused. Source: IO-W17.
 *
 * @since 0.1.0
 * @category constructors
 */
export const basisPointsOf = (share: number): Either.Either<number, BudgetInfeasible> => {
  const rounded = Math.round(share * WHOLE)
  return share <= 1 && rounded >= 1
    ? Either.right(rounded)
    : Either.left(
        new BudgetInfeasible({ field: "share", expected: "more than 0, at most 1, at least 0.0001", actual: share })
      )
}

/**
 * JSON: `{max_tokens, share}`, each with its standard value where it is missing, `share` as a fraction. Unknown keys are
 * errors. Source: IO-11.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ContextBudget: Schema.Schema<ContextBudget, { readonly max_tokens?: number; readonly share?: number }> =
  Schema.transformOrFail(
    Schema.Struct({
      max_tokens: Schema.optionalWith(Schema.Number, { exact: true }),
      share: Schema.optionalWith(Schema.Number, { exact: true })
    }).annotations({ parseOptions: { onExcessProperty: "error" } }),
    Schema.typeSchema(
      Schema.Struct({ maxTokens: Schema.NonNegativeInt, basisPoints: Schema.Int.pipe(Schema.between(1, 10_000)) })
    ),
    {
      strict: true,
      decode: ({ max_tokens, share }, _, ast) =>
        Either.mapLeft(
          make({
            ...(max_tokens === undefined ? {} : { maxTokens: max_tokens }),
            ...(share === undefined ? {} : { share })
          }),
          (error) =>
            new ParseResult.Pointer(
              error.field,
              { max_tokens, share },
              new ParseResult.Type(ast, error.actual, error.message)
            )
        ),
      encode: ({ basisPoints, maxTokens }) => Either.right({ max_tokens: maxTokens, share: basisPoints / WHOLE })
    }
  )

/**
 * The tokens that one request may take. `remaining` is what the run may still spend, in tokens; `undefined` where it may
 * spend without limit. Overspent counts as nothing left. Source: IO-12.
 *
 * @since 0.1.0
 * @category derived
 */
export const effectiveTokens = (budget: ContextBudget, remaining: number | undefined): number =>
  remaining === undefined ? budget.maxTokens : Math.min(budget.maxTokens, flooredShare(budget.basisPoints, remaining))

/**
 * A share, in basis points, of the tokens that are left, cut to a whole token and never below the floor. Source: IO-12.
 *
 * @since 0.1.0
 * @category derived
 */
export const flooredShare = (basisPoints: number, remaining: number): number =>
  Math.max(
    BUDGET_FLOOR,
    remaining > 0 ? shareOf(basisPoints, Math.trunc(Math.min(remaining, Number.MAX_SAFE_INTEGER))) : 0
  )

/**
 * The most scalar values that one entry may bring in, for a request of so many tokens: an eighth of it, or the floor.
 * Source: IO-14.
 *
 * @since 0.1.0
 * @category derived
 */
export const entryCapScalars = (effective: number): number =>
  Math.max(ENTRY_CAP_FLOOR, Math.floor(effective / (8 / SCALARS_PER_TOKEN)))

/**
 * Both limits of a request, from one number: its prompt in tokens, each entry in scalar values. Source: IO-13.
 *
 * @since 0.1.0
 * @category derived
 */
export const limits = (
  budget: ContextBudget,
  remaining: number | undefined
): { readonly promptTokens: number; readonly entryScalars: number } => {
  const promptTokens = effectiveTokens(budget, remaining)
  return { promptTokens, entryScalars: entryCapScalars(promptTokens) }
}

/**
 * The tokens of a request that notes from earlier runs may take: a quarter. Source: IO-18.
 *
 * @since 0.1.0
 * @category derived
 */
export const noteSlice = (effective: number): number => Math.floor(effective / 4)

/**
 * The tokens of a request that stubs may take before they collapse: an eighth, or 64. Source: IO-32.
 *
 * @since 0.1.0
 * @category derived
 */
export const stubCeiling = (effective: number): number => Math.max(64, Math.floor(effective / 8))

const WHOLE = 10_000

/** floor(n x basisPoints / 10,000) without a product that could leave the safe integers. */
const shareOf = (basisPoints: number, n: number): number => {
  const rest = n % WHOLE
  return ((n - rest) / WHOLE) * basisPoints + Math.floor((rest * basisPoints) / WHOLE)
}

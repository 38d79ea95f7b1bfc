/**
 * The line and the ceiling.
 *
 * ```
 *   tokens of one request
 *   ceiling  ------------------------  never exceeded: what does not fit is refused
 *   managed  = ceiling - fixed part    (system and tools, measured)
 *   line     ........................  passed: a rewrite is *considered*; passing it is never a refusal
 *   lowWater ........................  how far down a rewrite clears
 * ```
 *
 * `line` and `lowWater` count managed tokens, `ceiling` the whole request. A line above what is managed is no error: the
 * ceiling is then what causes rewrites. The window less its reserve enters the ceiling here and nowhere else; a caller
 * that has a number of managed tokens already must not take the fixed part off it again.
 *
 * Laws kept here: 5 (bounded; infeasible is a typed error). Mends IO-W16.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { BudgetInfeasible } from "./BudgetInfeasible.ts"
import { flooredShare } from "./ContextBudget.ts"

/**
 * Tokens. `ceiling` is absent where nothing is known that bounds a request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Window {
  readonly line: number
  readonly lowWater: number
  readonly ceiling?: number
}

/**
 * @since 0.1.0
 * @category constants
 */
export const LINE = 50_000

/**
 * The low water that belongs to a line where none is named: three fifths of it, 30,000 for the default line.
 *
 * @since 0.1.0
 * @category derived
 */
export const lowWaterOf = (line: number): number => Math.floor((line * 3) / 5)

/**
 * A window, or the setting that makes it infeasible. The line is at least one token, the low water below the line, and the
 * ceiling at least one token.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Partial<Window>): Either.Either<Window, BudgetInfeasible> => {
  const { ceiling, line = LINE, lowWater = lowWaterOf(line) } = options
  if (!isCount(line) || line < 1) return infeasible("line", "a whole number of tokens, at least 1", line)
  if (!isCount(lowWater) || lowWater >= line) {
    return infeasible("lowWater", `a whole number of tokens below the line of ${line}`, lowWater)
  }
  if (ceiling === undefined) return Either.right({ line, lowWater })
  if (!isCount(ceiling) || ceiling < 1) return infeasible("ceiling", "a whole number of tokens, at least 1", ceiling)
  return Either.right({ line, lowWater, ceiling })
}

/**
 * What bounds a request. `explicit`: a number of tokens. `window`: the model's, and the reserve for its completion.
 * `left`: what the run may still spend, and the share of it, in basis points, that one request may take.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bounds {
  readonly explicit?: number
  readonly window?: { readonly size: number; readonly reserve: number }
  readonly left?: { readonly tokens: number; readonly basisPoints: number }
}

/**
 * The ceiling of a whole request: the least of the bounds that are known, or `undefined` where none is. The share of what
 * is left is floored (IO-12), and so can be more than what is left: whether to call at all is for limits to say.
 *
 * @since 0.1.0
 * @category derived
 */
export const ceilingOf = ({ explicit, left, window }: Bounds): Either.Either<number | undefined, BudgetInfeasible> => {
  if (explicit !== undefined && (!isCount(explicit) || explicit < 1)) {
    return infeasible("explicit", "a whole number of tokens, at least 1", explicit)
  }
  if (window !== undefined) {
    if (!isCount(window.size) || window.size < 1) {
      return infeasible("window.size", "a whole number of tokens, at least 1", window.size)
    }
    if (!isCount(window.reserve) || window.reserve >= window.size) {
      return infeasible("window.reserve", `a whole number of tokens below the window of ${window.size}`, window.reserve)
    }
  }
  if (left !== undefined) {
    if (Number.isNaN(left.tokens)) return infeasible("left.tokens", "a number of tokens", left.tokens)
    if (!isCount(left.basisPoints) || left.basisPoints < 1 || left.basisPoints > 10_000) {
      return infeasible("left.basisPoints", "1 to 10,000", left.basisPoints)
    }
  }
  const bounds = [
    explicit,
    window === undefined ? undefined : window.size - window.reserve,
    left === undefined ? undefined : flooredShare(left.basisPoints, left.tokens)
  ].filter((bound) => bound !== undefined)
  return Either.right(bounds.length === 0 ? undefined : Math.min(...bounds))
}

/**
 * The tokens that may be managed: a ceiling less the measured fixed part (system, tools). At least one must be left.
 *
 * @since 0.1.0
 * @category derived
 */
export const managed = (ceiling: number, fixed: number): Either.Either<number, BudgetInfeasible> => {
  if (!isCount(ceiling) || ceiling < 1) return infeasible("ceiling", "a whole number of tokens, at least 1", ceiling)
  if (!isCount(fixed) || fixed >= ceiling) {
    return infeasible("fixed", `a whole number of tokens below the ceiling of ${ceiling}`, fixed)
  }
  return Either.right(ceiling - fixed)
}

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0

const infeasible = (field: string, expected: string, actual: number): Either.Either<never, BudgetInfeasible> =>
  Either.left(new BudgetInfeasible({ field, expected, actual }))

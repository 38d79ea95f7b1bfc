/**
 * The windows of the preset `codeaf` (CA-01 to CA-03): how many bytes of observations a request may carry.
 *
 *     tokens  = max(0, window · fill / 100 − fixed floor − completion reserve)        bytes = 4 · tokens
 *     working = the same over min(window, working set)       what it pays to send again every turn
 *     safety  = the same over the whole window               what the provider takes
 *
 * 1. Unknown is not small: the window of no number spends nothing, and each consumer names its own fallback.
 * 2. Known and small stays small: 4 KiB, never the fallback of the unknown.
 * 3. A budget is a value with its settings in it. The environment is read by the caller; here it is an argument.
 *
 * The result is of *managed* material already: reserve and fixed floor must not be taken off it again. Keeps CA-W1 (what
 * the fixed floor is thought to cover is a constant, not a measurement).
 *
 * @since 0.1.0
 */
import { integer } from "./Decimal.ts"

/**
 * Percentages, and counts of tokens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  /** How much of a window may be filled, 10 to 90. */
  readonly fillPercent: number
  readonly completionReserve: number
  readonly workingSet: number
  /** How many times over the working set may be sent, at least 100. */
  readonly reusePercent: number
}

/**
 * @since 0.1.0
 * @category constants
 */
export const DEFAULTS: Settings = {
  fillPercent: 60,
  completionReserve: 65_536,
  workingSet: 160_000,
  reusePercent: 250
}

/**
 * Environment, then what is configured (0 or absent is unset), then the default, each by itself. A string that is no
 * whole number counts as unset; fill is clamped to 10 to 90, reuse to at least 100.
 *
 * @since 0.1.0
 * @category constructors
 */
export const settings = (
  environment: Readonly<Record<string, string | undefined>>,
  configured: Partial<Settings> = {}
): Settings => {
  const pinned = (name: string): number | undefined => integer(environment[name] ?? "")
  // A pinned fill needs not be positive: any number that was typed is clamped.
  const fill = pinned("CODEAF_CONTEXT_FILL_PCT") ?? positive(configured.fillPercent)
  const pick = (name: string, set: number | undefined): number | undefined => positive(pinned(name)) ?? positive(set)
  const reuse = pick("CODEAF_CONTEXT_REUSE_PCT", configured.reusePercent)
  return {
    fillPercent: fill === undefined ? DEFAULTS.fillPercent : Math.min(90, Math.max(10, fill)),
    completionReserve: pick("CODEAF_COMPLETION_RESERVE", configured.completionReserve) ?? DEFAULTS.completionReserve,
    workingSet: pick("CODEAF_WORKING_SET", configured.workingSet) ?? DEFAULTS.workingSet,
    reusePercent: reuse === undefined ? DEFAULTS.reusePercent : Math.max(100, reuse)
  }
}

/**
 * A window under its settings, in tokens. `context` 0 is unknown.
 *
 * @since 0.1.0
 * @category models
 */
export interface Budget extends Settings {
  readonly context: number
  /** What every turn sends beside the budgeted material. */
  readonly fixedFloor: number
}

/**
 * @since 0.1.0
 * @category constants
 */
export const BYTES_PER_TOKEN = 4
/**
 * Under the default of the unknown model only.
 *
 * @since 0.1.0
 * @category constants
 */
export const OBSERVATION_FLOOR_BYTES = 24 << 10
/**
 * The least of a known model.
 *
 * @since 0.1.0
 * @category constants
 */
export const MIN_OBSERVATION_BYTES = 4 << 10
/**
 * The window of an unknown model.
 *
 * @since 0.1.0
 * @category constants
 */
export const DEFAULT_OBSERVATION_BYTES = 32 << 10
/**
 * Tokens of a turn that are not observations.
 *
 * @since 0.1.0
 * @category constants
 */
export const OBSERVATION_FIXED_FLOOR = 4_000

/**
 * The budget of a window of so many tokens; 0 or less is unknown.
 *
 * @since 0.1.0
 * @category constructors
 */
export const budgetOf = (context: number, under: Settings = DEFAULTS): Budget => ({
  ...under,
  context: Math.max(0, context),
  fixedFloor: 0
})

/**
 * Of the working set instead of the whole window: for what is sent again every turn.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withinWorkingSet = (budget: Budget): Budget => ({
  ...budget,
  context: Math.min(budget.context, budget.workingSet)
})

/**
 * @since 0.1.0
 * @category combinators
 */
export const withFloor = (budget: Budget, tokens: number): Budget =>
  tokens > 0 ? { ...budget, fixedFloor: tokens } : budget

/**
 * A larger reserve, never a smaller one, and at most so large that as much is left to carry as the fixed floor takes.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withCompletionReserve = (budget: Budget, tokens: number): Budget => {
  const reserve = Math.min(tokens, filled(budget) - 2 * budget.fixedFloor)
  return isKnown(budget) && reserve > budget.completionReserve ? { ...budget, completionReserve: reserve } : budget
}

/**
 * @since 0.1.0
 * @category predicates
 */
export const isKnown = (budget: Budget): boolean => budget.context > 0

/**
 * The fill law; 0 for an unknown window.
 *
 * @since 0.1.0
 * @category derived
 */
export const tokensIn = (budget: Budget): number =>
  isKnown(budget) ? Math.max(0, filled(budget) - budget.fixedFloor - budget.completionReserve) : 0

/**
 * @since 0.1.0
 * @category derived
 */
export const bytesIn = (budget: Budget): number => tokensIn(budget) * BYTES_PER_TOKEN

/**
 * The bytes, or the consumer's fallback where the window is unknown or starved.
 *
 * @since 0.1.0
 * @category derived
 */
export const bytesOr = (budget: Budget, fallback: number): number => positive(bytesIn(budget)) ?? fallback

/**
 * The tokens, or the consumer's fallback where the window is unknown or starved.
 *
 * @since 0.1.0
 * @category derived
 */
export const tokensOr = (budget: Budget, fallback: number): number => positive(tokensIn(budget)) ?? fallback

/**
 * `weight` parts of `total` of the bytes, or the fallback where that comes to nothing.
 *
 * @since 0.1.0
 * @category derived
 */
export const share = (budget: Budget, weight: number, total: number, fallback: number): number =>
  weight <= 0 || total <= 0 ? fallback : (positive(Math.trunc((bytesIn(budget) * weight) / total)) ?? fallback)

/**
 * Tokens of prompt that a loop may send in all before it is warned; 0 for an unknown window.
 *
 * @since 0.1.0
 * @category derived
 */
export const reuseCeiling = (budget: Budget): number =>
  Math.trunc((filled(withinWorkingSet(budget)) * budget.reusePercent) / 100)

/**
 * The working window in bytes: above it, what is spent may be retired.
 *
 * @since 0.1.0
 * @category derived
 */
export const observationWindow = (context: number, under: Settings = DEFAULTS): number => {
  const budget = observed(budgetOf(context, under))
  if (!isKnown(budget)) return Math.max(DEFAULT_OBSERVATION_BYTES, OBSERVATION_FLOOR_BYTES)
  return Math.max(bytesIn(budget), MIN_OBSERVATION_BYTES)
}

/**
 * The safety window in bytes: above it, what is still needed is retired too. An unknown model has no second one.
 *
 * @since 0.1.0
 * @category derived
 */
export const observationSafetyWindow = (context: number, under: Settings = DEFAULTS): number => {
  const budget = withFloor(budgetOf(context, under), OBSERVATION_FIXED_FLOOR)
  return isKnown(budget) ? Math.max(bytesIn(budget), MIN_OBSERVATION_BYTES) : observationWindow(context, under)
}

/**
 * The budget of observations: within the working set, above the fixed floor.
 *
 * @since 0.1.0
 * @category combinators
 */
export const observed = (budget: Budget): Budget => withFloor(withinWorkingSet(budget), OBSERVATION_FIXED_FLOOR)

const filled = ({ context, fillPercent }: Budget): number => Math.trunc((context * fillPercent) / 100)

const positive = (n: number | undefined): number | undefined => (n !== undefined && n > 0 ? n : undefined)

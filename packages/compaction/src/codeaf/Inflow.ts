/**
 * The inflow meter and the low-water mark (CA-27, CA-05): how deep a batch clears is solved from what a turn adds.
 *
 *     budget ┼ ·····/|·········/|····     fires above the budget only
 *            │     / |        / |         seven turns of measured inflow fit in the gap
 *       mark ┼ ···/··|·······/··|····     clamped to 50 to 90 percent of the budget
 *
 * Before three turns are measured the mark stands at 75 percent. Keeps CA-W10 (the mean is over the whole life, so an
 * early spike is never forgotten) and CA-W12 (seven, fifty and ninety are tuned, not derived from prices).
 *
 * @since 0.1.0
 */

/**
 * How many turns were observed, and the bytes that they carried into the transcript together.
 *
 * @since 0.1.0
 * @category models
 */
export interface Inflow {
  readonly turns: number
  readonly bytes: number
}

/**
 * @since 0.1.0
 * @category constants
 */
export const LOW_WATER_PERCENT = 75
/**
 * Turns of inflow that a batch makes room for.
 *
 * @since 0.1.0
 * @category constants
 */
export const HEADROOM_TURNS = 7
/**
 * Turns before the mean is used.
 *
 * @since 0.1.0
 * @category constants
 */
export const MIN_INFLOW_SAMPLES = 3
/**
 * @since 0.1.0
 * @category constants
 */
export const HEADROOM_FLOOR_PERCENT = 50
/**
 * @since 0.1.0
 * @category constants
 */
export const HEADROOM_CEILING_PERCENT = 90

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: Inflow = { turns: 0, bytes: 0 }

/**
 * One turn more, with the bytes that were admitted in it. A negative count is no turn.
 *
 * @since 0.1.0
 * @category folding
 */
export const observe = (inflow: Inflow, bytes: number): Inflow =>
  bytes < 0 ? inflow : { turns: inflow.turns + 1, bytes: inflow.bytes + bytes }

/**
 * Whole bytes a turn, rounded down; undefined before enough turns were measured.
 *
 * @since 0.1.0
 * @category derived
 */
export const mean = ({ bytes, turns }: Inflow): number | undefined =>
  turns < MIN_INFLOW_SAMPLES ? undefined : Math.trunc(bytes / turns)

/**
 * How far down a batch under this budget clears, in bytes. Never above 90 percent of the budget, so that a pass which
 * reaches it is within the budget.
 *
 * @since 0.1.0
 * @category derived
 */
export const lowWater = (inflow: Inflow, budget: number): number => {
  const perTurn = mean(inflow)
  if (perTurn === undefined || perTurn <= 0) return Math.max(0, percent(budget, LOW_WATER_PERCENT))
  const mark = Math.max(budget - HEADROOM_TURNS * perTurn, percent(budget, HEADROOM_FLOOR_PERCENT))
  return Math.min(mark, percent(budget, HEADROOM_CEILING_PERCENT))
}

const percent = (budget: number, of: number): number => Math.trunc((budget * of) / 100)

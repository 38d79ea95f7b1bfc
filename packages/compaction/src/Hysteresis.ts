/**
 * The schedule of this preset: nothing is rewritten until the managed tokens pass the line, and then one batch brings
 * them down to the low-water mark (CA-05 in kind).
 *
 *     tokens │        /|      /|
 *       line ┼ ·····/··|····/··|····   fires when above `armed`
 *            │    /    |  /    |
 *        low ┼ ··/·····|/······|/··    one batch, down to here
 *            └────────────────────> requests
 *
 * Where what may leave is not enough to reach the mark, the next batch waits until as much has come in as a batch is
 * meant to free: text and arguments alone above the line must not cause a rewrite on every turn.
 *
 * @since 0.1.0
 */

/**
 * All in managed tokens. Passing the line is never a refusal; passing the ceiling would be.
 *
 * @since 0.1.0
 * @category models
 */
export interface Marks {
  readonly line: number
  readonly lowWater: number
  readonly ceiling: number | undefined
}

/**
 * How many tokens a view may reach before the next batch: the line, or, where the last epoch settled above the
 * low-water mark, as much above that as a batch frees. Never above the ceiling.
 *
 * @since 0.1.0
 * @category schedules
 */
export const armed = (marks: Marks, settled: number): number => {
  const next = settled === 0 ? marks.line : Math.max(marks.line, settled + (marks.line - marks.lowWater))
  return marks.ceiling === undefined ? next : Math.min(next, marks.ceiling)
}

/**
 * The other schedules of marks: at a `threshold` every view above the line is rewritten, whatever the last batch left;
 * on `every-turn`, every view above the low water. Both are the marks and the view that a plan is asked with.
 *
 * @since 0.1.0
 * @category schedules
 */
export const under = <View extends { readonly settled: number }>(
  schedule: "hysteresis" | "threshold" | "every-turn",
  view: View,
  marks: Marks
): { readonly view: View; readonly marks: Marks } => {
  switch (schedule) {
    case "hysteresis":
      return { view, marks }
    case "threshold":
      return { view: { ...view, settled: 0 }, marks }
    case "every-turn":
      return { view: { ...view, settled: 0 }, marks: { ...marks, line: marks.lowWater + 1 } }
  }
}

/**
 * Whether a batch that frees so much is worth the cache that it breaks: at least a quarter of what lies between line
 * and low-water mark.
 *
 * @since 0.1.0
 * @category schedules
 */
export const isWorth = (marks: Marks, freed: number): boolean => freed * 4 >= marks.line - marks.lowWater

/**
 * How far down a batch brings a view: the low-water mark; where a ceiling stands below the line, as far below the ceiling
 * in proportion, as a batch that ends at the ceiling would be followed by the next at once.
 *
 * @since 0.1.0
 * @category schedules
 */
export const goal = ({ ceiling, line, lowWater }: Marks): number =>
  ceiling === undefined || ceiling >= line ? lowWater : Math.floor((ceiling * lowWater) / line)

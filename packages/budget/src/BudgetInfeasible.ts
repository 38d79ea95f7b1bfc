/**
 * The error of a budget that cannot be met, found when it is made rather than at the call that would break it.
 *
 * Laws kept here: 5 (what cannot fit is a typed refusal).
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * `field` is the setting at fault, `expected` what it must be in words, `actual` the value that it has, in the field's own
 * unit (tokens, unless the field is a share).
 *
 * @since 0.1.0
 * @category errors
 */
export class BudgetInfeasible extends Data.TaggedError("BudgetInfeasible")<{
  readonly field: string
  readonly expected: string
  readonly actual: number
}> {
  override get message(): string {
    return `${this.field} is ${this.actual}: expected ${this.expected}`
  }
}

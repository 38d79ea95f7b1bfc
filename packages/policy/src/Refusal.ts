/**
 * Refusals, told twice: what the operator reads names the act, the target, the rule and its layer; what the model reads
 * says no more than that it may not, as a pattern or a layer's name can give away what it guards (mending IO-W20).
 *
 * Laws kept here: 12 (`ask` without an approver is a refusal).
 *
 * @since 0.1.0
 */
import type { Act } from "./Act.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Refusal {
  readonly operator: string
  readonly model: string
}

/**
 * The refusal that a verdict is, where it is not `allow`. `reason` is what a person who refused wants the model to know.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = (act: Act, target: string, { layer, rule, ruling }: Verdict, reason?: string): Refusal => ({
  operator:
    `refused by policy: ${act} ${target} (${rule === undefined ? "by default" : `rule ${rule} in layer ${layer}`})` +
    (ruling === "ask" ? ": no approver" : reason === undefined ? "" : `: ${reason}`),
  model:
    reason !== undefined
      ? `a person refused this: ${reason}`
      : ruling === "ask"
        ? "a person has to allow this, and nobody is here to ask"
        : "the policy does not allow this"
})

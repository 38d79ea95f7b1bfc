/**
 * Contain: the policy of a child, inside its parent's. Denies add up on the way down and allows never do, at any depth.
 *
 * The parent's layers stay as they are, the child adds its rules that do not allow, and each default is the stricter of
 * the two. That alone would let a child's `ask` lift a default `deny` of its parent, as an ask rule of one's own may do.
 * So, for an act that the parent denies by default, the child's asks go into a *narrowing* layer of the same name, whose
 * rules raise an answer and never lower one. For every other act the two readings agree and the rule stays as it was.
 * Hence, for every act and target,
 *
 * ```
 * contained = the stricter of (parent, the plain union described above)
 * ```
 *
 * and the result is an ordinary policy: flat, serialisable, and fit to contain the next child.
 *
 * Laws kept here: 13. Source: IO-39 and its mend.
 *
 * @since 0.1.0
 */
import * as Layer from "./Layer.ts"
import { stricterDefaults } from "./Merge.ts"
import type { Policy } from "./Policy.ts"

/**
 * The policy under which a child of `parent` runs when it asked for `child`. Never laxer than `parent` on any target, and
 * denies whatever a rule of `child` denies. What the child wanted allowed is dropped: the parent has allowed it or not.
 *
 * @since 0.1.0
 * @category combining
 */
export const contain = (parent: Policy, child: Policy): Policy => ({
  layers: [...parent.layers, ...child.layers.flatMap((layer) => contained(parent, layer))],
  defaults: stricterDefaults(parent.defaults, child.defaults)
})

const contained = (parent: Policy, layer: Layer.Layer): ReadonlyArray<Layer.Layer> => {
  if (Layer.isNarrowing(layer)) return layer.rules.length === 0 ? [] : [layer]
  const restricting = layer.rules.filter((rule): rule is Layer.Rule<"ask" | "deny"> => rule.ruling !== "allow")
  const lifts = (rule: Layer.Rule) => rule.ruling === "ask" && parent.defaults[rule.act] === "deny"
  const granting: Layer.Granting = { name: layer.name, rules: restricting.filter((rule) => !lifts(rule)) }
  const narrowing: Layer.Narrowing = { name: layer.name, narrowing: true, rules: restricting.filter(lifts) }
  return [granting, narrowing].filter(({ rules }) => rules.length > 0)
}

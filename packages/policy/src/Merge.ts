/**
 * Merge: a policy and an overlay on it, as when a project adds to what its machine says.
 *
 * Layers add up and each default is the stricter of the two. Since a deny of any layer beats every ask and allow, and an
 * ask every allow, no overlay can lift a deny or ask that a rule of the base gave, and the other way round. What it can do
 * is allow or ask where the base had only a default: that is what an overlay is for. `Contain` does not permit even that.
 *
 * Laws kept here: 13. Source: IO-39.
 *
 * @since 0.1.0
 */
import * as Act from "./Act.ts"
import type { Defaults, Policy } from "./Policy.ts"
import * as Ruling from "./Ruling.ts"

/**
 * Both policies as one. Associative; the rulings do not depend on which comes first, only the credit for them does.
 *
 * @since 0.1.0
 * @category combining
 */
export const merge = (base: Policy, overlay: Policy): Policy => ({
  layers: [...base.layers, ...overlay.layers],
  defaults: stricterDefaults(base.defaults, overlay.defaults)
})

/**
 * For each act the stricter of two defaults.
 *
 * @since 0.1.0
 * @category combining
 */
export const stricterDefaults = (self: Defaults, that: Defaults): Defaults =>
  Act.byAct((act) => Ruling.stricter(self[act], that[act]))

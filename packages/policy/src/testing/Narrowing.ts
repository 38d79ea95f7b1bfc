/**
 * Law 13: a child's policy only narrows its parent's, and deny beats ask beats allow in whatever layer.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import * as Act from "../Act.ts"
import type { Layer } from "../Layer.ts"
import type { Policy } from "../Policy.ts"
import * as Ruling from "../Ruling.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const containment: Law<Implementation> = {
  number: 13,
  name: "a contained policy is nowhere laxer than its parent, and denies what its own rules deny, at any depth",
  property: ({ check, contain }) =>
    FastCheck.property(
      Arbitraries.policy,
      FastCheck.array(Arbitraries.policy, { minLength: 1, maxLength: 3 }),
      Arbitraries.question,
      (root, children, { act, target }) => {
        let parent = root
        for (const child of children) {
          const contained = contain(parent, child)
          const { ruling } = check(contained, act, target)
          if (!Ruling.isAtLeast(ruling, check(parent, act, target).ruling)) return false
          if (check({ ...child, defaults: allAllowed }, act, target).ruling === "deny" && ruling !== "deny")
            return false
          parent = contained
        }
        return true
      }
    ),
  mutants: [
    { name: "an ask of the child lifts a default deny", implementation: { ...ours, contain: plainUnion } },
    {
      name: "the child keeps its allows",
      implementation: {
        ...ours,
        contain: (parent, child) => ({
          layers: [...parent.layers, ...child.layers],
          defaults: ours.contain(parent, child).defaults
        })
      }
    },
    {
      name: "the child brings its own defaults",
      implementation: {
        ...ours,
        contain: (parent, child) => ({ ...ours.contain(parent, child), defaults: child.defaults })
      }
    },
    {
      name: "the child's denies are dropped",
      implementation: {
        ...ours,
        contain: (parent, child) => ({ ...parent, defaults: ours.contain(parent, child).defaults })
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const merging: Law<Implementation> = {
  number: 13,
  name: "a merge lifts no deny or ask that a rule gave, whichever side it stood on",
  property: ({ check, merge }) =>
    FastCheck.property(
      Arbitraries.policy,
      Arbitraries.policy,
      Arbitraries.question,
      (base, overlay, { act, target }) => {
        const { ruling } = check(merge(base, overlay), act, target)
        return [base, overlay].every((side) => {
          const alone = check(side, act, target)
          return alone.rule === undefined || Ruling.isAtLeast(ruling, alone.ruling)
        })
      }
    ),
  mutants: [
    { name: "the overlay replaces the base", implementation: { ...ours, merge: (_, overlay) => overlay } },
    {
      name: "a layer of the same name is replaced",
      implementation: {
        ...ours,
        merge: (base, overlay) => ({
          ...ours.merge(base, overlay),
          layers: [...new Map([...base.layers, ...overlay.layers].map((layer) => [layer.name, layer])).values()]
        })
      }
    },
    {
      name: "the last layer that speaks wins",
      implementation: {
        ...ours,
        check: (policy, act, target) =>
          policy.layers
            .map((layer) => ours.check({ ...policy, layers: [layer] }, act, target))
            .findLast((verdict) => verdict.rule !== undefined) ?? { ruling: policy.defaults[act] }
      }
    }
  ]
}

/** Containment without narrowing layers, as the source of IO-39 has it. */
function plainUnion(parent: Policy, child: Policy): Policy {
  const restricting = child.layers.map(({ name, rules }): Layer => ({
    name,
    rules: rules.filter((rule) => rule.ruling !== "allow")
  }))
  return {
    layers: [...parent.layers, ...restricting],
    defaults: Act.byAct((act) => Ruling.stricter(parent.defaults[act], child.defaults[act]))
  }
}

const allAllowed = Act.byAct(() => "allow" as const)

/**
 * Law 13, of layers: what one of them denies no other gives back, and a layer more never takes away what a rule has said.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Granting } from "../Layer.ts"
import type { Policy } from "../Policy.ts"
import * as Ruling from "../Ruling.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const denying: Law<Implementation> = {
  number: 13,
  name: "a deny in any layer beats every allow and ask, wherever they stand",
  property: ({ check }) =>
    FastCheck.property(Arbitraries.policy, place, Arbitraries.question, (policy, { at, layer }, { act, target }) => {
      const denies = { name: layer.name, rules: [{ act, ruling: "deny" as const, pattern: "*" }, ...layer.rules] }
      return check(inserted(policy, at, denies), act, target).ruling === "deny"
    }),
  mutants: [
    {
      name: "the last layer that speaks wins",
      implementation: { ...ours, check: lastLayer }
    },
    {
      name: "an allow that names its target beats a deny by a wildcard",
      implementation: {
        ...ours,
        check: (policy, act, target) =>
          policy.layers.some(({ rules }) =>
            rules.some(({ act: of, pattern, ruling }) => of === act && ruling === "allow" && pattern === target)
          )
            ? { ruling: "allow" }
            : ours.check(policy, act, target)
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const adding: Law<Implementation> = {
  number: 13,
  name: "a layer more, wherever it is put, lifts no deny or ask that a rule gave",
  property: ({ check }) =>
    FastCheck.property(Arbitraries.policy, place, Arbitraries.question, (policy, { at, layer }, { act, target }) => {
      const before = check(policy, act, target)
      return (
        before.rule === undefined ||
        Ruling.isAtLeast(check(inserted(policy, at, layer), act, target).ruling, before.ruling)
      )
    }),
  mutants: [
    { name: "the last layer that speaks wins", implementation: { ...ours, check: lastLayer } },
    {
      name: "an allow beats an ask",
      implementation: {
        ...ours,
        check: (policy, act, target) => {
          const told = ours.explain(policy, act, target)
          const allowed = told.considered.some(({ matched, rule }) => matched && rule.ruling === "allow")
          return told.verdict.ruling === "ask" && allowed ? { ruling: "allow" } : told.verdict
        }
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const restricting: Law<Implementation> = {
  number: 13,
  name: "a layer without allow or ask rules never widens, not even where a default spoke",
  property: ({ check }) =>
    FastCheck.property(Arbitraries.policy, place, Arbitraries.question, (policy, { at, layer }, { act, target }) => {
      const denies = { ...layer, rules: layer.rules.filter(({ ruling }) => ruling === "deny") }
      return Ruling.isAtLeast(
        check(inserted(policy, at, denies), act, target).ruling,
        check(policy, act, target).ruling
      )
    }),
  mutants: [
    {
      name: "a layer that does not speak of a target allows it",
      implementation: {
        ...ours,
        check: (policy, act, target) => {
          const verdict = ours.check(policy, act, target)
          const silent = policy.layers.some(({ rules }) => rules.every((rule) => rule.act !== act))
          return verdict.rule === undefined && silent ? { ruling: "allow" } : verdict
        }
      }
    },
    {
      name: "the newest layer replaces the others",
      implementation: {
        ...ours,
        check: (policy, act, target) => ours.check({ ...policy, layers: policy.layers.slice(-1) }, act, target)
      }
    }
  ]
}

const place = FastCheck.record({ at: FastCheck.nat({ max: 3 }), layer: Arbitraries.layer })

const inserted = (policy: Policy, at: number, layer: Granting): Policy => ({
  ...policy,
  layers: [...policy.layers.slice(0, at), layer, ...policy.layers.slice(at)]
})

function lastLayer(...[policy, act, target]: Parameters<Implementation["check"]>) {
  return (
    policy.layers
      .map((layer) => ours.check({ ...policy, layers: [layer] }, act, target))
      .findLast((verdict) => verdict.rule !== undefined) ?? { ruling: policy.defaults[act] }
  )
}

/**
 * Laws 12 and 13, of one check: the answer is the one that an independent model gives, `explain` gives it too, and no way
 * to spell a target gets another.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Act } from "../Act.ts"
import * as Platform from "../Platform.ts"
import type { Policy } from "../Policy.ts"
import type { Verdict } from "../Verdict.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Model from "./Model.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const matching: Law<Implementation> = {
  number: 13,
  name: "a check says what an independent model says, with the same rule and layer, contained policies included",
  property: ({ check, contain }) =>
    FastCheck.property(
      Arbitraries.policy,
      Arbitraries.policy,
      Model.thing(Platform.posix),
      (parent, child, { act, name, subjects }) =>
        [parent, contain(parent, child)].every((policy) =>
          isSame(check(policy, act, name), Model.verdict(policy, { act, subjects }))
        )
    ),
  mutants: [
    {
      name: "the first rule that matches wins, whatever it says",
      implementation: byModel((policy, act, subjects) => {
        const said = policy.layers
          .flatMap((layer) => layer.rules.map((rule) => ({ ...policy, layers: [{ name: layer.name, rules: [rule] }] })))
          .map((alone) => Model.verdict(alone, { act, subjects }))
        return said.find(({ rule }) => rule !== undefined) ?? { ruling: policy.defaults[act] }
      })
    },
    {
      name: "base names and hosts are not tried",
      implementation: byModel((policy, act, [whole = ""]) => Model.verdict(policy, { act, subjects: [whole] }))
    },
    {
      name: "what has a separator is known by its base name alone",
      implementation: byModel((policy, act, subjects) =>
        Model.verdict(policy, { act, subjects: subjects.filter((subject) => !subject.includes("/")) })
      )
    },
    {
      name: "the last layer is credited",
      implementation: byModel((policy, act, subjects) =>
        Model.verdict({ ...policy, layers: [...policy.layers].reverse() }, { act, subjects })
      )
    },
    {
      name: "a narrowing layer may lower an answer",
      implementation: byModel((policy, act, subjects) =>
        Model.verdict(
          { ...policy, layers: policy.layers.map(({ name, rules }) => ({ name, rules })) },
          { act, subjects }
        )
      )
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const explaining: Law<Implementation> = {
  number: 13,
  name: "explain gives the verdict of check, and shows every rule of the act once, with what it matched",
  property: ({ check, contain, explain, merge }) =>
    FastCheck.property(Arbitraries.policy, Arbitraries.policy, Arbitraries.question, (parent, child, { act, target }) =>
      [merge(parent, child), contain(parent, child)].every((policy) => {
        const told = explain(policy, act, target)
        const shown = told.considered.map(({ layerIndex, ruleIndex }) => `${layerIndex}.${ruleIndex}`)
        const rules = policy.layers.flatMap((layer, i) =>
          layer.rules.flatMap((rule, j) => (rule.act === act ? [`${i}.${j}`] : []))
        )
        const deciding = told.considered.find(
          ({ layer, rule }) => rule.pattern === told.verdict.rule && layer === told.verdict.layer
        )
        return (
          isSame(told.verdict, check(policy, act, target)) &&
          isSame(shown.toSorted(), rules.toSorted()) &&
          (told.verdict.rule === undefined || deciding?.matched === true)
        )
      })
    ),
  mutants: [
    {
      name: "only rules that matched are shown",
      implementation: {
        ...ours,
        explain: (policy, act, target) => {
          const told = ours.explain(policy, act, target)
          return { ...told, considered: told.considered.filter(({ matched }) => matched) }
        }
      }
    },
    {
      name: "explain stops at the default",
      implementation: {
        ...ours,
        explain: (policy, act, target) => ({
          ...ours.explain(policy, act, target),
          verdict: { ruling: policy.defaults[act] }
        })
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const aliases: Law<Implementation> = {
  number: 12,
  name: "however a target is spelled on its platform, it has one name, and gets the ruling that name gets",
  property: ({ canonical, check }) =>
    FastCheck.property(
      Arbitraries.policy,
      FastCheck.constantFrom(Platform.posix, Platform.darwin, Platform.windows).chain((platform) =>
        FastCheck.record({ platform: FastCheck.constant(platform), thing: Model.thing(platform) })
      ),
      (policy, { platform, thing: { act, name, spelled, subjects } }) =>
        canonical(act, spelled, platform) === name &&
        canonical(act, name, platform) === name &&
        check(policy, act, spelled, platform).ruling === Model.verdict(policy, { act, subjects }).ruling
    ),
  mutants: [
    { name: "targets are taken as they are written", implementation: { ...ours, canonical: (_, target) => target } },
    {
      name: "the platform is not looked at",
      implementation: { ...ours, canonical: (act, target) => ours.canonical(act, target) }
    },
    {
      name: "case is folded, separators are not",
      implementation: {
        ...ours,
        canonical: (act, target, platform) =>
          ours.canonical(act, target, { separators: "/", caseFolding: platform?.caseFolding ?? false })
      }
    },
    {
      name: "of a URL everything up to the last colon is the host",
      implementation: {
        ...ours,
        canonical: (act, target, platform) =>
          act === "net" ? target.replace(/^[a-z]+:\/\//, "") : ours.canonical(act, target, platform)
      }
    },
    {
      name: "a check looks at the spelling",
      implementation: {
        ...ours,
        check: (policy, act, target) => Model.verdict(policy, { act, subjects: [target] })
      }
    }
  ]
}

/** A check by the model, changed by whoever is handed what rules are tried on. */
function byModel(answer: (policy: Policy, act: Act, subjects: ReadonlyArray<string>) => Verdict): Implementation {
  return {
    ...ours,
    check: (policy, act, name) => answer(policy, act, Model.subjectsOf(act, name))
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

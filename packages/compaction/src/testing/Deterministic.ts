/**
 * Law 7: the same events give the same view, in whatever batches they are folded, and the same view the same plan.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { empty, type Happening } from "../Transcript.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Mutate from "./Mutate.ts"
import * as Script from "./Script.ts"
import { play } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const deterministic: Law<Implementation> = { ...lawOf(ours), mutants: mutants() }

/**
 * The law for another implementation than ours by hysteresis, without mutants.
 *
 * @since 0.1.0
 * @category laws
 */
export const deterministicBy = (base: Implementation): Law<Implementation> => ({ ...lawOf(base), mutants: [] })

function lawOf(base: Implementation): Omit<Law<Implementation>, "mutants"> {
  return {
    number: 7,
    name: "events folded at once, one by one and in any batches give one view; one view and its marks give one plan",
    property: (implementation) =>
      FastCheck.property(
        Script.script,
        Script.marks,
        FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
        (script, marks, sizes) => {
          const { happenings, requests } = play(base, script, marks)
          const start = empty(script.shape)
          const fold = (batches: ReadonlyArray<ReadonlyArray<Happening>>): string =>
            JSON.stringify(batches.reduce((view, batch) => implementation.evolve(view, batch), start))
          const once = fold([happenings])
          return (
            once === fold(happenings.map((one) => [one])) &&
            once === fold(inBatches(happenings, sizes)) &&
            requests.every(
              ({ admitted, asked, plan }) => JSON.stringify(implementation.plan(admitted, marks, asked)) === said(plan)
            )
          )
        }
      )
  }
}

function mutants(): Law<Implementation>["mutants"] {
  return [
    {
      name: "decisions of a batch are folded behind its entries",
      implementation: Mutate.folded((happenings) => [
        ...happenings.filter(({ _tag }) => _tag !== "Decided"),
        ...happenings.filter(({ _tag }) => _tag === "Decided")
      ])
    },
    {
      name: "of the decisions of a batch only the last counts",
      implementation: Mutate.folded((happenings) => {
        const last = happenings.findLast(({ _tag }) => _tag === "Decided")
        return happenings.filter((one) => one._tag !== "Decided" || one === last)
      })
    },
    { name: "a plan remembers how often it was asked", implementation: { ...ours, plan: forgetful() } }
  ]
}

const said = (plan: ReturnType<Implementation["plan"]>): string => JSON.stringify(plan)

const inBatches = (
  happenings: ReadonlyArray<Happening>,
  sizes: ReadonlyArray<number>
): ReadonlyArray<ReadonlyArray<Happening>> => {
  const batches: Array<ReadonlyArray<Happening>> = []
  for (let at = 0, i = 0; at < happenings.length; i++) {
    const size = sizes[i % sizes.length]!
    batches.push(happenings.slice(at, at + size))
    at += size
  }
  return batches
}

function forgetful(): Implementation["plan"] {
  let asked = 0
  return (view, marks, given) => ours.plan(view, { ...marks, lowWater: Math.max(0, marks.lowWater - asked++) }, given)
}

/**
 * Law 1: no operation changes a view that is in somebody's hands.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { empty } from "../Transcript.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Script from "./Script.ts"
import { play } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const appendOnly: Law<Implementation> = {
  number: 1,
  name: "an old view stays as it was, whatever is folded onto it later, or beside it",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) => {
      const { happenings } = play(ours, script, marks)
      let view = implementation.evolve(empty(script.shape), [])
      const kept = happenings.map((happening) => {
        const before = view
        view = implementation.evolve(before, [happening])
        implementation.evolve(before, happenings.slice(0, 3))
        return { view: before, was: JSON.stringify(before) }
      })
      return kept.every(({ view, was }) => JSON.stringify(view) === was)
    }),
  mutants: [
    {
      name: "the messages of the old view are written over",
      implementation: {
        ...ours,
        evolve: (view, happenings) => {
          const next = ours.evolve(view, happenings)
          const written: unknown = view.messages
          if (Array.isArray(written)) written.splice(0, written.length, ...next.messages)
          return { ...next, messages: view.messages }
        }
      }
    },
    {
      name: "the totals of the old view move along",
      implementation: {
        ...ours,
        evolve: (view, happenings) => Object.assign(view, { tokens: ours.evolve(view, happenings).tokens })
      }
    }
  ]
}

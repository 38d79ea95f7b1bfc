/**
 * Law 2 of notes: the newest that the caps allow are kept, whole behind what is shown of them; law 1 on the way, as older
 * notes stay as they were.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { CUT, MOST_NOTES, MOST_SCALARS, MOST_SCALARS_OF_ONE, shown } from "../Notes.ts"
import type { Law } from "./Law.ts"
import { type Deed, deeds, type NoteKeeping, ours, play } from "./NoteKeeping.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const kept: Law<NoteKeeping> = {
  number: 2,
  name: "the newest notes that the caps allow are kept, by key, oldest first; each value is whole behind what is shown",
  property: (implementation) =>
    FastCheck.property(deeds, (given) => {
      const { facts, states } = play(implementation, given)
      const wanted = modelled(given)
      const written = new Set(facts.flatMap((fact) => (fact._tag === "Noted" ? [fact.value] : [])))
      return states.every(({ kept }, at) => {
        const model = wanted[at] ?? []
        return (
          kept.length === model.length &&
          kept.every(({ key, step, value, whole }, i) => {
            const note = model[i]
            return (
              key === note?.key &&
              value === note.value &&
              whole === note.whole &&
              step === note.step &&
              written.has(whole)
            )
          })
        )
      })
    }),
  mutants: [
    {
      name: "a write may evict itself",
      implementation: {
        ...ours,
        put: (notes, note) => {
          const facts = ours.put(notes, note)
          return facts.length > 1
            ? [...facts.slice(0, 1), { _tag: "Unnoted", step: note.step, key: note.key, why: "evicted" }]
            : facts
        }
      }
    },
    {
      name: "an overwrite keeps its old place",
      implementation: {
        ...ours,
        evolve: (notes, happened) => {
          const next = ours.evolve(notes, happened)
          const at = notes.kept.findIndex(({ key }) => key === happened.fact.key)
          const newest = next.kept.at(-1)
          if (happened.fact._tag === "Unnoted" || at < 0 || newest === undefined) return next
          return { kept: notes.kept.map((note, i) => (i === at ? newest : note)) }
        }
      }
    },
    {
      name: "nothing is ever evicted",
      implementation: { ...ours, put: (notes, note) => ours.put(notes, note).slice(0, 1) }
    },
    {
      name: "what is too long is lost",
      implementation: {
        ...ours,
        put: (notes, note) => ours.put(notes, { ...note, value: shown(note.value) })
      }
    },
    {
      name: "an old value is changed in place",
      implementation: {
        ...ours,
        evolve: (notes, happened) => {
          const next = ours.evolve(notes, happened)
          return Object.assign(notes === next ? next : notes, next)
        }
      }
    }
  ]
}

interface Modelled {
  readonly key: string
  readonly value: string
  readonly whole: string
  readonly step: number
  readonly size: number
}

/** The notes after each deed, by a model of its own: what is oldest leaves until the caps hold. */
const modelled = (given: ReadonlyArray<Deed>): ReadonlyArray<ReadonlyArray<Modelled>> => {
  const model = new Map<string, Modelled>()
  const total = () => [...model.values()].reduce((sum, { size }) => sum + size, 0)
  return given.map((deed) => {
    model.delete(deed._tag === "Put" ? deed.note.key : deed.key)
    if (deed._tag === "Put") {
      const { key, step, value: whole } = deed.note
      const chars = [...whole]
      const value =
        chars.length > MOST_SCALARS_OF_ONE ? chars.slice(0, MOST_SCALARS_OF_ONE - CUT.length).join("") + CUT : whole
      model.set(key, { key, value, whole, step, size: Math.min(chars.length, MOST_SCALARS_OF_ONE) })
      while (model.size > MOST_NOTES || total() > MOST_SCALARS) model.delete([...model.keys()][0] ?? "")
    }
    return [...model.values()]
  })
}

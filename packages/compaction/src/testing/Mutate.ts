/**
 * Ways to put an implementation wrong, for the mutants of the laws.
 *
 * @since 0.1.0
 */
import type { Plan as Batched } from "../Balanced.ts"
import type { Change } from "../Decision.ts"
import type { Happening, Message, Transcript } from "../Transcript.ts"
import type { Rewrite } from "../Ladder.ts"
import { type Implementation, ours } from "./Implementation.ts"

/**
 * Ours, with the plan put wrong.
 *
 * @since 0.1.0
 * @category mutants
 */
export const planned = (change: (plan: Plan, view: Transcript) => Plan, base = ours): Implementation => ({
  ...base,
  plan: (view, marks, asked) => change(base.plan(view, marks, asked), view)
})

type Plan = Batched | Rewrite

/**
 * Ours, with every change of a plan put wrong, or left out.
 *
 * @since 0.1.0
 * @category mutants
 */
export const changed = (change: (change: Change) => ReadonlyArray<Change>, base = ours): Implementation =>
  planned(
    (plan) =>
      plan._tag === "Keep" || plan._tag === "Refuse" ? plan : { ...plan, changes: plan.changes.flatMap(change) },
    base
  )

/**
 * Ours, with what is folded put wrong.
 *
 * @since 0.1.0
 * @category mutants
 */
export const folded = (
  change: (happenings: ReadonlyArray<Happening>, view: Transcript) => ReadonlyArray<Happening>,
  base = ours
): Implementation => ({ ...base, evolve: (view, happenings) => base.evolve(view, change(happenings, view)) })

/**
 * Ours, with the messages of every view put wrong.
 *
 * @since 0.1.0
 * @category mutants
 */
export const shown = (
  change: (messages: ReadonlyArray<Message>, before: Transcript) => ReadonlyArray<Message>,
  base = ours
): Implementation => ({
  ...base,
  evolve: (view, happenings) => {
    const next = base.evolve(view, happenings)
    return { ...next, messages: change(next.messages, view) }
  }
})

/**
 * A message with other items, or none where none are left.
 *
 * @since 0.1.0
 * @category mutants
 */
export const withItems = (
  message: Message,
  change: (items: Message["items"]) => ReadonlyArray<Message["items"][number]>
): ReadonlyArray<Message> => {
  const [first, ...rest] = change(message.items)
  return first === undefined ? [] : [{ ...message, items: [first, ...rest] }]
}

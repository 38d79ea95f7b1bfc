/**
 * Law 9: everything that entered stands in every later request of its segment, in some form; and what the user, the system
 * prompt and the model said, its calls and its reasoning stand there as they are.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Seq } from "@palimpsest/ledger/Ids"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Mutate from "./Mutate.ts"
import { textOfItem } from "./Rendered.ts"
import * as Script from "./Script.ts"
import { play, type Played, type Turned } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const accounted: Law<Implementation> = {
  number: 9,
  name: "every entry of the segment stands in every request, once, and only results ever change form",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) => {
      const played = play(implementation, script, marks)
      return played.requests.every((turned) => isAccounted(played, turned))
    }),
  mutants: [
    {
      name: "the oldest words leave first",
      implementation: alsoLeaves((item) => item._tag === "Entry" && item.entered.part._tag === "Text")
    },
    {
      name: "arguments leave with their results",
      implementation: alsoLeaves((item) => item._tag === "Entry" && item.entered.part._tag === "Call")
    },
    {
      name: "reasoning leaves",
      implementation: alsoLeaves((item) => item._tag === "Entry" && item.entered.part._tag === "Reasoning")
    },
    {
      name: "a batch takes all between its first and its last entry",
      implementation: Mutate.planned((plan) => {
        const first = plan._tag === "Batch" ? plan.changes[0] : undefined
        if (plan._tag !== "Batch" || first === undefined) return plan
        const seqs = plan.changes.map(({ entries }) => entries[1])
        const last = seqs.reduce((max, seq) => (seq > max ? seq : max), first.entries[1])
        return { ...plan, changes: [...plan.changes, { entries: [first.entries[0], last], form: first.form }] }
      })
    },
    {
      name: "a restart forgets what it was told to keep",
      implementation: Mutate.folded((happenings) =>
        happenings.map((one) => (one._tag === "Restarted" ? { ...one, keeps: one.keeps.slice(1) } : one))
      )
    }
  ]
}

const isAccounted = ({ texts }: Played, { standing, view }: Turned): boolean => {
  const items = view.messages.flatMap((message) => message.items.map((item) => ({ item, role: message.role })))
  const stands: Array<Seq> = []
  for (const { item } of items) {
    if (item._tag !== "Entry") continue
    stands.push(item.seq)
    const { part } = item.entered
    if (part._tag === "Result") continue
    if (item.form._tag !== "Whole" || textOfItem(texts, item) !== (texts.get(item.seq) ?? []).join("")) return false
  }
  return stands.length === standing.size && stands.every((seq) => standing.has(seq))
}

/** A batch also leaves out the first item of a kind that it must not touch. */
function alsoLeaves(which: (item: Parameters<typeof textOfItem>[1]) => boolean): Implementation {
  return {
    ...ours,
    plan: (view, marks, asked) => {
      const plan = ours.plan(view, marks, asked)
      const item = view.messages.flatMap(({ items }) => items).find(which)
      if (item === undefined || plan._tag !== "Batch" || plan.changes[0] === undefined) return plan
      const form = plan.changes[0].form
      return { ...plan, changes: [...plan.changes, { entries: [item.seq, item.seq], form }] }
    }
  }
}

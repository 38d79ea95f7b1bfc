/**
 * Law 8: calls and results stay together, in every request: parallel batches, results between the lines of their message,
 * late results, calls that are pending or never answered, results without a call.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Happening, Item } from "../Transcript.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Mutate from "./Mutate.ts"
import { faultsOf } from "./Pairing.ts"
import * as Script from "./Script.ts"
import { play } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const paired: Law<Implementation> = {
  number: 8,
  name: "every call is answered right behind it, in the order of the calls, once, and nothing else is an answer",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) =>
      play(implementation, script, marks).requests.every(
        ({ view }) => view.open.length === 0 && faultsOf(view).length === 0
      )
    ),
  mutants: [
    {
      name: "a call without a result stays open",
      implementation: Mutate.folded((happenings) => happenings.map(unclosed))
    },
    {
      name: "results stand in the order in which they came",
      implementation: Mutate.shown((messages) =>
        messages.flatMap((message) => Mutate.withItems(message, (items) => [...items].sort((a, b) => a.seq - b.seq)))
      )
    },
    {
      name: "a late result is said by the user at the end",
      implementation: Mutate.shown((messages, before) => {
        const newest = Math.max(0, ...before.messages.flatMap(({ items }) => items.map(({ seq }) => seq)))
        const isLate = (item: Item, at: number): boolean =>
          at < before.messages.length - 1 && item.seq > newest && isResult(item)
        const late = messages.flatMap(({ items }, at) => items.filter((item) => isLate(item, at)))
        const rest = messages.flatMap((message, at) =>
          Mutate.withItems(message, (items) => items.filter((item) => !isLate(item, at)))
        )
        const [first, ...more] = late
        if (first === undefined) return messages
        return [...rest, { key: "late", role: "user", items: [first, ...more], hidden: [], tokens: 0, scalars: 0 }]
      })
    },
    {
      name: "a result that is left out is dropped with its message",
      implementation: Mutate.shown((messages) =>
        messages.flatMap((message) => Mutate.withItems(message, (items) => items.filter((item) => !isStub(item))))
      )
    },
    {
      name: "the newest answer to a call stands behind the first",
      implementation: Mutate.shown((messages) =>
        messages.flatMap((message) =>
          Mutate.withItems(message, (items) => items.flatMap((item) => (isResult(item) ? [item, item] : [item])))
        )
      )
    },
    {
      name: "a result without a call is sent",
      implementation: {
        ...ours,
        evolve: (view, happenings) => {
          const next = ours.evolve(view, happenings)
          const orphans = happenings.flatMap((one) => (isOrphan(one) ? [itemOf(one)] : []))
          const [first, ...rest] = orphans
          if (first === undefined) return next
          const message = {
            key: "orphan",
            role: "user",
            items: [first, ...rest],
            hidden: [],
            tokens: 0,
            scalars: 0
          } as const
          return { ...next, messages: [...next.messages, message] }
        }
      }
    }
  ]
}

const isStub = (item: Item): boolean => item._tag === "Entry" && item.form._tag === "Stub"

const isResult = (item: Item): boolean =>
  item._tag === "Closed" || (item._tag === "Entry" && item.entered.part._tag === "Result")

const unclosed = (happening: Happening): Happening =>
  happening._tag === "Decided"
    ? {
        ...happening,
        decided: {
          ...happening.decided,
          changes: happening.decided.changes.filter(({ form }) => form._tag !== "Closed")
        }
      }
    : happening

type Entering = Happening & { readonly _tag: "Entered" }

const isOrphan = (happening: Happening): happening is Entering =>
  happening._tag === "Entered" &&
  happening.entered.part._tag === "Result" &&
  happening.entered.part.call.startsWith("nobody")

const itemOf = ({ entered, seq }: Entering): Item => ({ _tag: "Entry", seq, entered, form: { _tag: "Whole" } })

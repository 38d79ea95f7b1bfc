/**
 * Laws of a person's orders. Law 15: an entry is pinned where the newest command about it says so, and nowhere else. Law 9:
 * what is pinned is in no plan, not at the ceiling either. Laws 4 and 8: what comes back comes with its atom, and nothing
 * else of the view is lost or shown twice.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { IsPinned, Plan } from "../Balanced.ts"
import type { Marks } from "../Hysteresis.ts"
import type { Rewrite } from "../Ladder.ts"
import * as Orders from "../Orders.ts"
import type { Rule } from "../Reasoning.ts"
import { isElided } from "../Restoration.ts"
import * as Spans from "../Spans.ts"
import { evolve, type Item, type Transcript } from "../Transcript.ts"
import { ours as implementation } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Ordered from "./Ordered.ts"
import { faultsOf } from "./Pairing.ts"
import * as Script from "./Script.ts"
import { play, type Turned } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const told: Law<Ordered.Ordered> = {
  number: 15,
  name: "an entry is pinned by the newest command about it and by nothing else",
  property: ({ record }) =>
    FastCheck.property(FastCheck.array(Ordered.event, { maxLength: 30 }), (events) => {
      const by = new Map<number, number>()
      let orders = Orders.none
      events.forEach((event, i) => {
        const at = i + 20
        orders = record(orders, at as Seq, event)
        if (event._tag !== "Commanded") return
        const { command } = event
        if (command._tag !== "Pin" && command._tag !== "Unpin") return
        for (let seq: number = command.entries[0]; seq <= command.entries[1]; seq++) {
          if (command._tag === "Pin") by.set(seq, at)
          else by.delete(seq)
        }
      })
      const isSame = SEQS.every((seq) => Orders.pinOf(orders, seq)?.by === by.get(seq))
      return isSame && isOrdered(orders.pins) && isOrdered(orders.kept)
    }),
  mutants: [
    {
      name: "an unpin takes the whole pin that it touches",
      implementation: {
        ...Ordered.ours,
        record: (orders, seq, event) => {
          const next = Ordered.ours.record(orders, seq, event)
          if (event._tag !== "Commanded" || event.command._tag !== "Unpin") return next
          const { entries } = event.command
          const pins = orders.pins.filter((pin) => pin.entries[1] < entries[0] || pin.entries[0] > entries[1])
          return { ...next, pins }
        }
      }
    },
    {
      name: "the oldest pin counts",
      implementation: {
        ...Ordered.ours,
        record: (orders, seq, event) => {
          const next = Ordered.ours.record(orders, seq, event)
          if (event._tag !== "Commanded" || event.command._tag !== "Pin") return next
          return { ...next, pins: orders.pins.reduce((all, { by, entries }) => Spans.add(all, entries, by), next.pins) }
        }
      }
    },
    {
      name: "a decision ends what was pinned",
      implementation: {
        ...Ordered.ours,
        record: (orders, seq, event) => ({
          ...Ordered.ours.record(orders, seq, event),
          ...(event._tag === "Decided" ? { pins: [] } : {})
        })
      }
    },
    {
      name: "an undo pins what it restores",
      implementation: {
        ...Ordered.ours,
        record: (orders, seq, event) => {
          const next = Ordered.ours.record(orders, seq, event)
          return event._tag === "Commanded" && event.command._tag === "Undo" ? { ...next, pins: next.kept } : next
        }
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const pinned: Law<Ordered.Ordered> = {
  number: 9,
  name: "what is pinned keeps its form and its place in every plan, whatever the schedule, at the ceiling too",
  property: (ordered) =>
    FastCheck.property(Script.script, Script.marks, rule, pins, (script, marks, reasoning, isPinned) =>
      planners(ordered, reasoning, isPinned).every((plan) =>
        play({ ...implementation, plan }, script, marks).requests.every((turned) => keeps(turned, isPinned))
      )
    ),
  mutants: [
    {
      name: "an investment knows no pins",
      implementation: {
        ...Ordered.ours,
        ladder: (view, marks, inputs) => Ordered.ours.ladder(view, marks, { ...inputs, isPinned: () => false })
      }
    },
    {
      name: "hysteresis knows no pins",
      implementation: { ...Ordered.ours, balanced: (view, marks) => Ordered.ours.balanced(view, marks, () => false) }
    },
    {
      name: "a turn of which only a call is pinned may leave whole",
      implementation: {
        ...Ordered.ours,
        ladder: (view, marks, inputs) =>
          Ordered.ours.ladder(view, marks, {
            ...inputs,
            isPinned: (item) => item.entered.part._tag === "Result" && inputs.isPinned(item)
          })
      }
    },
    {
      name: "the newest results are bounded harder though they are pinned",
      implementation: {
        ...Ordered.ours,
        ladder: (view, marks, inputs) => {
          const planned = Ordered.ours.ladder(view, marks, inputs)
          return planned._tag === "Squeeze" || planned._tag === "Refuse"
            ? Ordered.ours.ladder(view, marks, { ...inputs, isPinned: () => false })
            : planned
        }
      }
    },
    {
      name: "at the ceiling pins do not count",
      implementation: {
        ...Ordered.ours,
        balanced: (view, marks, isPinned) =>
          Ordered.ours.balanced(
            view,
            marks,
            marks.ceiling !== undefined && view.tokens > marks.ceiling ? () => false : isPinned
          )
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const restored: Law<Ordered.Ordered> = {
  number: 8,
  name: "what comes back comes whole and with its atom; nothing else is lost, doubled or parted from its call",
  property: ({ restore }) =>
    FastCheck.property(Script.script, Script.marks, rule, pins, (script, marks, reasoning, isPinned) => {
      const plan = planners(Ordered.ours, reasoning, () => false)[0]
      return play({ ...implementation, plan }, script, marks).requests.every(({ view }) => {
        const orders = pinning(view, isPinned)
        const after = evolve(view, [
          { _tag: "Decided", decided: { _tag: "Decided", step: STEP, changes: restore(view, orders, reasoning) } }
        ])
        const wasHere = seqsIn(view)
        return (
          same(wasHere, seqsIn(after)) &&
          faultsOf(after).length === 0 &&
          isWhole(after, orders) &&
          restore(after, orders, reasoning).length === 0
        )
      })
    }),
  mutants: [
    {
      name: "only the pinned entry itself comes back",
      implementation: {
        ...Ordered.ours,
        restore: (_, orders) => orders.pins.map(({ entries }) => ({ entries, form: { _tag: "Whole" } }))
      }
    },
    { name: "nothing comes back", implementation: { ...Ordered.ours, restore: () => [] } },
    {
      name: "the words that stood for it are not said anew",
      implementation: {
        ...Ordered.ours,
        restore: (view, orders, reasoning) =>
          Ordered.ours
            .restore(view, orders, reasoning)
            .filter(({ form }) => form._tag === "Whole")
            .slice(0, 1)
      }
    }
  ]
}

/** Every law of orders. */
export const laws: ReadonlyArray<Law<Ordered.Ordered>> = [restored, pinned, told]

const rule: FastCheck.Arbitrary<Rule> = FastCheck.constantFrom("free", "loop-bound", "prefix-bound", "item-bound")

/** About a fifth of all results and calls, by their place. */
const pins: FastCheck.Arbitrary<IsPinned> = FastCheck.nat({ max: 6 }).map(
  (salt): IsPinned =>
    ({ entered: { part }, seq }) =>
      (part._tag === "Result" || part._tag === "Call") && (seq * 7 + salt) % 5 === 0
)

type Planner = (view: Transcript, marks: Marks) => Plan | Rewrite

const planners = (
  { balanced, ladder }: Ordered.Ordered,
  reasoning: Rule,
  isPinned: IsPinned
): readonly [Planner, Planner] => [
  (view, marks) => ladder(view, marks, Ordered.inputs(view, reasoning, isPinned)),
  (view, marks) => balanced(view, marks, isPinned)
]

const keeps = ({ admitted, view }: Turned, isPinned: IsPinned): boolean => {
  const now = new Map(entriesIn(view).map((item) => [item.seq, item.form]))
  return entriesIn(admitted).every((item) => !isPinned(item) || now.get(item.seq) === item.form)
}

const pinning = ({ messages }: Transcript, isPinned: IsPinned): Orders.Orders => {
  const all = messages.flatMap(({ hidden, items }) => [
    ...items.filter(isEntry),
    ...hidden.map(({ entered, form, seq }): EntryItem => ({ _tag: "Entry", seq, entered, form }))
  ])
  const seqs = all.filter(isPinned).map(({ seq }) => seq)
  return {
    ...Orders.none,
    pins: seqs.reduce<Spans.Spans>((spans, seq) => Spans.add(spans, [seq, seq], BY), [])
  }
}

/** All that is pinned stands, and in no form that leaves something out. */
const isWhole = (view: Transcript, orders: Orders.Orders): boolean => {
  const standing = new Map(entriesIn(view).map((item) => [item.seq, item]))
  return orders.pins.every(({ entries: [seq] }) => {
    const item = standing.get(seq)
    return item !== undefined && !isElided(item.form)
  })
}

const seqsIn = (view: Transcript): ReadonlyArray<number> =>
  view.messages
    .flatMap(({ hidden, items }) => [...items.filter(isEntry).map(({ seq }) => seq), ...hidden.map(({ seq }) => seq)])
    .sort((a, b) => a - b)

const same = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one.length === other.length && one.every((seq, i) => seq === other[i])

const isOrdered = (spans: Spans.Spans): boolean =>
  spans.every(({ entries: [from, to] }, i) => from <= to && (i === 0 || (spans[i - 1]?.entries[1] ?? 0) < from))

type EntryItem = Item & { readonly _tag: "Entry" }

const isEntry = (item: Item): item is EntryItem => item._tag === "Entry"

const entriesIn = (view: Transcript): ReadonlyArray<EntryItem> =>
  view.messages.flatMap(({ items }) => items.filter(isEntry))

const SEQS = Array.from({ length: 18 }, (_, i) => i)
const STEP = 0 as Step
const BY = 1 as Seq

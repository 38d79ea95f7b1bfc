/**
 * The laws of what leaves by investment: turns under words of the view, results behind marks, own words folded.
 *
 *     law 4  every elision is addressed        law 6  every rewrite has a cause, and a worth where that is a saving
 *     law 5  nothing passes the ceiling        law 8  reasoning by its rule
 *     law 9  every entry stands or is hidden, once; what the user and the system prompt said stands as it is
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Rule } from "../Reasoning.ts"
import { weigh, type Hidden, type Item, type Message } from "../Transcript.ts"
import { turnsOf } from "../Turns.ts"
import { investing, type Implementation } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import { isTextResult } from "./Leavable.ts"
import * as Mutate from "./Mutate.ts"
import { textOfItem } from "./Rendered.ts"
import { recapped } from "./Recapped.ts"
import * as Script from "./Script.ts"
import { isSent, play, type Played, type Turned } from "./Simulation.ts"

const free = investing("free")

/**
 * @since 0.1.0
 * @category laws
 */
export const addressed: Law<Implementation> = {
  number: 4,
  name: "what leaves is addressed: by its own mark, or by words that name a range which holds it",
  property: (implementation) =>
    everyRequest(implementation, ({ texts }, { view }) =>
      view.messages.every(
        ({ hidden, items }) =>
          items.every((item) => isMarked(texts, item, hidden)) &&
          hidden.every(({ form, seq }) => isFor(form.rest.seq, seq))
      )
    ),
  mutants: [
    {
      name: "words name nothing",
      implementation: Mutate.changed(
        ({ entries, form }) => [
          { entries, form: form._tag === "Collapse" && form.put.length > 0 ? { ...form, put: ["[left out]"] } : form }
        ],
        free
      )
    },
    {
      name: "words name only their first entry",
      implementation: Mutate.changed(
        ({ entries, form }) => [
          {
            entries,
            form:
              form._tag === "Collapse" && form.put.length > 0 ? { ...form, put: [`[@${entries[0]} left out]`] } : form
          }
        ],
        free
      )
    },
    {
      name: "a fold says nothing of where it is whole",
      implementation: Mutate.changed(
        ({ entries, form }) => [{ entries, form: form._tag === "Fold" ? { ...form, put: ["[folded]"] } : form }],
        free
      )
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const accounted: Law<Implementation> = {
  number: 9,
  name: "every entry of the segment stands in a message or is hidden under one, once; the user's words stand whole",
  property: (implementation) =>
    everyRequest(implementation, ({ texts }, { standing, view }) => {
      const seen: Array<Seq> = []
      for (const { hidden, items, role } of view.messages) {
        for (const item of items) {
          if (item._tag !== "Entry") continue
          seen.push(item.seq)
          if (isSaid(item, role) && textOfItem(texts, item) !== (texts.get(item.seq) ?? []).join("")) return false
        }
        for (const { entered, seq } of hidden) {
          seen.push(seq)
          if (entered.role !== "assistant" && entered.part._tag !== "Result") return false
        }
      }
      return seen.length === standing.size && seen.every((seq) => standing.has(seq))
    }),
  mutants: [
    {
      name: "a range takes all between its ends",
      implementation: Mutate.planned((plan) => {
        if (plan._tag !== "Rewrite") return plan
        const [first] = plan.changes
        const last = plan.changes.reduce((max, { entries }) => (entries[1] > max ? entries[1] : max), 0)
        if (first === undefined) return plan
        return { ...plan, changes: [{ entries: [first.entries[0], last as Seq], form: first.form }] }
      }, free)
    },
    {
      name: "what is hidden is forgotten",
      implementation: Mutate.shown((messages) => messages.map((message) => ({ ...message, hidden: [] })), free)
    },
    {
      name: "the oldest words leave with the first turn",
      implementation: Mutate.planned((plan, { messages }) => {
        const first = plan._tag === "Rewrite" ? plan.changes[0] : undefined
        const words = messages.find(({ role }) => role === "user")?.items[0]
        if (plan._tag !== "Rewrite" || first === undefined || words === undefined) return plan
        return { ...plan, changes: [...plan.changes, { entries: [words.seq, words.seq], form: first.form }] }
      }, free)
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const caused: Law<Implementation> = {
  number: 6,
  name: "a rewrite shows a positive net saving, or the line was passed, or the cache was cold, or the ceiling was",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) =>
      play(implementation, script, marks)
        .requests.filter(isSent)
        .every(({ admitted, asked, decided }) => {
          const line = Math.min(marks.line, marks.ceiling ?? marks.line)
          switch (decided?.epoch) {
            case "schedule":
              return (decided.worth?.saves ?? 0) >= 0 || admitted.tokens > line
            case "cold":
              return asked.cached === 0
            case "ceiling":
              return admitted.tokens > (marks.ceiling ?? Number.POSITIVE_INFINITY)
            default:
              return true
          }
        })
    ),
  mutants: [
    {
      name: "rewrites whatever can leave, on every turn",
      implementation: {
        ...free,
        plan: (view, marks, asked) => {
          const eager = free.plan(view, { ...marks, line: 1, lowWater: 0 }, asked)
          return eager._tag === "Rewrite" ? eager : free.plan(view, marks, asked)
        }
      }
    },
    {
      name: "calls every cache cold",
      implementation: Mutate.planned((plan) => (plan._tag === "Rewrite" ? { ...plan, cause: "cold" } : plan), free)
    },
    {
      name: "calls every rewrite one of the ceiling",
      implementation: Mutate.planned((plan) => (plan._tag === "Rewrite" ? { ...plan, cause: "ceiling" } : plan), free)
    }
  ]
}

/**
 * What a rule of reasoning asks of a request, whose rewrite starts at a message.
 *
 * @since 0.1.0
 * @category laws
 */
export const reasoned = (rule: Exclude<Rule, "free">): Law<Implementation> => ({
  number: 8,
  name: `reasoning that is ${rule} is sent back as its provider takes it`,
  property: (implementation) => everyRequest(implementation, (_, turned) => CHECKS[rule](turned)),
  mutants: [
    { name: "reasoning is taken to be free", implementation: investing("free") },
    ...(rule === "prefix-bound"
      ? [{ name: "it is taken to be bound to its loop", implementation: investing("loop-bound") }]
      : []),
    ...(rule === "loop-bound"
      ? [{ name: "it is taken to be bound to its items", implementation: investing("item-bound") }]
      : [])
  ]
})

const CHECKS: Readonly<Record<Exclude<Rule, "free">, (turned: Turned) => boolean>> = {
  /** Nothing that was rewritten stands before reasoning that is sent: a rewrite ends all that was made behind it. */
  "prefix-bound": ({ shown, view }) => {
    const from = shown.findIndex((message, i) => view.messages[i] !== message)
    return (
      from < 0 ||
      !view.messages.slice(from).some(({ items }) => items.some((item) => isReasoning(item) && wasShown(item, shown)))
    )
  },
  /** Since the user last spoke, no turn with reasoning has lost anything but results. */
  "loop-bound": ({ view }) => {
    const spoke = view.messages.findLastIndex(
      ({ items, role }) =>
        role === "user" && items.some((item) => item._tag === "Entry" && item.entered.part._tag === "Text")
    )
    return view.messages.slice(spoke + 1).every(({ hidden, items }) => {
      if (hidden.some(({ entered }) => entered.part._tag === "Reasoning")) return false
      return (
        !items.some(isReasoning) ||
        items.every(
          (item) => item._tag !== "Entry" || item.form._tag === "Whole" || item.entered.part._tag === "Result"
        )
      )
    })
  },
  /** A response that has reasoning stands whole, or not at all. */
  "item-bound": ({ view }) =>
    view.messages.every(
      ({ items, role }) =>
        role !== "assistant" ||
        !items.some(isReasoning) ||
        items.every((item) => item._tag !== "Entry" || item.form._tag === "Whole")
    )
}

/**
 * @since 0.1.0
 * @category laws
 */
export const bounded: Law<Implementation> = {
  number: 5,
  name: "with a ceiling, whatever leaves, no request passes it; and it is refused only where what may not leave does not fit",
  property: (implementation) =>
    FastCheck.property(
      Script.script,
      Script.marks,
      FastCheck.integer({ min: 200, max: 5_000 }),
      (script, marks, ceiling) =>
        play(implementation, script, { ...marks, ceiling }).requests.every((turned) =>
          turned.plan._tag === "Refuse"
            ? turned.plan.need > ceiling && leastOf(turned) > ceiling
            : turned.view.tokens <= ceiling
        )
    ),
  mutants: [
    {
      name: "the ceiling is not looked at",
      implementation: {
        ...free,
        plan: (view, marks, asked) => free.plan(view, { ...marks, ceiling: undefined }, asked)
      }
    },
    {
      name: "what passes the ceiling is refused, though turns may leave",
      implementation: Mutate.planned(
        (plan, { tokens }) => (plan._tag === "Squeeze" ? { _tag: "Refuse", need: tokens, have: tokens - 1 } : plan),
        free
      )
    },
    {
      name: "words are not charged",
      implementation: Mutate.shown(
        (messages) =>
          messages.map((message) => (message.items[0]._tag === "Words" ? { ...message, tokens: 0 } : message)),
        {
          ...free,
          plan: (view, marks, asked) =>
            free.plan(view, marks.ceiling === undefined ? marks : { ...marks, ceiling: marks.ceiling + 40 }, asked)
        }
      )
    }
  ]
}

/**
 * What a request takes at the least (tokens), counted high: what is in no turn; of the newest turn and of those that wait
 * all but their results; 400 scalar values a result that is new, a mark for one that is not; and words for every turn.
 */
const leastOf = ({ admitted }: Turned): number => {
  const turns = turnsOf(admitted)
  const newest = turns.filter(({ isWords }) => !isWords).at(-1)
  const said = (newest?.items ?? []).reduce(
    (last, { entered, seq }) => (entered.part._tag === "Result" ? last : Math.max(last, seq)),
    0
  )
  let tokens = 0
  admitted.messages.forEach(({ items, tokens: all }, at) => {
    const turn = turns.find(({ from, to }) => at >= from && at < to)
    if (turn === undefined || turn.isWords) {
      tokens += all
      return
    }
    const mayLeave = turn !== newest && !turn.isOpen && turn.items.every(({ seq }) => seq <= said)
    for (const item of items) {
      const inTurn = item._tag === "Entry" && turn.items.includes(item)
      if (mayLeave && inTurn) continue
      const scalars = item._tag === "Entry" ? Math.min(scalarsOfItem(item), isTextResult(item) ? 420 : Infinity) : 50
      tokens += Math.ceil(scalars / 4) + mediaOfItem(item) * 1_500 + 2
    }
    if (at === turn.from) tokens += 70
  })
  return tokens
}

const everyRequest = (
  implementation: Implementation,
  holds: (played: Played, turned: Turned) => boolean
): ReturnType<Law<Implementation>["property"]> =>
  FastCheck.property(Script.script, Script.marks, (script, marks) => {
    const played = play(implementation, script, marks)
    return played.requests.filter(isSent).every((turned) => holds(played, turned))
  })

const isFor = (rest: Seq, seq: Seq): boolean => rest <= seq

/** A mark names its own entry; words name a range that holds every entry that they stand for. */
const isMarked = (texts: Played["texts"], item: Item, hidden: ReadonlyArray<Hidden>): boolean => {
  if (item._tag === "Closed") return true
  const own = textOfItem(texts, item)
  if (item._tag === "Words") {
    const [, from = "", to = from] = /^\[@(\d+)(?:-@(\d+))?/.exec(own) ?? []
    return hidden.length > 0 && hidden.every(({ seq }) => seq >= Number(from) && seq <= Number(to))
  }
  switch (item.form._tag) {
    case "Whole":
    case "Framed":
    case "Bounded":
      return true
    case "Fold":
      return item.form.rest.seq === item.seq && new RegExp(`\\[@${item.seq} |"folded":"@${item.seq}"`).test(own)
    default:
      return "rest" in item.form && item.form.rest.seq === item.seq && own.startsWith(`[@${item.seq} `)
  }
}

const isSaid = (item: Item & { readonly _tag: "Entry" }, role: Message["role"]): boolean =>
  role !== "assistant" && item.entered.part._tag !== "Result"

const isReasoning = (item: Item): boolean => item._tag === "Entry" && item.entered.part._tag === "Reasoning"

const wasShown = ({ seq }: Item, shown: ReadonlyArray<Message>): boolean =>
  shown.some(({ items }) => items.some((item) => item._tag === "Entry" && item.seq === seq))

const scalarsOfItem = (item: Item): number => weigh(item).scalars

const mediaOfItem = (item: Item): number => weigh(item).media

/**
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<Law<Implementation>> = [
  addressed,
  bounded,
  caused,
  reasoned("loop-bound"),
  reasoned("prefix-bound"),
  reasoned("item-bound"),
  accounted,
  recapped
]

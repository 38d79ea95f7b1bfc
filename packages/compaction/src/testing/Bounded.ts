/**
 * Law 5: with a ceiling, what is sent does not pass it, marks and all, counted from the text; what cannot fit is refused,
 * and only that.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import * as Bound from "../Bound.ts"
import type { Marks } from "../Hysteresis.ts"
import { weigh, type Item, type Message } from "../Transcript.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import { isTextResult, LONGEST_STUB, seenIn } from "./Leavable.ts"
import * as Mutate from "./Mutate.ts"
import { tokensOfMessage } from "./Rendered.ts"
import * as Script from "./Script.ts"
import { play, type Played, type Turned } from "./Simulation.ts"

/**
 * Whether every request of a played script is within the ceiling of its marks, or is refused as it has to be.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isWithin = (played: Played): boolean => {
  const known = new Map<Message, number>()
  const count = (message: Message): number => {
    const tokens = known.get(message) ?? tokensOfMessage(played.texts, message)
    known.set(message, tokens)
    return tokens
  }
  return played.requests.every((turned) => {
    const { plan, view } = turned
    const counted = view.messages.reduce((sum, message) => sum + count(message), 0)
    if (counted !== view.tokens) return false
    const { ceiling } = played.marks
    if (plan._tag !== "Refuse") return ceiling === undefined || counted <= ceiling
    return plan.have === ceiling && plan.need > plan.have && leastOf(turned) > plan.have
  })
}

/**
 * @since 0.1.0
 * @category laws
 */
export const bounded: Law<Implementation> = {
  number: 5,
  name: "the tokens of every request, counted from its text, do not pass the ceiling, or it is refused as it cannot fit",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, FastCheck.integer({ min: 200, max: 5_000 }), (script, marks, at) =>
      isWithin(play(implementation, script, { ...marks, ceiling: at }))
    ),
  mutants: [
    {
      name: "the ceiling is not looked at",
      implementation: {
        ...ours,
        plan: (view, marks, asked) => ours.plan(view, { ...marks, ceiling: undefined }, asked)
      }
    },
    {
      name: "what passes the ceiling is refused, and nothing done about it",
      implementation: Mutate.planned((plan, { tokens }) =>
        plan._tag === "Squeeze" ? { _tag: "Refuse", need: tokens, have: tokens - 1 } : plan
      )
    },
    {
      name: "a refusal says what it would take, and that there is enough",
      implementation: Mutate.planned((plan) => (plan._tag === "Refuse" ? { ...plan, need: plan.have } : plan))
    },
    {
      name: "the mark of a bounded result stands outside its cap",
      implementation: { ...ours, bound: (seq, texts, cap) => ours.bound(seq, texts, cap + 96) }
    },
    { name: "every block has its share, room for its mark or not", implementation: { ...ours, bound: byShares } },
    {
      name: "stubs are not charged",
      implementation: {
        ...ours,
        plan: (view, marks, asked) =>
          ours.plan(
            view,
            uncharged(
              marks,
              view.messages.flatMap(({ items }) => items)
            ),
            asked
          )
      }
    },
    {
      name: "bounded once, a result is taken as if it were gone",
      implementation: Mutate.planned((plan) => (plan._tag === "Squeeze" ? { ...plan, fresh: [] } : plan))
    }
  ]
}

/**
 * What a request takes at the least (tokens), counted high: words, calls and pictures; old results as the longest stub; what is
 * new at 400 scalar values, and a token each for rounding.
 */
const leastOf = ({ admitted }: Turned): number => {
  const isSeen = seenIn(admitted.messages)
  let tokens = 1
  admitted.messages.forEach(({ items }, at) => {
    let scalars = 0
    for (const item of items) {
      const weight = weigh(item)
      tokens += weight.media * 1_500 + 2
      scalars += isTextResult(item) ? Math.min(weight.scalars, isSeen(at, item) ? LONGEST_STUB : 403) : weight.scalars
    }
    tokens += Math.ceil(scalars / 4)
  })
  return tokens
}

function uncharged({ ceiling, ...marks }: Marks, items: ReadonlyArray<Item>): Marks {
  const stubs = items.filter((item) => item._tag === "Entry" && item.form._tag === "Stub").length
  return { ...marks, ceiling: ceiling === undefined ? undefined : ceiling + stubs * 20 }
}

function byShares(...[seq, texts, cap]: Parameters<Implementation["bound"]>): ReturnType<Implementation["bound"]> {
  const share = Math.floor(cap / texts.length)
  const put = texts.flatMap((text, i) => Bound.bounded({ seq, block: i + 1 }, text, share).put)
  return { _tag: "Bounded", keep: "both", cap, rest: { seq }, put }
}

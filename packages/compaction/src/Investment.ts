/**
 * The schedule `investment`: a rewrite is an investment. It re-bills the tail behind its first change once, and what it
 * frees is saved on every later request; what it takes away may be needed again, and then costs a request of its own.
 *
 *     [ kept, cached ───────────────┊ freed ╌╌ kept ╌╌ freed ╌╌ kept ╌╌┊ new ]
 *                                   p: the cut
 *     net(p) = Σ gain of what leaves at or after p  −  theta × (write − read) × tokens that stay after p and were cached
 *
 * 1. `gain` of an entry of n tokens with the outlook (use, idle) of its class and idleness:
 *    `read × n × idle − lambda × use × (write × (n + CALL) + ANSWER + read × context)`. What is superseded by an entry
 *    that stands whole has no use to lose.
 * 2. The rewrite happens at the best cut, if its net is positive: it shows its saving (law 6). A cold cache makes the
 *    second term zero, so that a clean-up is free then.
 * 3. Above the line one bounded batch takes what is least likely to be missed per token and request saved, down to the low
 *    water, whatever the net; what pays behind that cut anyway leaves in the same rewrite.
 * 4. The newest turns stay, and the words of the user and of the system prompt are not in any turn (law 9).
 * 5. Reasoning that a cut would end is in its price; what binds a turn to its reasoning keeps it (law 8).
 * 6. A turn leaves whole where that pays (law 8), its neighbours under the same words; else its results leave behind
 *    marks, and its own words are folded.
 *
 * Pure: same inputs, same plan (law 7). The shape of the rule is the ski-rental argument per suffix of a cached prefix.
 *
 * @since 0.1.0
 */
import type { PriceTable } from "@palimpsest/budget/Price"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Attention } from "./Attention.ts"
import type { Rule } from "./Reasoning.ts"
import type { EntryItem, Turn } from "./Turns.ts"
import { weigh, type Message, type Transcript } from "./Transcript.ts"

/**
 * How a run trades loss for money. `lambda` weighs a miss, `theta` a broken cache, both as multiples of what they cost.
 *
 * @since 0.1.0
 * @category models
 */
export interface Appetite {
  readonly lambda: number
  readonly theta: number
}

/**
 * What a plan is made of, beside the view. `step` is the request that is prepared; `cached` is the number of leading
 * messages that the cache still holds (0 where it is cold); `fixed` is in tokens of system prompt and tools; `ended` is
 * the reasoning that the client ended, by changing a message before it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Inputs {
  readonly step: number
  readonly cached: number
  readonly fixed: number
  readonly attention: Attention
  readonly prices: PriceTable
  readonly appetite: Appetite
  readonly reasoning: Rule
  readonly ended: ReadonlyArray<Seq>
  readonly isPinned: (item: EntryItem) => boolean
}

/**
 * What may happen to a turn, and what that is worth, in tokens of uncached input. `mode` is whether it leaves whole or
 * some of its entries do; `frees` is in tokens, `misses` the expected cost of needing it again, `saves` what not carrying
 * it saves until then.
 *
 * @since 0.1.0
 * @category models
 */
export interface Offer {
  readonly turn: Turn
  readonly mode: "whole" | "part"
  readonly items: ReadonlyArray<EntryItem>
  readonly frees: number
  readonly saves: number
  readonly misses: number
}

/**
 * A rewrite that pays: the message that it starts at, what it takes, the tokens that it frees and that it re-bills, and
 * the net saving, in tokens of uncached input.
 *
 * @since 0.1.0
 * @category models
 */
export interface Investment {
  readonly at: number
  readonly offers: ReadonlyArray<Offer>
  readonly frees: number
  readonly rebills: number
  readonly net: number
}

/**
 * The best cut among offers, whether it pays or not; undefined where nothing offers anything.
 *
 * @since 0.1.0
 * @category planning
 */
export const best = (view: Transcript, offers: ReadonlyArray<Offer>, inputs: Inputs): Investment | undefined => {
  const { appetite, cached, prices } = inputs
  const { messages } = view
  const isLost = inputs.reasoning === "prefix-bound"
  let lost = 0
  let found: Investment | undefined
  let tail = 0
  let at = Math.min(cached, messages.length)
  let gain = 0
  let frees = 0
  let freesCached = 0
  for (let i = offers.length - 1; i >= 0; i--) {
    const offer = offers[i]!
    const { from } = offer.turn
    const own = offer.saves - offer.misses
    if (own <= 0) continue
    for (; at > from; at--) {
      tail += messages[at - 1]!.tokens
      if (isLost) lost += reasoningIn(messages[at - 1]!)
    }
    gain += own
    frees += offer.frees
    if (from < cached) freesCached += offer.frees
    const rebills = Math.max(0, tail - freesCached)
    const net = gain - appetite.theta * (prices.cacheWrite - prices.cacheRead) * rebills - prices.uncached * lost
    if (found === undefined || net > found.net) {
      found = { at: from, offers: [], frees, rebills, net }
    }
  }
  return found === undefined ? undefined : { ...found, offers: payingFrom(offers, found.at) }
}

/**
 * The offers at or behind a message that pay.
 *
 * @since 0.1.0
 * @category planning
 */
export const payingFrom = (offers: ReadonlyArray<Offer>, at: number): ReadonlyArray<Offer> =>
  offers.filter(({ misses, saves, turn }) => turn.from >= at && saves > misses)

/**
 * The offers that free at least `need` tokens, those first whose loss is least for what they save; all of them, where
 * they free less.
 *
 * @since 0.1.0
 * @category planning
 */
export const leastMissed = (offers: ReadonlyArray<Offer>, need: number): ReadonlyArray<Offer> => {
  const dearness = ({ misses, saves }: Offer): number => (saves > 0 ? misses / saves : Number.MAX_VALUE)
  const ranked = [...offers].sort((a, b) => dearness(a) - dearness(b) || a.turn.from - b.turn.from)
  const taken: Array<Offer> = []
  let freed = 0
  for (const offer of ranked) {
    if (freed >= need) break
    taken.push(offer)
    freed += offer.frees
  }
  return taken.sort((a, b) => a.turn.from - b.turn.from)
}

/** The tokens of the reasoning in a message. */
const reasoningIn = ({ items }: Message): number =>
  items.reduce(
    (tokens, item) =>
      item._tag === "Entry" && item.entered.part._tag === "Reasoning"
        ? tokens + Math.ceil(weigh(item).scalars / 4)
        : tokens,
    0
  )

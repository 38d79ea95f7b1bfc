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
import { lastOf } from "./Attention.ts"
import { classesOf, type Classes } from "./Classes.ts"
import { classOf, outlook, type Class } from "./Hazard.ts"
import type { Rule } from "./Reasoning.ts"
import { isObserved, turnsOf, type EntryItem, type Turn } from "./Turns.ts"
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
 * messages that the cache still holds (0 where it is cold); `fixed` is in tokens of system prompt and tools.
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
 * The requests that a run is expected to go on for: half of what it has had, at most 150. A short run is not worth a
 * rewrite, a long one is likely to go on.
 *
 * @since 0.1.0
 * @category horizons
 */
export const horizonOf = (step: number): number => Math.min(Math.floor(step / 2), LONGEST_HORIZON)

/**
 * What the turns of a view offer, in order: `paying` the better way for each turn that may leave; `forced` as much of each
 * turn as may leave, whether it pays or not; `newest` the same of the newest turns, which only a ceiling takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Offers {
  readonly paying: ReadonlyArray<Offer>
  readonly forced: ReadonlyArray<Offer>
  readonly newest: ReadonlyArray<Offer>
}

/**
 * What a view offers. Nothing fresh is in it: results that no answer of the model stands behind.
 *
 * @since 0.1.0
 * @category planning
 */
export const offersOf = (view: Transcript, inputs: Inputs): Offers => {
  const turns = turnsOf(view)
  const asked = turns.filter((turn) => !turn.isWords)
  const kept = asked[asked.length - KEPT_TURNS]?.from ?? 0
  const worth = worthOf(view, inputs, classesOf(view), wholeIn(turns))
  const loop = loopIn(view)
  const paying: Array<Offer> = []
  const forced: Array<Offer> = []
  const newest: Array<Offer> = []
  const said = asked
    .at(-1)
    ?.items.reduce((last, { entered, seq }) => (entered.role !== "assistant" ? last : Math.max(last, seq)), 0)
  for (const turn of asked) {
    if (turn === asked.at(-1)) break
    const ways = waysOf(turn, worth, inputs, loop, said ?? 0)
    if (turn.from >= kept) {
      if (ways.forced !== undefined) newest.push(ways.forced)
      continue
    }
    if (ways.paying !== undefined) paying.push(ways.paying)
    if (ways.forced !== undefined) forced.push(ways.forced)
  }
  return { paying, forced, newest }
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
  const ranked = [...offers].sort((a, b) => a.misses / a.saves - b.misses / b.saves || a.turn.from - b.turn.from)
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

interface Worth {
  readonly item: EntryItem
  readonly tokens: number
  readonly saves: number
  readonly misses: number
  readonly idle: number
}

/** Entries that stand whole: only those can take the place of another. */
const wholeIn = (turns: ReadonlyArray<Turn>): ReadonlySet<Seq> => {
  const whole = new Set<Seq>()
  for (const { items } of turns) for (const { form, seq } of items) if (form._tag === "Whole") whole.add(seq)
  return whole
}

const worthOf =
  (view: Transcript, { attention, fixed, prices, appetite, step }: Inputs, classes: Classes, whole: ReadonlySet<Seq>) =>
  (item: EntryItem): Worth => {
    const weight = weigh(item)
    const tokens = Math.ceil(weight.scalars / 4) + weight.media * MEDIA
    const { observation, part } = item.entered
    const of: Class = isObserved(item) ? classOf(observation?.kind) : part._tag === "Text" ? "words" : "arguments"
    const age = Math.max(1, step - lastOf(attention, item.seq, item.entered) - 1)
    const horizon = horizonOf(step)
    const by = classes.superseded.get(item.seq)
    const isGone = item.form._tag !== "Whole" && item.form._tag !== "Bounded"
    const { idle, use } =
      isGone || (by !== undefined && whole.has(by)) ? { use: 0, idle: horizon } : outlook(of, age, horizon)
    const context = view.tokens + fixed
    const miss = prices.cacheWrite * (tokens + CALL) + ANSWER + prices.cacheRead * context
    return {
      item,
      tokens,
      idle,
      saves: prices.cacheRead * tokens * idle,
      misses: appetite.lambda * use * miss
    }
  }

/**
 * What keeps the reasoning of a turn where it is: the open tool loop, as its messages have to start with their reasoning;
 * or the items of its own response, which leave together or not at all (law 8).
 */
const boundBy = (turn: Turn, { reasoning }: Inputs, loop: number): "loop" | "items" | "nothing" => {
  if (!turn.items.some(({ entered }) => entered.part._tag === "Reasoning")) return "nothing"
  if (reasoning === "loop-bound" && turn.from > loop) return "loop"
  return reasoning === "item-bound" ? "items" : "nothing"
}

/** Where the user last spoke: the tool loop is open since then. */
const loopIn = ({ messages }: Transcript): number =>
  messages.findLastIndex(
    ({ items, role }) =>
      role === "user" &&
      items.some((item) => item._tag === "Entry" && item.entered.part._tag === "Text" && !isObserved(item))
  )

/** The ways in which a turn may leave. */
const waysOf = (
  turn: Turn,
  worth: (item: EntryItem) => Worth,
  inputs: Inputs,
  loop: number,
  said: number
): { readonly paying: Offer | undefined; readonly forced: Offer | undefined } => {
  const all = turn.items.map(worth)
  const { prices, step } = inputs
  const bound = boundBy(turn, inputs, loop)
  const mayLeave = ({ item }: Worth): boolean =>
    item.seq <= said && !inputs.isPinned(item) && isElidable(item) && (bound === "nothing" || isObserved(item))
  const marked = all.flatMap((one): ReadonlyArray<Worth> => {
    const mark = mayLeave(one) ? markOf(one.item) : 0
    const kept = one.tokens - mark
    return mark === 0 || kept < LEAST_GAIN ? [] : [{ ...one, tokens: kept, saves: prices.cacheRead * kept * one.idle }]
  })
  const isWhole =
    !turn.isOpen &&
    bound !== "loop" &&
    all.length > 0 &&
    all.every(({ item }) => item.seq <= said && !inputs.isPinned(item))
  const whole: Offer | undefined = isWhole
    ? {
        ...offer(turn, "whole", all),
        frees: Math.max(0, sum(all, ({ tokens }) => tokens) - WORDS),
        saves: Math.max(0, sum(all, ({ saves }) => saves) - prices.cacheRead * WORDS * horizonOf(step))
      }
    : undefined
  const paying = marked.filter(({ misses, saves }) => saves > misses)
  const part = paying.length === 0 ? undefined : offer(turn, "part", paying)
  const forced = whole ?? (marked.length === 0 ? undefined : offer(turn, "part", marked))
  return { paying: better(whole, part), forced }
}

const offer = (turn: Turn, mode: Offer["mode"], all: ReadonlyArray<Worth>): Offer => ({
  turn,
  mode,
  items: all.map(({ item }) => item),
  frees: sum(all, ({ tokens }) => tokens),
  saves: sum(all, ({ saves }) => saves),
  misses: sum(all, ({ misses }) => misses)
})

const better = (whole: Offer | undefined, part: Offer | undefined): Offer | undefined => {
  if (whole === undefined || part === undefined) return whole ?? part
  return whole.saves - whole.misses >= part.saves - part.misses ? whole : part
}

/** The tokens of the mark that would stand for an entry; 0 where none may. */
const markOf = ({ entered: { part, role }, form }: EntryItem): number => {
  if (form._tag !== "Whole" && form._tag !== "Bounded") return 0
  switch (part._tag) {
    case "Result":
      return 28
    case "Text":
      return role === "assistant" ? 12 : 28
    case "Call":
      return 40
    default:
      return 0
  }
}

const isElidable = ({ entered: { part } }: EntryItem): boolean =>
  part._tag !== "Result" || part.blocks.every(({ encoding }) => encoding !== "bytes")

const sum = <A>(all: ReadonlyArray<A>, of: (one: A) => number): number => all.reduce((total, one) => total + of(one), 0)

/** The newest turns that stay as they are. */
const KEPT_TURNS = 2
const LONGEST_HORIZON = 150
/** Tokens: of a call that fetches again, of the answer around it (its output at five times the price), of words for a turn. */
const CALL = 60
const ANSWER = 300
const WORDS = 10
const LEAST_GAIN = 20
/** What one medium is charged (tokens). */
const MEDIA = 1_500

/**
 * What the turns of a view offer to a rewrite: each as a whole, or some of its entries behind marks, with what that saves
 * and what it may cost, as the schedule `investment` weighs it.
 *
 * 1. The newest turns, and results that no answer of the model stands behind, offer nothing that pays; what the user says
 *    is in no turn (law 9).
 * 2. A turn that waits for a result, or that its reasoning binds, does not leave whole (law 8).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import { lastOf } from "./Attention.ts"
import { classesOf, type Classes } from "./Classes.ts"
import { isWhole } from "./Form.ts"
import { classOf, outlook, type Class } from "./Hazard.ts"
import type { Inputs, Offer } from "./Investment.ts"
import { isObserved, turnsOf, type EntryItem, type Turn } from "./Turns.ts"
import { weigh, type Transcript } from "./Transcript.ts"

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
  for (const { items } of turns) for (const { form, seq } of items) if (isWhole(form)) whole.add(seq)
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
    const isGone = !isWhole(item.form) && item.form._tag !== "Bounded"
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
  if (!isWhole(form) && form._tag !== "Bounded") return 0
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

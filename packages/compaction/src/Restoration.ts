/**
 * Restoring: entries that left the view come back whole, in their places, and what that costs.
 *
 *     [task] [@5-@40 left out] [newest]   ── @20 pinned ──>   [task] [@5-@19 left out] [turn of @20] [@21-@40 left out] [newest]
 *
 * 1. Atoms come back as they left: a call with its results, an answer with all that it says (law 8).
 * 2. Words that stood for more than what comes back are said anew for the rest, so that no mark claims to stand for what
 *    stands beside it (law 4).
 * 3. Where reasoning is bound to its prefix, none behind the first message that changes is sent again (law 8).
 * 4. What the client blanked or dropped is the client's own, and stays as it has it.
 *
 * Pure: same view and orders, same changes (law 7).
 *
 * @since 0.1.0
 */
import type { PriceTable } from "@palimpsest/budget/Price"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Entries } from "./Command.ts"
import type { Change, Worth } from "./Decision.ts"
import { isWhole, type Form } from "./Form.ts"
import { horizonOf } from "./Offers.ts"
import { changesOf } from "./Leaving.ts"
import { pinOf, type Orders } from "./Orders.ts"
import type { Rule } from "./Reasoning.ts"
import { find } from "./Spans.ts"
import { evolve, type Hidden, type Item, type Message, type Transcript } from "./Transcript.ts"
import { turnsOf } from "./Turns.ts"

/**
 * The changes that bring back what orders say: what is pinned and not whole, and what an undo asked for. None where nothing
 * of that can come back.
 *
 * @since 0.1.0
 * @category changes
 */
export const changes = (view: Transcript, orders: Orders, rule: Rule): ReadonlyArray<Change> => {
  if (orders.pins.length === 0 && orders.restoring.length === 0) return []
  return back(view, (seq) => pinOf(orders, seq) !== undefined || find(orders.restoring, seq) !== undefined, rule)
}

/**
 * The changes that bring back the entries that are wanted.
 *
 * @since 0.1.0
 * @category changes
 */
export const back = (view: Transcript, isWanted: (seq: Seq) => boolean, rule: Rule): ReadonlyArray<Change> => {
  const isBound = rule === "prefix-bound"
  const wanted = new Set<Seq>()
  const touched = new Set<Seq>()
  for (const { hidden, items } of view.messages) {
    for (const item of items) {
      if (item._tag === "Entry" && isElided(item.form) && isWanted(item.seq)) wanted.add(item.seq)
    }
    const coming = hidden.filter((one) => isWanted(one.seq) && !(isBound && isReasoning(one)))
    for (const { seq } of coming) wanted.add(seq)
    if (coming.length > 0 && items[0]._tag === "Words") for (const { seq } of hidden) touched.add(seq)
  }
  if (wanted.size === 0) return []
  const whole = rangesOf([...wanted, ...touched]).map((entries): Change => ({ entries, form: { _tag: "Whole" } }))
  const opened = after(view, whole)
  const rest = leaving(opened, wanted, touched)
  const said = after(opened, rest)
  return [...whole, ...rest, ...(isBound ? unbound(view, said) : [])]
}

/**
 * What a rewrite is worth from what it does to a view: it re-bills what stood in the cache behind its first change, and
 * frees, or adds, on every later request. `cached` is the number of leading messages that the cache holds.
 *
 * @since 0.1.0
 * @category prices
 */
export const worth = (
  before: Transcript,
  now: Transcript,
  { cached, prices, step }: { readonly cached: number; readonly prices: PriceTable; readonly step: number }
): Worth => {
  const at = firstChange(before, now)
  const read = tokensOf(before.messages.slice(at, Math.max(at, cached)))
  const rebills = Math.max(0, tokensOf(now.messages.slice(at)) - tokensOf(before.messages.slice(Math.max(at, cached))))
  const saved = before.tokens - now.tokens
  const once = prices.cacheWrite * rebills - prices.cacheRead * read
  return {
    frees: Math.max(0, saved),
    rebills,
    saves: Math.round(prices.cacheRead * saved * horizonOf(step) - once)
  }
}

/**
 * Whether a form leaves something out that its entry holds, by our hand.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isElided = (form: Form): boolean => !isWhole(form) && form._tag !== "Framed" && form._tag !== "Closed"

/**
 * Seqs as ranges of neighbours.
 *
 * @since 0.1.0
 * @category ranges
 */
export const rangesOf = (seqs: Iterable<Seq>): ReadonlyArray<Entries> => {
  const ranges: Array<Entries> = []
  for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === seq) ranges[ranges.length - 1] = [last[0], seq]
    else ranges.push([seq, seq])
  }
  return ranges
}

/** Of what was opened, the turns that nobody wants leave again, under words of their own. */
const leaving = (view: Transcript, wanted: ReadonlySet<Seq>, touched: ReadonlySet<Seq>): ReadonlyArray<Change> =>
  changesOf(
    view,
    turnsOf(view)
      .filter(
        ({ isWords, items }) =>
          !isWords && items.every(({ seq }) => touched.has(seq)) && !items.some(({ seq }) => wanted.has(seq))
      )
      .map((turn) => ({ turn, mode: "whole", items: turn.items, frees: 0, saves: 0, misses: 0 }))
  )

const unbound = (before: Transcript, now: Transcript): ReadonlyArray<Change> =>
  now.messages.slice(firstChange(before, now)).flatMap(({ items }) =>
    items.flatMap((item): ReadonlyArray<Change> => {
      if (item._tag !== "Entry" || !isReasoning(item)) return []
      const { seq } = item
      return [{ entries: [seq, seq], form: { _tag: "Collapse", why: { _tag: "Unbound" }, rest: { seq }, put: [] } }]
    })
  )

const firstChange = (before: Transcript, now: Transcript): number => {
  let same = 0
  while (same < now.messages.length && now.messages[same] === before.messages[same]) same++
  return same
}

const isReasoning = ({ entered }: Hidden | (Item & { readonly _tag: "Entry" })): boolean =>
  entered.part._tag === "Reasoning"

const tokensOf = (messages: ReadonlyArray<Message>): number => messages.reduce((sum, { tokens }) => sum + tokens, 0)

const after = (view: Transcript, made: ReadonlyArray<Change>): Transcript =>
  made.length === 0
    ? view
    : evolve(view, [{ _tag: "Decided", decided: { _tag: "Decided", step: STEP, changes: made } }])

const STEP = 0 as Step

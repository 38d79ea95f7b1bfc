/**
 * How far: the rungs of the schedule `investment`, in order, and only as far as needed.
 *
 *     bound at entry → what pays → (above the line) what is least missed → (at the ceiling) all older turns and the
 *     newest, under a recap of what they changed and what fails → fresh results, bounded harder → ContextExhausted
 *
 * 1. Bounded (law 5): with a ceiling, what is planned does not pass it, or the plan is a refusal.
 * 2. Stable (law 6): every rewrite has its cause: the net saving of an investment, the line (`schedule`), a cold cache, or
 *    the ceiling.
 * 3. Addressed (law 4) and accounted (law 9): every change carries an address; what the user said is in no turn.
 *
 * @since 0.1.0
 */
import { ENTRY_CAP_FLOOR } from "@palimpsest/budget/ContextBudget"
import { Step, type Seq } from "@palimpsest/ledger/Ids"
import type { Change } from "./Decision.ts"
import { squeeze, type Plan } from "./Balanced.ts"
import { goal, isWorth, type Marks } from "./Hysteresis.ts"
import { best, leastMissed, payingFrom, type Inputs, type Offer } from "./Investment.ts"
import { offersOf, type Offers } from "./Offers.ts"
import { changesOf, foldsOf, unboundBy } from "./Leaving.ts"
import { evolve, type Transcript } from "./Transcript.ts"

/**
 * What a rewrite was worth when it was planned, in tokens of uncached input: what it frees of each later request, what it
 * re-bills once, and its expected net saving (which at the line or the ceiling may be negative).
 *
 * @since 0.1.0
 * @category models
 */
export interface Priced {
  readonly frees: number
  readonly rebills: number
  readonly net: number
}

/**
 * A rewrite: its changes, and the calls whose arguments are folded too (which takes their texts).
 *
 * @since 0.1.0
 * @category models
 */
export interface Rewrite {
  readonly _tag: "Rewrite"
  readonly cause: "schedule" | "ceiling" | "cold" | "client"
  readonly changes: ReadonlyArray<Change>
  readonly folds: ReadonlyArray<Seq>
  readonly priced: Priced
}

/**
 * Plans one request over a view in which new results are bounded already.
 *
 * @since 0.1.0
 * @category planning
 */
export const plan = (view: Transcript, marks: Marks, inputs: Inputs): Plan | Rewrite => {
  const offers = offersOf(view, inputs)
  const paying = best(view, offers.paying, inputs)
  const over = marks.ceiling !== undefined && view.tokens > marks.ceiling
  if (view.tokens > Math.min(marks.line, marks.ceiling ?? marks.line)) {
    const needed = view.tokens - goal(marks)
    const taken = leastMissed(offers.forced, needed)
    const freed = taken.reduce((sum, { frees }) => sum + frees, 0)
    if (over || isWorth(marks, freed)) return bound(view, marks, inputs, offers, taken)
  }
  if (paying === undefined || paying.net <= 0) {
    const ended = endedBy(view, inputs, [])
    return ended.length === 0 ? { _tag: "Keep" } : rewrite(view, inputs, "client", [], NOTHING)
  }
  return rewrite(view, inputs, inputs.cached === 0 ? "cold" : "schedule", paying.offers, paying)
}

/**
 * The most scalar values that one result may bring in under a line or a ceiling (tokens): a quarter of it. An eighth, as
 * the section has it, cuts a file that is then read again (measured); a floor of 2,000 as there (IO-14).
 *
 * @since 0.1.0
 * @category derived
 */
export const entryCap = (tokens: number): number => Math.max(ENTRY_CAP_FLOOR, tokens)

const NOTHING: Priced = { frees: 0, rebills: 0, net: 0 }

/** Down to the low water, and everything behind the same cut that pays; at the ceiling, the newest turns too. */
const bound = (
  view: Transcript,
  marks: Marks,
  inputs: Inputs,
  offers: Offers,
  taken: ReadonlyArray<Offer>
): Plan | Rewrite => {
  const { ceiling = Number.POSITIVE_INFINITY } = marks
  const older = withPaying(offers, taken)
  if (view.tokens <= ceiling) return rewrite(view, inputs, "schedule", older, priced(view, older, inputs))
  let changes: ReadonlyArray<Change> = []
  let tokens = view.tokens
  for (const all of [older, withPaying(offers, offers.forced), [...offers.forced, ...offers.newest]]) {
    const planned = rewrite(view, inputs, "ceiling", all, priced(view, all, inputs))
    changes = planned.changes
    tokens = tokensAfter(view, inputs, changes)
    if (tokens <= ceiling) return planned
  }
  return squeeze(view, tokens, ceiling, changes, inputs.isPinned)
}

/** Offers count marks and words roughly; at the ceiling they are counted exactly (law 5). */
const tokensAfter = (view: Transcript, { step }: Inputs, changes: ReadonlyArray<Change>): number =>
  evolve(view, [{ _tag: "Decided", decided: { _tag: "Decided", step: Step.make(step), changes } }]).tokens

/** What is taken, and of the turns behind the first of it what pays anyway. */
const withPaying = ({ paying }: Offers, taken: ReadonlyArray<Offer>): ReadonlyArray<Offer> => {
  const [first] = taken
  if (first === undefined) return []
  const turns = new Set(taken.map(({ turn }) => turn.from))
  const also = payingFrom(paying, first.turn.from).filter(({ turn }) => !turns.has(turn.from))
  return [...taken, ...also].sort((a, b) => a.turn.from - b.turn.from)
}

const freed = (offers: ReadonlyArray<Offer>): number => offers.reduce((sum, { frees }) => sum + frees, 0)

const priced = (view: Transcript, offers: ReadonlyArray<Offer>, { cached, prices }: Inputs): Priced => {
  const [first] = offers
  const frees = freed(offers)
  const tail = first === undefined ? 0 : tokensFrom(view, first.turn.from, cached)
  const rebills = Math.max(0, tail - frees)
  const gain = offers.reduce((sum, { misses, saves }) => sum + saves - misses, 0)
  return { frees, rebills, net: gain - (prices.cacheWrite - prices.cacheRead) * rebills }
}

const endedBy = (view: Transcript, { ended, reasoning }: Inputs, offers: ReadonlyArray<Offer>) =>
  reasoning === "prefix-bound" ? unboundBy(view, offers, ended) : []

const rewrite = (
  view: Transcript,
  inputs: Inputs,
  cause: Rewrite["cause"],
  offers: ReadonlyArray<Offer>,
  { frees, net, rebills }: Priced
): Rewrite => ({
  _tag: "Rewrite",
  cause,
  changes: [...changesOf(view, offers), ...endedBy(view, inputs, offers)],
  folds: foldsOf(offers),
  priced: { frees, net, rebills }
})

const tokensFrom = ({ messages }: Transcript, from: number, to: number): number => {
  let tokens = 0
  for (let i = from; i < Math.min(to, messages.length); i++) tokens += messages[i]!.tokens
  return tokens
}

/**
 * What requests cost, by an accounting that anyone can repeat from the requests as written: the longest prefix of
 * messages that a request shares with the run's request before it is read from the cache, the rest is written to it, or
 * the whole goes uncached where that is cheaper. Input only, in tokens of uncached input.
 *
 * A fixed part (system, tools) stands before the messages of every request: new in a run's first, cached after.
 *
 * @since 0.1.0
 */
import { requestCost, type PriceTable } from "@palimpsest/budget/Price"
import type { Reason } from "@palimpsest/compaction/Form"

/**
 * A request, in managed tokens: of its messages together, and of those that it shares with the one before.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sent {
  readonly tokens: number
  readonly shared: number
}

/**
 * Sums over requests. `tokens`, `cached` and `cost` include the fixed part; `peakTokens` does not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tally {
  readonly sent: number
  readonly tokens: number
  readonly cached: number
  readonly cost: number
  readonly peakTokens: number
}

/**
 * Changed entries, summed over requests, by reason.
 *
 * @since 0.1.0
 * @category models
 */
export type Elided = Readonly<Partial<Record<Reason, number>>>

/**
 * @since 0.1.0
 * @category constructors
 */
export const zero: Tally = { sent: 0, tokens: 0, cached: 0, cost: 0, peakTokens: 0 }

/**
 * The sums with one more request. `fixed` is in tokens.
 *
 * @since 0.1.0
 * @category accounting
 */
export const add = (tally: Tally, request: Sent, fixed: number, prices: PriceTable): Tally => {
  const cached = request.shared + (tally.sent === 0 ? 0 : fixed)
  const fresh = request.tokens + fixed - cached
  return {
    sent: tally.sent + 1,
    tokens: tally.tokens + request.tokens + fixed,
    cached: tally.cached + cached,
    cost: tally.cost + requestCost({ cached, fresh }, prices),
    peakTokens: Math.max(tally.peakTokens, request.tokens)
  }
}

/**
 * The sums of several runs.
 *
 * @since 0.1.0
 * @category accounting
 */
export const total = (tallies: ReadonlyArray<Tally>): Tally =>
  tallies.reduce(
    (sum, tally) => ({
      sent: sum.sent + tally.sent,
      tokens: sum.tokens + tally.tokens,
      cached: sum.cached + tally.cached,
      cost: sum.cost + tally.cost,
      peakTokens: Math.max(sum.peakTokens, tally.peakTokens)
    }),
    zero
  )

/**
 * Adds counts by reason.
 *
 * @since 0.1.0
 * @category accounting
 */
export const addElided = (sum: Elided, more: Elided): Elided => {
  const out: Partial<Record<Reason, number>> = { ...sum }
  for (const reason of REASONS) {
    const count = more[reason] ?? 0
    if (count > 0) out[reason] = (out[reason] ?? 0) + count
  }
  return out
}

const REASONS: ReadonlyArray<Reason> = [
  "superseded",
  "invalidated",
  "duplicated",
  "consumed",
  "aged",
  "refused",
  "bounded",
  "refreshed",
  "folded",
  "masked",
  "recapped",
  "mended",
  "unbound"
]

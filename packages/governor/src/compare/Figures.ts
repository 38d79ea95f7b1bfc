/**
 * The sums of a comparison, and the figures that are read from them. Sums of several sessions add up; ratios are of sums.
 *
 * @since 0.1.0
 */
import * as Economy from "../Economy.ts"
import type { AsSent } from "./AsSent.ts"

/**
 * What one preset came to over all runs of a session, or over several sessions. `open` and `closed` are sums of requests,
 * `worstTurn` the largest ratio of one request's cost to that of raw's request of the same number. `asSent` is undefined
 * where it was not asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sums {
  readonly preset: string
  readonly asSent: AsSent | undefined
  readonly open: Economy.Tally
  readonly closed: Economy.Tally
  readonly uses: number
  readonly lost: number
  readonly missed: number
  readonly rewrites: number
  readonly refused: number
  readonly worstTurn: number
}

/**
 * Ratios are to raw. `loss` is the share of uses that a request did not show, in the open loop; `cachedShare` that of the
 * tokens sent which were read from the cache; `peakTokens` the largest request without its fixed part; `rewrites` the
 * epochs that the preset began; `misses` what was asked for again in the closed loop; `refused` the requests not sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Figures {
  readonly preset: string
  readonly asSentRatio: number | null
  readonly openRatio: number
  readonly closedRatio: number
  readonly loss: number
  readonly cachedShare: number
  readonly peakTokens: number
  readonly rewrites: number
  readonly worstTurnRatio: number
  readonly uses: number
  readonly lost: number
  readonly misses: number
  readonly refused: number
}

/**
 * The figures of a preset beside raw.
 *
 * @since 0.1.0
 * @category accessors
 */
export const figuresOf = (sums: Sums, raw: Sums): Figures => ({
  preset: sums.preset,
  asSentRatio: sums.asSent === undefined ? null : ratio(sums.asSent.governed, sums.asSent.raw),
  openRatio: ratio(sums.open.cost, raw.open.cost),
  closedRatio: ratio(sums.closed.cost, raw.closed.cost),
  loss: sums.uses === 0 ? 0 : sums.lost / sums.uses,
  cachedShare: sums.open.tokens === 0 ? 0 : sums.open.cached / sums.open.tokens,
  peakTokens: sums.open.peakTokens,
  rewrites: sums.rewrites,
  worstTurnRatio: sums.worstTurn,
  uses: sums.uses,
  lost: sums.lost,
  misses: sums.missed,
  refused: sums.refused
})

/**
 * The sums of the same preset over several runs or sessions, of which there is at least one.
 *
 * @since 0.1.0
 * @category accounting
 */
export const total = ([first, ...rest]: readonly [Sums, ...ReadonlyArray<Sums>]): Sums => rest.reduce(plus, first)

/** 1 where nothing was sent at all: nothing was saved and nothing was lost. */
export const ratio = (cost: number, raw: number): number => (raw === 0 ? 1 : cost / raw)

const plus = (a: Sums, b: Sums): Sums => ({
  preset: a.preset,
  asSent:
    a.asSent === undefined || b.asSent === undefined
      ? undefined
      : { raw: a.asSent.raw + b.asSent.raw, governed: a.asSent.governed + b.asSent.governed },
  open: Economy.total([a.open, b.open]),
  closed: Economy.total([a.closed, b.closed]),
  uses: a.uses + b.uses,
  lost: a.lost + b.lost,
  missed: a.missed + b.missed,
  rewrites: a.rewrites + b.rewrites,
  refused: a.refused + b.refused,
  worstTurn: Math.max(a.worstTurn, b.worstTurn)
})

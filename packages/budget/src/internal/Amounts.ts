/** Arithmetic of amounts: each counted axis by itself. */
import type { Amount, RunRow } from "../Account.ts"
import type { Hold } from "../Hold.ts"

export const plus = (a: Amount, b: Amount): Amount => ({
  tokens: a.tokens + b.tokens,
  micros: a.micros + b.micros,
  calls: a.calls + b.calls
})

export const minus = (a: Amount, b: Amount): Amount => ({
  tokens: a.tokens - b.tokens,
  micros: a.micros - b.micros,
  calls: a.calls - b.calls
})

export const ofHold = ({ micros, tokens }: Hold): Amount => ({ tokens, micros: micros ?? 0, calls: 1 })

/** What a run takes up of its parent: all that is committed in it, or what is set aside for it while it lives. */
export const outward = ({
  allotment,
  committed,
  epitaph
}: Pick<RunRow, "allotment" | "committed" | "epitaph">): Amount =>
  epitaph === undefined
    ? {
        tokens: Math.max(committed.tokens, allotment.tokens ?? 0),
        micros: Math.max(committed.micros, allotment.micros ?? 0),
        calls: Math.max(committed.calls, allotment.calls ?? 0)
      }
    : committed

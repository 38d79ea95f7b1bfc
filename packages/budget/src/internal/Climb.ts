/** Changing a run's row and the sums of every row above it: as many steps as the run is deep. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { nothing, type Account, type Amount, type RunRow } from "../Account.ts"
import type { RunId } from "../Ids.ts"
import { minus, outward, plus } from "./Amounts.ts"

/** What a change adds to the sums of a subtree; negative where it takes away. */
export interface Shift {
  readonly charged: Amount
  readonly held: Amount
  readonly unmeasured: { readonly tokens: number; readonly micros: number }
  readonly busyMs: number
  readonly open: number
  readonly openSince: number
  readonly contextBytes: number
}

export const still: Shift = {
  charged: nothing,
  held: nothing,
  unmeasured: { tokens: 0, micros: 0 },
  busyMs: 0,
  open: 0,
  openSince: 0,
  contextBytes: 0
}

/** Adds a shift to a run and to all above it. */
export const shift = (account: Account, run: RunId, by: Shift, own: (row: RunRow) => RunRow): Account | undefined =>
  climb(account, run, plus(by.charged, by.held), (row, isOwn) => {
    const next: RunRow = {
      ...row,
      charged: plus(row.charged, by.charged),
      held: plus(row.held, by.held),
      unmeasured: {
        tokens: row.unmeasured.tokens + by.unmeasured.tokens,
        micros: row.unmeasured.micros + by.unmeasured.micros
      },
      busyMs: row.busyMs + by.busyMs,
      open: row.open + by.open,
      openSince: row.openSince + by.openSince,
      contextBytes: Math.max(row.contextBytes, by.contextBytes)
    }
    return isOwn ? own({ ...next, own: plus(row.own, by.charged) }) : next
  })

/**
 * Rewrites the rows from a run up. What a row commits changes by what the row below it takes up more than before, which is
 * nothing while that stays within what is set aside for it.
 */
export const climb = (
  account: Account,
  run: RunId,
  committed: Amount,
  rewrite: (row: RunRow, isOwn: boolean) => RunRow
): Account | undefined => {
  let runs = account.runs
  let carry = committed
  for (let at: RunId | undefined = run; at !== undefined;) {
    const row: RunRow | undefined = Option.getOrUndefined(HashMap.get(runs, at))
    if (row === undefined) return undefined
    const rewritten = rewrite(row, at === run)
    const next = { ...rewritten, committed: plus(row.committed, carry) }
    runs = HashMap.set(runs, at, next)
    carry = minus(outward(next), outward(row))
    at = row.parent
  }
  return { ...account, runs }
}

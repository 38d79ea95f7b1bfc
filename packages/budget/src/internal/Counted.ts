/** Facts about calls: what they hold, and what they come to. Each gives the account, or what does not fit. */
import * as HashMap from "effect/HashMap"
import {
  nothing,
  REMEMBERED,
  reservationOf,
  type Account,
  type Amount,
  type Head,
  type ReservationRow
} from "../Account.ts"
import type * as AccountFact from "../AccountFact.ts"
import * as Measure from "../Measure.ts"
import { minus, ofHold } from "./Amounts.ts"
import { shift, still } from "./Climb.ts"

export const reserved = (account: Account, fact: typeof AccountFact.Reserved.Type): Account | string => {
  const { hold, landing, reservation, run, time, until } = fact
  if (reservationOf(account, reservation) !== undefined) return `reservation ${reservation} is there already`
  const moved = shift(
    account,
    run,
    { ...still, held: ofHold(hold), open: 1, openSince: time.at, contextBytes: hold.contextBytes ?? 0 },
    (row) => (landing ? { ...row, landed: row.landed + 1 } : row)
  )
  if (moved === undefined) return noRun(run)
  const row: ReservationRow = { reservation, run, hold, landing, since: time.at, until, state: "open" }
  return {
    head: { ...moved.head, nextExpiry: Math.min(until, moved.head.nextExpiry ?? until) },
    runs: moved.runs,
    reservations: HashMap.set(moved.reservations, reservation, row)
  }
}

export const renewed = (account: Account, fact: typeof AccountFact.Renewed.Type): Account | string => {
  const row = reservationOf(account, fact.reservation)
  if (row?.state !== "open") return notOpen(fact.reservation)
  return {
    ...account,
    reservations: HashMap.set(account.reservations, fact.reservation, { ...row, until: fact.until })
  }
}

export const settled = (account: Account, fact: typeof AccountFact.Settled.Type): Account | string => {
  const { charged, reservation, run, spend, time, was } = fact
  const row = reservationOf(account, reservation)
  const amount: Amount = { ...charged, calls: 1 }
  const missing = {
    tokens: Measure.isMeasured(spend.tokens) ? 0 : 1,
    micros: Measure.isMeasured(spend.micros) ? 0 : 1
  }
  if (was === "open" || was === "expired") {
    if (row === undefined || row.run !== run || (row.state === "open") !== (was === "open")) return notOpen(reservation)
    return closed(move(account, row, amount, missing, time.at), { reservation, run, how: "settled", charged })
  }
  if (row !== undefined) return `reservation ${reservation} is still held`
  return closed(
    shift(account, run, { ...still, charged: amount, unmeasured: missing }, (own) => own),
    { reservation, run, how: "settled", charged }
  )
}

export const released = (account: Account, fact: typeof AccountFact.Released.Type): Account | string => {
  const row = reservationOf(account, fact.reservation)
  if (row === undefined) return notOpen(fact.reservation)
  return closed(move(account, row, nothing, { tokens: 0, micros: 0 }, fact.time.at), {
    reservation: fact.reservation,
    run: row.run,
    how: "released",
    charged: { tokens: 0, micros: 0 }
  })
}

export const expired = (account: Account, fact: typeof AccountFact.LeaseExpired.Type): Account | string => {
  const row = reservationOf(account, fact.reservation)
  if (row?.state !== "open") return notOpen(fact.reservation)
  const charge = fact.charged ? ofHold(row.hold) : nothing
  const missing = fact.charged ? 1 : 0
  const moved = move(account, row, charge, { tokens: missing, micros: missing }, row.until)
  if (moved === undefined) return noRun(row.run)
  const state = fact.charged ? "charged" : "expired"
  return { ...moved, reservations: HashMap.set(moved.reservations, fact.reservation, { ...row, state }) }
}

/** Takes away what the reservation stands for in the sums, puts what it came to in its place. */
const move = (
  account: Account,
  row: ReservationRow,
  charged: Amount,
  missing: { readonly tokens: number; readonly micros: number },
  at: number
): Account | undefined => {
  const isOpen = row.state === "open"
  const before = row.state === "charged" ? ofHold(row.hold) : nothing
  const wasMissing = row.state === "charged" ? 1 : 0
  return shift(
    account,
    row.run,
    {
      charged: minus(charged, before),
      held: isOpen ? minus(nothing, ofHold(row.hold)) : nothing,
      unmeasured: { tokens: missing.tokens - wasMissing, micros: missing.micros - wasMissing },
      busyMs: Math.max(0, at - (isOpen ? row.since : row.until)),
      open: isOpen ? -1 : 0,
      openSince: isOpen ? -row.since : 0,
      contextBytes: 0
    },
    (own) => own
  )
}

const closed = (account: Account | undefined, entry: Head["closed"][number]): Account | string => {
  if (account === undefined) return noRun(entry.run)
  const others = account.head.closed.filter(({ reservation }) => reservation !== entry.reservation)
  return {
    head: { ...account.head, closed: [...others.slice(1 - REMEMBERED), entry] },
    runs: account.runs,
    reservations: HashMap.remove(account.reservations, entry.reservation)
  }
}

const notOpen = (reservation: string): string => `reservation ${reservation} is not held so`
const noRun = (run: string): string => `there is no run ${run}, or none above it`

/** Deciding about calls: reserve, renew, settle, release, record, expire. */
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Schema from "effect/Schema"
import { reservationOf, type Account, type ReservationRow } from "../Account.ts"
import type { AccountFact, Settled } from "../AccountFact.ts"
import type * as Command from "../Command.ts"
import { Hold } from "../Hold.ts"
import type { ReservationId, RunId } from "../Ids.ts"
import * as Measure from "../Measure.ts"
import { BadCommand, ReservationGone, UnmeasuredAxis, type Refusal } from "../Refusal.ts"
import type { Spend } from "../Spend.ts"
import { ofHold } from "./Amounts.ts"
import { deadlineOf, isStopped, readingOf } from "./Check.ts"
import { add, done, livePathTo, pathTo, stopped, warnings, type Doing, type Path, type Work } from "./Work.ts"

export const reserve = (work: Work, command: Command.Reserve): Doing => {
  const { hold, reservation, run } = command
  const { account, time } = work
  const leaseMs = leaseOf(account, command.leaseMs)
  if (leaseMs === undefined) return Either.left(bad("Reserve", "leaseMs is not a whole number from 1 to a day"))
  const held = reservationOf(account, reservation)
  if (held !== undefined) {
    if (held.run !== run || !sameHold(held.hold, hold)) {
      return Either.left(bad("Reserve", `the id ${reservation} is held for something else`))
    }
    if (held.state !== "open") return Either.left(gone(reservation, "its lease has run out"))
  } else if (closedOf(account, reservation) !== undefined) return Either.left(gone(reservation, "it is closed"))
  return Either.flatMap(livePathTo(work, run), (path) => {
    const kept = account.head.rules.landing
    const [own] = path
    const landing = command.landing === true && kept !== undefined && own.landed < kept.calls
    const answer = (work: Work, until: number, given: Command.Held["warnings"]): Doing => {
      const deadlineMs = deadlineOf(work.account, path, time.at, landing)
      return done(work, {
        _tag: "Held",
        reservation,
        run,
        until,
        leaseMs: until - time.at,
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
        ...(kept === undefined ? {} : { landingLeft: Math.max(0, kept.calls - own.landed - (landing ? 1 : 0)) }),
        warnings: given
      })
    }
    if (held !== undefined) return answer(work, held.until, [])
    const refusal = checkCall(work, path, hold, landing)
    if (refusal !== undefined) return Either.left(refusal)
    const until = time.at + leaseMs
    return Either.flatMap(add(work, { _tag: "Reserved", reservation, run, hold, landing, until, time }), (held) => {
      const given = warnings(held, run)
      return Either.flatMap(add(held, ...given), (warned) => answer(warned, until, given))
    })
  })
}

/** Why a run may not make a call of this hold; nothing where it may. */
export const checkCall = (work: Work, path: Path, hold: Hold, landing: boolean): Refusal | undefined => {
  const { account, time } = work
  const [own] = path
  const { unmeasured } = account.head.rules
  const ask = {
    amount: ofHold(hold),
    landing,
    depth: own.depth,
    children: 0,
    live: 0,
    contextBytes: hold.contextBytes ?? 0
  }
  for (const { accepted, limits, run: scope, unmeasured: missing } of path) {
    if (limits.micros !== undefined && hold.micros === undefined) {
      return new UnmeasuredAxis({ run: own.run, scope, axis: "micros", why: "the call has no tariff" })
    }
    if (unmeasured === "charge") continue
    for (const axis of ["tokens", "micros"] as const) {
      if (limits[axis] !== undefined && missing[axis] > accepted[axis]) {
        return new UnmeasuredAxis({ run: own.run, scope, axis, why: `${missing[axis]} calls were not measured` })
      }
    }
  }
  if (!isStopped(account, path, time.at, ask)) return undefined
  return Either.merge(stopped(own.run, readingOf(account, own.run, path, time.at, ask)))
}

export const renew = (work: Work, command: Command.Renew): Doing => {
  const { account, time } = work
  const row = reservationOf(account, command.reservation)
  const leaseMs = leaseOf(account, command.leaseMs)
  if (leaseMs === undefined) return Either.left(bad("Renew", "leaseMs is not a whole number from 1 to a day"))
  if (row?.state !== "open") return Either.left(gone(command.reservation, "its lease has run out, or it is closed"))
  const until = Math.max(row.until, time.at + leaseMs)
  const { reservation } = command
  return Either.flatMap(
    until === row.until ? Either.right(work) : add(work, { _tag: "Renewed", reservation, until, time }),
    (work) => done(work, { _tag: "Renewal", until, leaseMs: until - time.at })
  )
}

export const settle = (work: Work, { reservation, spend }: Command.Settle): Doing => {
  const row = reservationOf(work.account, reservation)
  if (row !== undefined) {
    return settled(work, row.run, reservation, spend, row.state === "open" ? "open" : "expired", row)
  }
  const before = closedOf(work.account, reservation)
  if (before === undefined) return Either.left(gone(reservation, "it was never held, or closed long ago"))
  return before.how === "settled"
    ? done(work, { _tag: "Settlement", charged: before.charged, late: false, warnings: [] })
    : settled(work, before.run, reservation, spend, "released", undefined)
}

export const record = (work: Work, { reservation, run, spend }: Command.Record): Doing => {
  const before = closedOf(work.account, reservation)
  if (before?.how === "settled" && before.run === run) {
    return done(work, { _tag: "Settlement", charged: before.charged, late: false, warnings: [] })
  }
  if (before !== undefined || reservationOf(work.account, reservation) !== undefined) {
    return Either.left(bad("Record", `the id ${reservation} is a reservation's`))
  }
  return Either.flatMap(pathTo(work, run), () => settled(work, run, reservation, spend, "unreserved", undefined))
}

export const release = (work: Work, { reservation, why }: Command.Release): Doing => {
  const row = reservationOf(work.account, reservation)
  if (row === undefined) {
    return closedOf(work.account, reservation) === undefined
      ? Either.left(gone(reservation, "it was never held, or closed long ago"))
      : done(work, { _tag: "Freed" })
  }
  return Either.flatMap(
    add(work, { _tag: "Released", reservation, why: why === "" ? "no reason given" : why, time: work.time }),
    (work) => done(work, { _tag: "Freed" })
  )
}

/** The leases that have run out at this moment. */
export const expiries = ({ account, time }: Work): ReadonlyArray<AccountFact> => {
  const { nextExpiry, rules } = account.head
  if (nextExpiry === undefined || time.at < nextExpiry) return []
  return [...HashMap.values(account.reservations)]
    .filter(({ state, until }) => state === "open" && until <= time.at)
    .sort((a, b) => a.until - b.until || (a.reservation < b.reservation ? -1 : 1))
    .map(({ reservation }) => ({ _tag: "LeaseExpired", reservation, charged: rules.expiry === "charge", time }))
}

const settled = (
  work: Work,
  run: RunId,
  reservation: ReservationId,
  spend: Spend,
  was: (typeof Settled.Type)["was"],
  row: ReservationRow | undefined
): Doing => {
  const charged = { tokens: chargeOf(spend, "tokens", row), micros: chargeOf(spend, "micros", row) }
  const fact = { _tag: "Settled", reservation, run, spend, charged, was, time: work.time } as const
  return Either.flatMap(add(work, fact), (settled) => {
    const given = warnings(settled, run)
    return Either.flatMap(add(settled, ...given), (warned) =>
      done(warned, { _tag: "Settlement", charged, late: was === "expired" || was === "released", warnings: given })
    )
  })
}

/** The measured, or else the reservation that stands for it, but never less than is known. Source: LE-W3. */
const chargeOf = (spend: Spend, axis: "tokens" | "micros", row: ReservationRow | undefined): number =>
  Measure.match(spend[axis], {
    measured: (n) => n,
    unmeasured: () => Math.max(row?.hold[axis] ?? 0, spend.atLeast[axis])
  })

const closedOf = (account: Account, reservation: ReservationId) =>
  account.head.closed.find((closed) => closed.reservation === reservation)

const leaseOf = (account: Account, asked: number | undefined): number | undefined => {
  const leaseMs = asked ?? account.head.rules.leaseMs
  return Number.isSafeInteger(leaseMs) && leaseMs >= 1 && leaseMs <= 86_400_000 ? leaseMs : undefined
}

const bad = (command: string, why: string): BadCommand => new BadCommand({ command, why })
const gone = (reservation: ReservationId, why: string): ReservationGone => new ReservationGone({ reservation, why })
const sameHold = Schema.equivalence(Hold)

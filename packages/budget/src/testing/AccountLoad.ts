/**
 * A load for benchmarks: a tree with so many runs and calls, and one call on it. The check and hold of that call must not
 * depend on either number (DESIGN section 6).
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { Account } from "../Account.ts"
import type { Command } from "../Command.ts"
import { AccountId, ReservationId, RunId } from "../Ids.ts"
import * as Measure from "../Measure.ts"
import type { Refusal } from "../Refusal.ts"
import * as Rules from "../Rules.ts"
import * as Spend from "../Spend.ts"
import { transact } from "../Transact.ts"

/**
 * An account of `runs` runs, each but the first below an earlier one and at most eight deep, and of `calls` settled calls,
 * with limits on every axis that calls spend.
 *
 * @since 0.1.0
 * @category loads
 */
export const make = ({
  calls,
  runs
}: {
  readonly calls: number
  readonly runs: number
}): Either.Either<Account, Refusal> => {
  const limits = { tokens: 1e12, micros: 1e12, calls: 1e9, depth: 8, elapsed: 1e9, busy: 1e9 }
  let account: Either.Either<Account | undefined, Refusal> = Either.right(undefined)
  let now = 0
  const act = (command: Command): void => {
    account = Either.flatMap(account, (account) =>
      Either.map(transact(ID, account, command, { clock: "one", mono: now++, wall: 0 }), (done) => done.account)
    )
  }
  act({ _tag: "Open", root: nameOf(0), limits, rules: Rules.standard })
  for (let n = 1; n < runs; n++) act({ _tag: "Dispatch", parent: nameOf(Math.floor((n - 1) / 3)), child: nameOf(n) })
  for (let n = 0; n < calls; n++) {
    act(callOf(n % runs, n))
    act({ _tag: "Settle", reservation: ReservationId.make(`call-${n}`), spend: SPEND })
  }
  return Either.flatMap(account, (account) =>
    account === undefined ? make({ calls: 0, runs: 1 }) : Either.right(account)
  )
}

/**
 * One call on an account: checked against all limits above its run, held, settled. What a steady state repeats.
 *
 * @since 0.1.0
 * @category loads
 */
export const step = (account: Account, run: number, n: number): Either.Either<Account, Refusal> => {
  const instant = { clock: "one", mono: account.head.timeline.at + 1, wall: 0 }
  return Either.flatMap(transact(ID, account, callOf(run, `step-${n}`), instant), (held) =>
    Either.map(
      transact(
        ID,
        held.account,
        { _tag: "Settle", reservation: ReservationId.make(`call-step-${n}`), spend: SPEND },
        instant
      ),
      (settled) => settled.account
    )
  )
}

const callOf = (run: number, n: number | string): Command => ({
  _tag: "Reserve",
  reservation: ReservationId.make(`call-${n}`),
  run: nameOf(run),
  hold: { tokens: 1_000, micros: 100, overshoot: { tokens: 0, micros: 0 } }
})

const nameOf = (n: number): RunId => RunId.make(`run-${n}`)
const ID = AccountId.make("load")
const SPEND = Spend.make(Measure.measured(500), Measure.measured(50))

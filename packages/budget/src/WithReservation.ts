/**
 * A call under a reservation that cannot be forgotten.
 *
 * ```
 * reserve ─> use ─┬─ settled by it            -> nothing more to do
 *                 ├─ succeeds, says no cost   -> settled as unmeasured: charged its hold, not nothing
 *                 ├─ fails, is interrupted or times out before `sent` -> released
 *                 └─ the same after `sent`    -> settled as unmeasured: the provider may bill it
 * ```
 *
 * Whatever happens, the finaliser runs; where the process dies, the lease ends. While the call lasts its lease is renewed, so
 * that only a dead process loses it. A clock's limit bounds the call: past it the call is cut off.
 *
 * Laws kept here: 10 (nothing stays reserved), 11. Source: DESIGN section 6, mending LE-W5, LE-W6; LE-09.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import { Accounts, type AccountsError } from "./Accounts.ts"
import type { Held, Reserve, Settlement } from "./Command.ts"
import type { AccountId, ReservationId, RunId } from "./Ids.ts"
import { unknown, type Spend } from "./Spend.ts"

/**
 * A call was cut off because a clock's limit was reached while it was in flight.
 *
 * @since 0.1.0
 * @category errors
 */
export class DeadlinePassed extends Data.TaggedError("DeadlinePassed")<{
  readonly run: RunId
  readonly reservation: ReservationId
  readonly deadlineMs: number
}> {
  override get message(): string {
    return `${this.run}: the call was cut off after ${this.deadlineMs} ms, where a limit on wall time is reached`
  }
}

/**
 * A call in hand. `sent` says that the request has left: from then on a failure may have cost something. `settle` says
 * what it cost; saying it again says nothing new.
 *
 * @since 0.1.0
 * @category models
 */
export interface InHand {
  readonly held: Held
  readonly sent: Effect.Effect<void>
  readonly settle: (spend: Spend) => Effect.Effect<Settlement, AccountsError>
}

/**
 * Reserves, makes the call, and sees to it that the reservation is closed.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withReservation =
  (account: AccountId, command: Omit<Reserve, "_tag">) =>
  <A, E, R>(
    use: (call: InHand) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | AccountsError | DeadlinePassed, R | Accounts> =>
    Effect.flatMap(Accounts, (accounts) => {
      const { reservation, run } = command
      return Effect.acquireUseRelease(
        Effect.all({ held: accounts.reserve(account, command), state: Ref.make<State>({ at: "held" }) }),
        ({ held, state }) =>
          Effect.gen(function* () {
            const pause = Duration.millis(Math.max(1, Math.floor(held.leaseMs / 3)))
            const alive = yield* accounts.renew(account, { reservation, leaseMs: held.leaseMs }).pipe(
              Effect.catchTag("AccountsUnavailable", () => Effect.void),
              Effect.repeat(Schedule.spaced(pause)),
              Effect.delay(pause),
              Effect.ignore,
              Effect.fork
            )
            const call = use({
              held,
              sent: Ref.update(state, (was): State => (was.at === "held" ? { at: "sent" } : was)),
              settle: (spend) =>
                Ref.set(state, { at: "sent", spend }).pipe(
                  Effect.zipRight(accounts.settle(account, { reservation, spend })),
                  Effect.zipLeft(Ref.set(state, { at: "settled" })),
                  Effect.uninterruptible
                )
            })
            const { deadlineMs } = held
            return yield* Effect.ensuring(
              deadlineMs === undefined
                ? call
                : Effect.timeoutFail(call, {
                    duration: Duration.millis(deadlineMs),
                    onTimeout: () => new DeadlinePassed({ run, reservation, deadlineMs })
                  }),
              Fiber.interrupt(alive)
            )
          }),
        ({ state }, exit) =>
          Effect.flatMap(Ref.get(state), ({ at, spend }) => {
            if (at === "settled") return Effect.void
            const why = Exit.isSuccess(exit)
              ? "the call ended without saying what it cost"
              : Exit.isInterrupted(exit)
                ? "the call was interrupted"
                : "the call failed"
            return at === "held" && Exit.isFailure(exit)
              ? accounts.release(account, { reservation, why })
              : accounts.settle(account, { reservation, spend: spend ?? unknown(why) })
          }).pipe(Effect.retry({ times: 2, while: (error) => error._tag === "AccountsUnavailable" }), Effect.ignore)
      )
    })

/** How far a call is; `spend` is what it said that it cost, where the store did not answer to that. */
interface State {
  readonly at: "held" | "sent" | "settled"
  readonly spend?: Spend
}

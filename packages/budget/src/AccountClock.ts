/**
 * The port to the clocks that an account is told the time by: one monotonic, one of the wall.
 *
 * Laws kept here: 10, 11 (a reading may be wrong; the timeline clamps it).
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "./Timeline.ts"

/**
 * @since 0.1.0
 * @category tags
 */
export class AccountClock extends Context.Tag("@palimpsest/budget/AccountClock")<
  AccountClock,
  {
    /** A reading of both clocks, at once. */
    readonly now: Effect.Effect<Instant>
  }
>() {}

/**
 * The clock of the runtime. `name` stands for the origin of its monotonic reading: take another for each start of a
 * process, or readings of two processes are taken for one clock.
 *
 * @since 0.1.0
 * @category layers
 */
export const ofRuntime = (name: string): Layer.Layer<AccountClock> =>
  Layer.succeed(AccountClock, {
    now: Effect.zipWith(Clock.currentTimeNanos, Clock.currentTimeMillis, (nanos, wall) => ({
      clock: name,
      mono: Number(nanos / 1_000_000n),
      wall
    }))
  })

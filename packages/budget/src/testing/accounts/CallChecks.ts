/** Calls, one at a time. */
import * as Effect from "effect/Effect"
import type { Accounts } from "../../Accounts.ts"
import * as Reading from "../../Reading.ts"
import { standard } from "../../Rules.ts"
import * as Spend from "../../Spend.ts"
import { hold as must, type Check } from "../Contract.ts"
import { bench, call, child, held, refused, same, spent } from "./Bench.ts"

export const calls = (seed: number): ReadonlyArray<Check<Accounts>> => {
  const check = bench(seed)
  return [
    check("an account is opened once, and its limits are frozen", ({ accounts, id, open, root }) =>
      Effect.gen(function* () {
        const command = { reservation: call(1), run: root, hold: held(1) }
        yield* refused(accounts.reserve(id, command), "UnknownAccount", "a call on no account")
        yield* open({ tokens: 8 })
        yield* open({ tokens: 8 })
        yield* refused(
          accounts.open(id, { root, limits: { tokens: 9 }, rules: standard }),
          "BadCommand",
          "other limits"
        )
        yield* refused(
          accounts.open(id, { root: child(1), limits: { tokens: 8 }, rules: standard }),
          "BadCommand",
          "a root"
        )
        yield* refused(accounts.reserve(id, { ...command, run: child(1) }), "UnknownRun", "a run that was not opened")
      })
    ),

    check("a limit is reached at its number, and the refusal says which with all that was read", (bench) =>
      Effect.gen(function* () {
        const { accounts, id, open, root, sums } = bench
        yield* open({ tokens: 8, calls: 100 })
        yield* accounts.reserve(id, { reservation: call(1), run: root, hold: held(8) })
        yield* accounts.settle(id, { reservation: call(1), spend: spent(8) })
        const next = { reservation: call(2), run: root, hold: held(0) }
        const { reading, waits } = yield* refused(accounts.reserve(id, next), "LimitReached", "the call after")
        const [first] = Reading.crossings(reading)
        yield* must(first !== undefined, "nothing was crossed")
        if (first === undefined) return
        yield* same(Reading.display(first), "max_total_tokens exhausted (8/8)", "the words")
        yield* same([waits, reading.scopes[0].axes.length], [false, 10], "what it says")
        yield* same(
          [yield* sums("tokens"), yield* sums("calls")],
          [
            [8, 0],
            [1, 0]
          ],
          "the sums"
        )
      })
    ),

    check("what is held stands against the limit until it is settled or released, and only until then", (bench) =>
      Effect.gen(function* () {
        const { accounts, id, open, root, sums } = bench
        yield* open({ tokens: 100 })
        yield* accounts.reserve(id, { reservation: call(1), run: root, hold: held(60) })
        const two = { reservation: call(2), run: root, hold: held(60) }
        const error = yield* refused(accounts.reserve(id, two), "LimitReached", "two that do not fit")
        yield* same(error.waits, true, "whether it may be asked again")
        yield* accounts.settle(id, { reservation: call(1), spend: spent(10) })
        yield* accounts.reserve(id, two)
        yield* same(yield* sums("tokens"), [10, 60], "the sums")
        yield* accounts.release(id, { reservation: call(2), why: "not made" })
        yield* accounts.release(id, { reservation: call(2), why: "not made" })
        yield* same(yield* sums("tokens"), [10, 0], "the sums after")
      })
    ),

    check("a repeat is answered as the first was and leaves nothing", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100 })
        const command = { reservation: call(1), run: root, hold: held(60) }
        const first = yield* accounts.reserve(id, command)
        const again = yield* accounts.reserve(id, command)
        yield* same(again.until, first.until, "the lease")
        yield* same(yield* sums("tokens"), [0, 60], "what is held")
        yield* refused(accounts.reserve(id, { ...command, hold: held(1) }), "BadCommand", "the id for another call")
        const settle = { reservation: call(1), spend: spent(50) }
        yield* same((yield* accounts.settle(id, settle)).charged.tokens, 50, "the first settlement")
        yield* same((yield* accounts.settle(id, settle)).charged.tokens, 50, "the second")
        yield* accounts.release(id, { reservation: call(1), why: "too late" })
        yield* same(
          [yield* sums("tokens"), yield* sums("calls")],
          [
            [50, 0],
            [1, 0]
          ],
          "the sums"
        )
        yield* refused(
          accounts.settle(id, { reservation: call(9), spend: spent(1) }),
          "ReservationGone",
          "one never held"
        )
        const found = { reservation: call("found"), run: root, spend: spent(7) }
        yield* accounts.record(id, found)
        yield* accounts.record(id, found)
        yield* same(yield* sums("tokens"), [57, 0], "the sums with what was found")
      })
    ),

    check("a call that was released and had been made is counted all the same", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100 })
        yield* accounts.reserve(id, { reservation: call(1), run: root, hold: held(60) })
        yield* accounts.release(id, { reservation: call(1), why: "timed out" })
        const { late } = yield* accounts.settle(id, { reservation: call(1), spend: spent(40) })
        yield* same([late, yield* sums("tokens")], [true, [40, 0]], "the settlement")
      })
    ),

    check("what was not measured is charged what was held, and read as unmeasured", ({ accounts, id, open, root }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100 })
        yield* accounts.reserve(id, { reservation: call(1), run: root, hold: held(60) })
        const { charged } = yield* accounts.settle(id, { reservation: call(1), spend: Spend.unknown("no usage") })
        const tokens = Reading.on(yield* accounts.reading(id, {}), "tokens")
        yield* same([charged.tokens, tokens?.charged, tokens?.actual._tag], [60, 60, "Unmeasured"], "the charge")
      })
    ),

    check("a limit on money without a tariff is a refusal of its own", ({ accounts, id, open, root }) =>
      Effect.gen(function* () {
        yield* open({ micros: 100 })
        const free = { reservation: call(1), run: root, hold: held(1) }
        const { axis } = yield* refused(accounts.reserve(id, free), "UnmeasuredAxis", "no tariff")
        yield* same(axis, "micros", "the axis")
        yield* accounts.reserve(id, { ...free, hold: held(1, 100) })
      })
    ),

    check("one account knows nothing of another", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        const other = bench(seed + 1_000_003)("another account", (bench) =>
          Effect.gen(function* () {
            yield* bench.open({ tokens: 10 })
            yield* bench.accounts.reserve(bench.id, { reservation: call(1), run: root, hold: held(10) })
          })
        )
        yield* open({ tokens: 10 })
        yield* other.check
        yield* accounts.reserve(id, { reservation: call(1), run: root, hold: held(4) })
        yield* same(yield* sums("tokens"), [0, 4], "the sums")
      })
    )
  ]
}

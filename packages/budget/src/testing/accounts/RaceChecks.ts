/** Many fibers at once. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type { Accounts } from "../../Accounts.ts"
import { withReservation } from "../../WithReservation.ts"
import { hold as must, type Check } from "../Contract.ts"
import { bench, call, child, draws, held, same, spent } from "./Bench.ts"

export const races = (seed: number): ReadonlyArray<Check<Accounts>> => {
  const check = bench(seed)
  return [
    check("as many calls are let through at once as fit, and no more", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100 })
        const answers = yield* Effect.forEach(
          numbers(40),
          (n) => Effect.either(accounts.reserve(id, { reservation: call(n), run: root, hold: held(10) })),
          { concurrency: "unbounded" }
        )
        yield* same(answers.filter(Either.isRight).length, 10, "the calls let through")
        yield* same(yield* sums("tokens"), [0, 100], "the sums")
      })
    ),

    check("as many children are promised at once as fit, and no more", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100, liveChildren: 8 })
        const answers = yield* Effect.forEach(
          numbers(30),
          (n) => Effect.either(accounts.dispatch(id, { parent: root, child: child(n), allotment: { tokens: 20 } })),
          { concurrency: "unbounded" }
        )
        yield* same(answers.filter(Either.isRight).length, 5, "the children promised")
        yield* same(yield* sums("liveChildren"), [5, 0], "the live children")
      })
    ),

    check("one settlement and one end, however many say so at once", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 8 })
        yield* accounts.dispatch(id, { parent: root, child: child(1) })
        yield* accounts.reserve(id, { reservation: call(1), run: child(1), hold: held(8) })
        const many = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          Effect.all(
            numbers(20).map(() => effect),
            { concurrency: "unbounded" }
          )
        yield* many(accounts.settle(id, { reservation: call(1), spend: spent(8) }))
        const ends = yield* many(accounts.exhaust(id, { run: child(1) }))
        yield* same(yield* sums("tokens"), [8, 0], "the sums")
        yield* same(ends.filter(({ deposit }) => deposit !== undefined).length, 1, "the deposits")
      })
    ),

    check("nothing stays reserved after calls that succeed, fail, are interrupted or time out", (bench) =>
      Effect.gen(function* () {
        const { id, open, root, sums } = bench
        yield* open({ tokens: 1_000 })
        const draw = draws(seed)
        const plans = numbers(60).map((n) => ({ n, how: draw(6), tokens: 1 + draw(15), isSent: draw(2) === 1 }))
        const before = yield* Effect.forEach(
          plans,
          ({ how, isSent, n, tokens }) =>
            Effect.gen(function* () {
              const fiber = yield* Effect.fork(
                Effect.either(
                  withReservation(id, { reservation: call(n), run: root, hold: held(tokens) })(({ sent, settle }) =>
                    Effect.gen(function* () {
                      if (isSent) yield* sent
                      yield* Effect.yieldNow()
                      if (how === 0) return yield* Effect.fail("failed")
                      if (how === 1) return yield* Effect.die("died")
                      if (how === 2) return yield* Effect.interrupt
                      if (how === 3) return yield* Effect.never
                      if (how === 4) return undefined
                      return yield* settle(spent(tokens - 1))
                    })
                  )
                )
              )
              for (const _ of numbers(20)) yield* Effect.yieldNow()
              if (how === 3) yield* Fiber.interrupt(fiber)
              yield* Fiber.await(fiber)
              const [charged, reserved] = yield* sums("tokens")
              return charged + reserved
            }),
          { concurrency: 12 }
        )
        yield* must(Math.max(...before) <= 1_000, `${Math.max(...before)} of 1000 were spoken for`)
        const [charged, reserved] = yield* sums("tokens")
        const [calls] = yield* sums("calls")
        const made = plans.filter(({ how, isSent }) => how >= 4 || isSent)
        yield* same(reserved, 0, "what is still reserved")
        if (plans.reduce((sum, { tokens }) => sum + tokens, 0) > 1_000) return
        yield* same(calls, made.length, "the calls counted")
        const expected = made.reduce((sum, { how, tokens }) => sum + (how === 5 ? tokens - 1 : tokens), 0)
        yield* same(charged, expected, "what was charged")
      })
    )
  ]
}

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, n) => n)

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { describe, expect, it } from "vitest"
import { runOf, type Account } from "../../src/Account.ts"
import type { AccountFact } from "../../src/AccountFact.ts"
import { AccountClock } from "../../src/AccountClock.ts"
import { Accounts, fromSubmit } from "../../src/Accounts.ts"
import * as AccountsMemory from "../../src/AccountsMemory.ts"
import { evolve } from "../../src/Evolve.ts"
import { disagreements } from "../../src/Derivation.ts"
import { AccountId, ReservationId, RunId } from "../../src/Ids.ts"
import * as Measure from "../../src/Measure.ts"
import { on } from "../../src/Reading.ts"
import { standard } from "../../src/Rules.ts"
import * as Spend from "../../src/Spend.ts"
import type { Instant } from "../../src/Timeline.ts"
import { transact } from "../../src/Transact.ts"
import { withReservation } from "../../src/WithReservation.ts"

/** A fiber's calls: how long each waits before and takes, what it holds, what it comes to, and how it ends. */
const call = FastCheck.record({
  waits: FastCheck.nat(40),
  takes: FastCheck.nat(90),
  tokens: FastCheck.integer({ min: 1, max: 60 }),
  overshoot: FastCheck.nat(20),
  share: FastCheck.nat(100),
  how: FastCheck.constantFrom("settles", "fails", "is interrupted", "hangs", "crashes", "says nothing")
})

const plan = FastCheck.record({
  limit: FastCheck.integer({ min: 20, max: 300 }),
  fibers: FastCheck.array(FastCheck.array(call, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 8 }),
  jumps: FastCheck.array(
    FastCheck.record({
      mono: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: -60_000, max: 60_000 })),
      wall: FastCheck.integer({ min: -60_000, max: 60_000 }),
      process: FastCheck.nat(3)
    }),
    { minLength: 1, maxLength: 20 }
  ),
  expiry: FastCheck.constantFrom("release" as const, "charge" as const)
})
type Plan = typeof plan extends FastCheck.Arbitrary<infer A> ? A : never

const ID = AccountId.make("tree")
const ROOT = RunId.make("root")

/** Clocks of several processes over the test's, each reading off by up to a minute, forwards or back. */
const jumping = (jumps: Plan["jumps"]): Layer.Layer<AccountClock> =>
  Layer.effect(
    AccountClock,
    Effect.map(Ref.make(0), (reads) => ({
      now: Effect.gen(function* () {
        const n = yield* Ref.getAndUpdate(reads, (n) => n + 1)
        const { mono, process, wall } = jumps[n % jumps.length] ?? { mono: 0, wall: 0, process: 0 }
        const now = yield* TestClock.currentTimeMillis
        const instant: Instant = { clock: `process ${process}`, mono: now + mono, wall: 1_700_000_000_000 + now + wall }
        return instant
      })
    }))
  )

/** The most that was spoken for, after any fact, beyond the limit, declared overshoots and what came after its lease. */
const beyond = (limit: number, facts: ReadonlyArray<AccountFact>): number => {
  let account: Account | undefined
  let allowed = limit
  let most = 0
  for (const fact of facts) {
    account = Either.getOrThrow(evolve(account, fact))
    if (fact._tag === "Reserved") allowed += fact.hold.overshoot.tokens
    if (fact._tag === "Settled" && fact.was !== "open" && fact.was !== "unreserved") allowed += fact.charged.tokens
    const root = runOf(account, ROOT)
    most = Math.max(most, (root?.charged.tokens ?? 0) + (root?.held.tokens ?? 0) - allowed)
  }
  return most
}

/** What a plan does: the most that was ever spoken for beyond limit and declaration, what stays, what the log says. */
const run = ({ expiry, fibers, jumps, limit }: Plan, isAtomic = true) =>
  Effect.gen(function* () {
    const { accounts, kept } = yield* AccountsMemory.make.pipe(Effect.provide(jumping(jumps)))
    const counted = yield* Ref.make(0)
    const port = isAtomic
      ? accounts
      : fromSubmit((id, command) =>
          Effect.gen(function* () {
            const before = Option.map(yield* kept(id), ({ account }) => account).pipe(Option.getOrUndefined)
            yield* Effect.sleep(15)
            const now = yield* TestClock.currentTimeMillis
            const done = transact(id, before, command, { clock: "x", mono: now, wall: now })
            if (Either.isLeft(done)) return yield* Effect.fail(done.left)
            if (command._tag !== "Reserve") return done.right.answer
            yield* accounts.record(id, {
              reservation: command.reservation,
              run: command.run,
              spend: Spend.make(Measure.measured(command.hold.tokens), Measure.measured(0))
            })
            return done.right.answer
          })
        )
    yield* accounts.open(ID, {
      root: ROOT,
      limits: { tokens: limit },
      rules: { ...standard, leaseMs: 30, expiry }
    })
    const runs = yield* Effect.forEach(fibers, (calls, f) =>
      Effect.fork(
        Effect.forEach(calls, ({ how, overshoot, share, takes, tokens, waits }, c) =>
          Effect.gen(function* () {
            yield* Effect.sleep(waits)
            const reservation = ReservationId.make(`${f}/${c}`)
            const actual = Math.floor(((tokens + overshoot) * share) / 100)
            const hold = { tokens, overshoot: { tokens: overshoot, micros: 0 } }
            const command = { reservation, run: ROOT, hold }
            if (how === "crashes") return yield* Effect.ignore(port.reserve(ID, command))
            const made = withReservation(
              ID,
              command
            )(({ sent, settle }) =>
              Effect.gen(function* () {
                yield* sent
                if (how === "hangs") return yield* Effect.never
                yield* Effect.sleep(takes)
                if (how === "fails") return yield* Effect.fail("no answer")
                if (how === "is interrupted") return yield* Effect.interrupt
                if (how === "says nothing") return undefined
                yield* settle(Spend.make(Measure.measured(actual), Measure.measured(0)))
                return yield* Ref.update(counted, (n) => n + 1)
              })
            )
            return yield* Effect.ignore(
              Effect.exit(how === "hangs" ? Effect.timeout(made, takes + 1) : made).pipe(
                Effect.provideService(Accounts, port)
              )
            )
          })
        )
      )
    )
    for (let i = 0; i < 30; i++) yield* TestClock.adjust(20)
    yield* TestClock.adjust(200_000)
    for (const fiber of runs) yield* Fiber.await(fiber)
    yield* accounts.expire(ID, {})
    yield* TestClock.adjust(200_000)
    yield* accounts.expire(ID, {})
    const tokens = on(yield* accounts.reading(ID, {}), "tokens")
    const log = Option.getOrThrow(yield* kept(ID))
    return {
      beyond: beyond(limit, log.facts),
      reserved: tokens?.reserved,
      disagree: disagreements(log.account, log.facts),
      settled: log.facts.filter((fact) => fact._tag === "Settled" && Measure.isMeasured(fact.spend.tokens)).length,
      counted: yield* Ref.get(counted)
    }
  }).pipe(Effect.provide(TestContext.TestContext))

describe("law 10, under fibers, failures, interruptions and clocks that jump", () => {
  it("settled and reserved never pass the limit by more than declared, and nothing stays reserved", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(plan, async (plan) => {
        const { beyond, counted, disagree, reserved, settled } = await Effect.runPromise(run(plan))
        expect([reserved, disagree, settled, beyond]).toEqual([0, [], counted, 0])
      }),
      { numRuns: 50 }
    )
  })

  it("the mutant dies: a check that another may come between", async () => {
    const details = await FastCheck.check(
      FastCheck.asyncProperty(plan, async (plan) => {
        const { beyond } = await Effect.runPromise(run({ ...plan, jumps: [{ mono: 0, wall: 0, process: 0 }] }, false))
        return beyond === 0
      }),
      { numRuns: 100, seed: 10, endOnFailure: true }
    )
    expect(details.failed).toBe(true)
  })
})

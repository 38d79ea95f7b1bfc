import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { describe, expect, it } from "vitest"
import { ofRuntime } from "../../src/AccountClock.ts"
import { Accounts, AccountsUnavailable } from "../../src/Accounts.ts"
import * as AccountsMemory from "../../src/AccountsMemory.ts"
import * as ContextBudget from "../../src/ContextBudget.ts"
import { disagreements } from "../../src/Derivation.ts"
import * as Fold from "../../src/Fold.ts"
import { AccountId } from "../../src/Ids.ts"
import * as Measure from "../../src/Measure.ts"
import * as Reading from "../../src/Reading.ts"
import { standard } from "../../src/Rules.ts"
import * as Spend from "../../src/Spend.ts"
import { withReservation } from "../../src/WithReservation.ts"
import { call, hold, Play, ROOT, run, spent } from "./Play.ts"

describe("field-reports 2.7", () => {
  it("B86: N concurrent calls do not all read the same spend: as many are let through as fit", () => {
    const play = new Play({ tokens: 100 })
    const answers = Array.from({ length: 25 }, (_, n) =>
      play.try({ _tag: "Reserve", reservation: call(n), run: ROOT, hold: hold(10) })
    )
    expect(answers.filter(Either.isRight).length).toBe(10)
    expect(play.on("tokens")).toMatchObject({ charged: 0, reserved: 100, remaining: 0 })
  })

  it("B88: a child with a loop of its own settles into its parent, and is told incomplete where it says nothing", () => {
    const play = new Play({ tokens: 100 })
    const child = play.child("child")
    play.must({ _tag: "Record", reservation: call("a"), run: child, spend: spent(30) })
    expect(play.on("tokens")).toMatchObject({ charged: 30, actual: Measure.measured(30) })
    play.must({ _tag: "Record", reservation: call("b"), run: child, spend: Spend.unknown("it told no usage") })
    expect(play.on("tokens")).toMatchObject({
      charged: 30,
      actual: { _tag: "Unmeasured", why: "not of 1 of 2 calls" }
    })
  })

  it("B90: a child is promised no more than its parent has left, and N in parallel share it", () => {
    const play = new Play({ tokens: 1_000 })
    const wants = (name: string, tokens: number) =>
      play.try({ _tag: "Dispatch", parent: ROOT, child: run(name), allotment: { tokens } })
    expect(Either.isLeft(wants("greedy", 5_000_000))).toBe(true)
    play.spend(100)
    const shares = ["a", "b", "c", "d"].map((name) => wants(name, Math.floor(900 / 3)))
    expect(shares.map(Either.isRight)).toEqual([true, true, true, false])
    expect(Reading.remaining(play.reading(run("a")), "tokens")).toBe(300)
    expect(Reading.remaining(play.reading(), "tokens")).toBe(0)
  })

  it("B91: depth 8 by 3 is no 9,840 agents where the tree has a cap, and a sequential spawner meets it too", () => {
    const play = new Play({ depth: 8, children: 50, liveChildren: 12 })
    const queue = [ROOT]
    let refused = 0
    for (let parent = queue.shift(), n = 0; parent !== undefined; parent = queue.shift()) {
      for (let i = 0; i < 3; i++) {
        const child = run(`agent-${n++}`)
        if (Either.isRight(play.try({ _tag: "Dispatch", parent, child }))) queue.push(child)
        else refused++
      }
    }
    expect([play.on("children").charged, play.on("liveChildren").charged]).toEqual([12, 12])
    expect(refused).toBeGreaterThan(0)
    let spawned = 12
    for (let n = 0; n < 100; n++) {
      const last = [...(play.account === undefined ? [] : Fold.encode(play.account).runs)].find(
        ({ epitaph, parent }) => epitaph === undefined && parent !== undefined
      )
      if (last !== undefined) play.must({ _tag: "End", run: last.run, epitaph: "final-response" })
      if (Either.isRight(play.try({ _tag: "Dispatch", parent: ROOT, child: run(`next-${n}`) }))) spawned++
    }
    expect(spawned).toBe(50)
  })
})

describe("lernie's weaknesses, mended", () => {
  it("LE-W5: a lease that a crash left ends, denies nobody after, and is counted once if it is settled after all", () => {
    for (const expiry of ["release", "charge"] as const) {
      const play = new Play({ tokens: 100 }, { ...standard, leaseMs: 1_000, expiry })
      play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(80) })
      const next = { _tag: "Reserve", reservation: call(2), run: ROOT, hold: hold(80) } as const
      play.now = 999
      expect(play.refusal(next)).toMatchObject({ _tag: "LimitReached", waits: true })
      play.now = 1_000
      if (expiry === "release") play.must(next)
      else expect(play.refusal(next)).toMatchObject({ _tag: "LimitReached", waits: false })
      const settle = { _tag: "Settle", reservation: call(1), spend: spent(20) } as const
      expect(play.must(settle)).toMatchObject({ late: true, charged: { tokens: 20 } })
      play.must(settle)
      if (expiry === "charge") play.must(next)
      expect(play.on("tokens")).toMatchObject({ charged: 20, reserved: 80 })
    }
  })

  it("LE-W5: a lease that is renewed does not end", () => {
    const play = new Play({ tokens: 100 }, { ...standard, leaseMs: 1_000 })
    play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(80) })
    for (let i = 0; i < 5; i++) {
      play.now += 900
      play.must({ _tag: "Renew", reservation: call(1) })
    }
    expect(play.on("tokens").reserved).toBe(80)
    play.now += 1_000
    expect(play.must({ _tag: "Expire" })).toMatchObject({ expired: [call(1)] })
    expect(play.refusal({ _tag: "Renew", reservation: call(1) })._tag).toBe("ReservationGone")
  })

  it("LE-W6: a clock is checked and bounds a call by a deadline; a call that hangs is cut off and gives back", async () => {
    const play = new Play({ elapsed: 100, inFlight: 30 })
    expect(play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(1) })).toMatchObject({
      deadlineMs: 30_000
    })
    play.now = 80_000
    play.must({ _tag: "Settle", reservation: call(1), spend: spent(1) })
    expect(play.must({ _tag: "Reserve", reservation: call(2), run: ROOT, hold: hold(1) })).toMatchObject({
      deadlineMs: 20_000
    })
    const hung = Effect.gen(function* () {
      const { accounts, kept } = yield* AccountsMemory.make
      const id = AccountId.make("tree")
      yield* accounts.open(id, { root: ROOT, limits: { inFlight: 30 }, rules: standard })
      const fiber = yield* withReservation(id, { reservation: call(1), run: ROOT, hold: hold(5) })(
        () => Effect.never
      ).pipe(Effect.provideService(Accounts, accounts), Effect.flip, Effect.fork)
      for (let i = 0; i < 4; i++) yield* TestClock.adjust(10_000)
      const error = yield* Fiber.join(fiber)
      const left = Option.getOrThrow(yield* kept(id))
      return { error, last: left.facts.at(-1)?._tag, wrong: disagreements(left.account, left.facts) }
    })
    const done = await Effect.runPromise(
      hung.pipe(Effect.provide(ofRuntime("t")), Effect.provide(TestContext.TestContext))
    )
    expect([done.error._tag, done.last, done.wrong]).toEqual(["DeadlinePassed", "Released", []])
  })

  it("LE-W9: what a call said that it cost is not lost when the store does not answer the first time", async () => {
    const program = Effect.gen(function* () {
      const { accounts, kept } = yield* AccountsMemory.make
      const id = AccountId.make("tree")
      yield* accounts.open(id, { root: ROOT, limits: { tokens: 100 }, rules: standard })
      let failures = 2
      const flaky = {
        ...accounts,
        settle: (...[id, command]: Parameters<typeof accounts.settle>) =>
          failures-- > 0 ? Effect.fail(new AccountsUnavailable({ why: "gone" })) : accounts.settle(id, command)
      }
      const made = withReservation(id, { reservation: call(1), run: ROOT, hold: hold(50) })(({ settle }) =>
        settle(spent(7))
      )
      const error = yield* Effect.flip(Effect.provideService(made, Accounts, flaky))
      return [error._tag, Option.getOrThrow(yield* kept(id)).facts.at(-1)]
    })
    const [tag, last] = await Effect.runPromise(Effect.provide(program, ofRuntime("t")))
    expect(tag).toBe("AccountsUnavailable")
    expect(last).toMatchObject({ _tag: "Settled", was: "open", charged: { tokens: 7 } })
  })

  it("LE-W10: one late warning to a scope and axis, and a reserve of calls to land on", () => {
    const landing = { calls: 2, basisPoints: 1_000 }
    const play = new Play({ tokens: 100 }, { ...standard, warnAt: 8_000, landing })
    play.spend(79)
    expect(play.facts.some(({ _tag }) => _tag === "Warned")).toBe(false)
    play.spend(1)
    play.spend(5)
    expect(play.facts.filter(({ _tag }) => _tag === "Warned")).toMatchObject([
      { scope: ROOT, axis: "tokens", limit: 100, actual: 80 }
    ])
    const ask = (n: number, tokens: number, landing: boolean) =>
      play.try({ _tag: "Reserve", reservation: call(n), run: ROOT, hold: hold(tokens), landing })
    expect(Either.isLeft(ask(1, 6, false))).toBe(true)
    expect(ask(2, 6, true)).toMatchObject({ right: { landingLeft: 1 } })
    expect(ask(3, 6, true)).toMatchObject({ right: { landingLeft: 0 } })
    expect(Either.isLeft(ask(4, 1, true))).toBe(true)
    expect(play.on("tokens")).toMatchObject({ charged: 85, reserved: 12 })
  })

  it("LE-W14: a grant lets a run that ran out go on, wakes nobody, and is warned of anew", () => {
    const play = new Play({ tokens: 10 })
    const child = play.child("child")
    play.spend(10, child)
    play.must({ _tag: "Exhaust", run: child })
    const grant = {
      _tag: "Grant",
      grant: call("g"),
      scope: ROOT,
      raise: { tokens: 10 },
      by: "ada",
      why: "go on"
    } as const
    play.must({ ...grant, resumes: [child] })
    expect(play.check(child)).toBeUndefined()
    play.spend(9, child)
    expect(play.facts.filter(({ _tag }) => _tag === "Warned").length).toBe(2)
    expect(play.refusal({ ...grant, grant: call("h"), resumes: [child] })._tag).toBe("BadCommand")
    expect(play.refusal({ ...grant, grant: call("i"), raise: {} })._tag).toBe("BadCommand")
  })

  it("LE-W3: with `refuse`, what was not measured stops the next call until a grant accepts what was charged", () => {
    const play = new Play({ tokens: 100 }, { ...standard, unmeasured: "refuse" })
    play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(10) })
    play.must({ _tag: "Settle", reservation: call(1), spend: Spend.unknown("no usage") })
    expect(play.check()).toBe("UnmeasuredAxis")
    play.must({ _tag: "Grant", grant: call("g"), scope: ROOT, raise: {}, accepts: ["tokens"], by: "ada", why: "fine" })
    expect([play.check(), play.on("tokens").charged]).toEqual([undefined, 10])
  })

  it("LE-W4: a check looks at as many rows as the run is deep, however many runs and calls there are", () => {
    const small = new Play({ tokens: 1e9 })
    const big = new Play({ tokens: 1e9 })
    for (let n = 0; n < 300; n++) big.spend(1, big.child(`run-${n}`))
    for (const play of [small, big]) {
      play.child("deep", play.child("child"))
      const { account } = play
      if (account === undefined) throw new Error("no account")
      const command = { _tag: "Reserve", reservation: call("x"), run: run("deep"), hold: hold(1) } as const
      const before = account
      play.must(command)
      if (play.account === undefined) throw new Error("no account")
      expect(Fold.changes(before, play.account)).toMatchObject({
        runs: { length: 3 },
        reservations: { length: 1 },
        gone: []
      })
      expect(Fold.footprint(before.head, command, { clock: "one", mono: play.now, wall: 0 })).toEqual({
        runs: [ROOT, run("deep")],
        reservations: [call("x")],
        allOpen: false
      })
    }
  })

  it("IO-47: remaining is the limit less what is spent and held, and the request's share is of that", () => {
    const play = new Play({ tokens: 20_000 })
    play.spend(8_000)
    play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(2_000) })
    const left = Reading.remaining(play.reading(), "tokens")
    expect([left, ContextBudget.effectiveTokens(ContextBudget.standard, left)]).toEqual([10_000, 5_000])
    expect(Reading.remaining(new Play().reading(), "tokens")).toBeUndefined()
  })
})

import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { disagreements, ofUsages } from "../../src/Derivation.ts"
import { Epitaph, wakes } from "../../src/Epitaph.ts"
import { replay } from "../../src/Evolve.ts"
import { RunId } from "../../src/Ids.ts"
import * as Limits from "../../src/Limits.ts"
import * as LimitsDocument from "../../src/LimitsDocument.ts"
import * as Lineage from "../../src/Lineage.ts"
import * as Measure from "../../src/Measure.ts"
import * as Reading from "../../src/Reading.ts"
import { standard } from "../../src/Rules.ts"
import * as Spend from "../../src/Spend.ts"
import * as UsageShape from "../../src/UsageShape.ts"
import { call, hold, Play, ROOT, run, spent } from "./Play.ts"

describe("lernie's rows", () => {
  it("LE-01: three optional axes, each left out is unbounded; what lernie ships is read", () => {
    const read = (budgets: unknown) => Either.map(LimitsDocument.decodeWorkflow({ budgets }), ({ limits }) => limits)
    const shipped = { max_total_tokens: 2_000_000, max_wall_seconds: 3_600, max_depth: 4 }
    expect(read(shipped)).toEqual(Either.right(Limits.lernie))
    expect(read({})).toEqual(Either.right(Limits.unbounded))
    expect(read({ max_depth: 0 })).toEqual(Either.right({ depth: 0 }))
    expect(LimitsDocument.decodeWorkflow({ retry: 1 })).toEqual(Either.right({ limits: {}, rules: standard }))
    const free = new Play()
    free.spend(10 ** 9, ROOT, 10 ** 6)
    expect(free.check()).toBeUndefined()
  })

  it("LE-02: the check comes before every call, and a call that it refuses leaves no fact", () => {
    const play = new Play({ tokens: 10 })
    play.spend(10)
    const before = play.facts.length
    expect(play.refusal({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(1) })._tag).toBe("LimitReached")
    expect(play.facts.length).toBe(before)
  })

  it("LE-03: spend is derived from the facts, and the fold that is kept is that derivation", () => {
    const play = new Play({ tokens: 1_000 })
    const child = play.child("child")
    play.spend(30, child, 2)
    play.spend(12)
    const { account } = play
    if (account === undefined) throw new Error("no account")
    expect(disagreements(account, play.facts)).toEqual([])
    expect(replay(play.facts)).toEqual(Either.right(account))
    expect(disagreements(account, play.facts.slice(0, -1)).length).toBeGreaterThan(0)
  })

  it("LE-04: any run is checked against the whole tree's total, not its own subtree's", () => {
    const play = new Play({ tokens: 1_000 })
    const child = play.child("child")
    const grandchild = play.child("grandchild", child)
    play.spend(600)
    play.spend(350, child)
    expect(play.check(grandchild)).toBeUndefined()
    play.spend(400, grandchild)
    expect(play.check(grandchild)).toBe("max_total_tokens exhausted (1350/1000)")
    expect(play.on("tokens", grandchild).charged).toBe(400)
  })

  it("LE-05: nothing is handed down at a dispatch, and nothing is counted twice", () => {
    const play = new Play({ tokens: 1_000 })
    play.spend(100)
    const child = play.child("child")
    expect(play.facts.find(({ _tag }) => _tag === "ChildOpened")).toMatchObject({ limits: {}, allotment: {} })
    play.spend(50, child)
    expect(play.on("tokens").charged).toBe(150)
    expect(Reading.remaining(play.reading(child), "tokens")).toBe(850)
  })

  it("LE-06: tokens and wall stop at their limit, depth above it; a root's depth is 0", () => {
    const tokens = new Play({ tokens: 8 })
    tokens.spend(7)
    expect(tokens.check()).toBeUndefined()
    tokens.spend(1)
    expect(tokens.check()).toBe("max_total_tokens exhausted (8/8)")
    const wall = new Play({ busy: 10 })
    wall.spend(0, ROOT, 9)
    expect(wall.check()).toBeUndefined()
    wall.spend(0, ROOT, 1)
    expect(wall.check()).toBe("max_wall_seconds exhausted (10/10)")
    const depth = new Play({ depth: 1 })
    const child = depth.child("child")
    expect([depth.check(), depth.check(child)]).toEqual([undefined, undefined])
    expect(depth.refusal({ _tag: "Dispatch", parent: child, child: run("deep") }).message).toContain(
      "max_depth exhausted (2/1)"
    )
  })

  it("LE-07: the first axis in order is named, and all that were crossed are told", () => {
    const play = new Play({ tokens: 5, busy: 5, micros: 100, calls: 1 })
    play.spend(5, ROOT, 5)
    const refusal = play.refusal({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(1, { micros: 1 }) })
    if (refusal._tag !== "LimitReached") throw new Error(refusal._tag)
    expect(Reading.crossings(refusal.reading).map(Reading.display)).toEqual([
      "max_total_tokens exhausted (5/5)",
      "max_wall_seconds exhausted (5/5)",
      "max_calls exhausted (1/1)"
    ])
  })

  it("LE-08: the words are lernie's: axis, actual, limit", () => {
    const play = new Play({ tokens: 8 })
    play.spend(9)
    expect(play.check()).toBe("max_total_tokens exhausted (9/8)")
  })

  it("LE-09: every attempt counts, the failed and the superseded too", () => {
    const usage = (input_tokens: number) =>
      UsageShape.read("anthropic", {
        input_tokens,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        output_tokens: 1
      }).usage
    const derived = ofUsages([{ run: ROOT, attempts: [usage(10), usage(20), usage(30)] }])
    expect(derived.get(ROOT)?.own.tokens).toEqual(Measure.measured(63))
    const play = new Play({ tokens: 100 })
    for (const n of [1, 2, 3]) {
      play.must({ _tag: "Reserve", reservation: call(n), run: ROOT, hold: hold(10) })
      play.must({ _tag: "Settle", reservation: call(n), spend: n < 3 ? Spend.unknown("it failed") : spent(7) })
    }
    expect([play.on("tokens").charged, play.on("calls").charged]).toEqual([27, 3])
  })

  it("LE-10: cached tokens count once; a count that is null is not measured, and not 0", () => {
    const openAi = UsageShape.read("openai-chat", {
      prompt_tokens: 1_000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 900 }
    })
    expect(openAi.total).toEqual(Measure.measured(1_010))
    const anthropic = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 10 }
    expect(UsageShape.read("anthropic", { ...anthropic, cache_creation_input_tokens: 0 }).total).toEqual(
      Measure.measured(1_010)
    )
    const missing = UsageShape.read("anthropic", { ...anthropic, cache_creation_input_tokens: null })
    expect([missing.total._tag, missing.atLeast]).toEqual(["Unmeasured", 1_010])
    expect(UsageShape.maxRule({ input: 1_000, cacheRead: 900, cacheWrite: 0, output: 10 })).toBe(1_010)
  })

  it("LE-11: `conv` holds `conv-child` and not `convX`, by name and by parent", () => {
    expect(["conv", "conv-child", "convX", "con"].map((id) => Lineage.isWithin("conv", id))).toEqual([
      true,
      true,
      false,
      false
    ])
    const derived = ofUsages([
      { run: run("conv"), attempts: [] },
      { run: run("conv-child"), parent: run("conv"), attempts: [usageOf(5)] },
      { run: run("convX"), attempts: [usageOf(7)] }
    ])
    expect(derived.get(run("conv"))?.subtree.tokens).toEqual(Measure.measured(5))
  })

  it("LE-12: what is missing or malformed is no 0 and no panic: it is unmeasured, and charged what was held", () => {
    for (const json of [undefined, null, "usage", [], { output_tokens: "9" }, { input_tokens: -1 }]) {
      for (const shape of ["anthropic", "openai-chat", "openai-responses", "gemini", "unknown"] as const) {
        expect(UsageShape.read(shape, json).total._tag, JSON.stringify([shape, json])).toBe("Unmeasured")
      }
    }
    const play = new Play({ tokens: 100 })
    play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(60) })
    play.must({ _tag: "Settle", reservation: call(1), spend: Spend.of(UsageShape.read("anthropic", "garbage")) })
    expect(play.on("tokens")).toMatchObject({ charged: 60, actual: { _tag: "Unmeasured" } })
  })

  it("LE-13: three clocks: elapsed, the busy sum with back-off in it, and what is in flight; backwards is nothing", () => {
    const play = new Play({})
    const child = play.child("child")
    play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(0), leaseMs: 86_400_000 })
    play.must({ _tag: "Reserve", reservation: call(2), run: child, hold: hold(0), leaseMs: 86_400_000 })
    play.now += 10_000
    const seconds = () => [play.on("elapsed").charged, play.on("busy").charged, play.on("inFlight").charged]
    expect(seconds()).toEqual([10, 20, 10])
    play.must({ _tag: "Settle", reservation: call(1), spend: spent(1) })
    play.now += 5_000
    expect(seconds()).toEqual([15, 25, 15])
    play.must({ _tag: "Settle", reservation: call(2), spend: spent(1) })
    play.now -= 60_000
    play.spend(1)
    expect(seconds()).toEqual([15, 25, 0])
    play.now += 120_000
    expect(seconds()).toEqual([75, 25, 0])
  })

  it("LE-14: two tokens to a level; root, parent and depth are of what was parsed, and an odd count is refused", () => {
    const text = "20260422T065432Z-a1b2c3d4-20260422T065500Z-e5f6a7b8-20260422T070000Z-deadbeef"
    const deep = Either.getOrThrow(Lineage.parse(text))
    expect([Lineage.depth(deep), Lineage.depth(Lineage.root(deep))]).toEqual([2, 0])
    expect(Lineage.format(deep)).toEqual(Either.right(text))
    expect(
      Either.flatMap(
        Either.fromNullable(Lineage.parent(deep), () => "none"),
        Lineage.format
      )
    ).toEqual(Either.right("20260422T065432Z-a1b2c3d4-20260422T065500Z-e5f6a7b8"))
    expect(Lineage.parent(Lineage.root(deep))).toBeUndefined()
    const error = (text: string) => Either.getOrThrow(Either.flip(Lineage.parse(text)))
    expect(error("20260422T065432Z")).toMatchObject({ token: 1 })
    expect(error("20260422T065432Z-a1-20260422T065500Z").message).toContain("token 3: expected a short id")
    for (const wrong of ["", "conv", "conv-child", "20260230T000000Z-a", "20260422T065432Z-", "20260422T065432Z-a_b"]) {
      expect(Either.isLeft(Lineage.parse(wrong)), wrong).toBe(true)
    }
  })

  it("LE-15: the mark is an event with the whole reading: every axis, limit, actual, and where in the account", () => {
    const play = new Play({ tokens: 8, depth: 3 })
    const child = play.child("child")
    play.spend(8, child)
    play.must({ _tag: "Exhaust", run: child })
    const mark = play.facts.find((fact) => fact._tag === "Exhausted")
    expect(mark?.reading.scopes.map(({ axes, scope }) => [scope, axes.length])).toEqual([
      ["child", 10],
      ["root", 10]
    ])
    expect(Reading.on(mark?.reading ?? play.reading(), "tokens")).toMatchObject({ limit: 8, charged: 8, crossed: true })
    expect(play.facts.findIndex((fact) => fact._tag === "Exhausted") + 1).toBe(mark?.reading.position)
  })

  it("LE-16: running out is an ordinary end: mark, end and deposit are of one act, and the deposit has no body", () => {
    const play = new Play({ tokens: 8 })
    const child = play.child("child")
    play.spend(8, child)
    const before = play.facts.length
    play.must({ _tag: "Exhaust", run: child })
    expect(play.facts.slice(before).map(({ _tag }) => _tag)).toEqual(["Exhausted", "RunEnded"])
    expect(play.deposits).toEqual([
      { _tag: "Deposited", from: child, to: ROOT, epitaph: "budget-exhausted", position: play.facts.length }
    ])
    play.must({ _tag: "Exhaust", run: child })
    expect([play.facts.length, play.deposits.length]).toEqual([before + 2, 1])
  })

  it("LE-17: four epitaphs, all there are, and a run has one", () => {
    expect(Epitaph.literals).toEqual(["final-response", "stopped", "budget-exhausted", "died"])
    const play = new Play()
    for (const epitaph of ["final-response", "stopped", "died"] as const) {
      const child = play.child(epitaph)
      expect(play.must({ _tag: "End", run: child, epitaph, result: "@41" })).toMatchObject({ epitaph })
      expect(play.refusal({ _tag: "Exhaust", run: child })._tag).toBe("RunOver")
    }
    expect(play.deposits.map(({ epitaph, result }) => [epitaph, result])).toEqual([
      ["final-response", "@41"],
      ["stopped", "@41"],
      ["died", "@41"]
    ])
  })

  it("LE-18: a final response wakes, nothing else does", () => {
    expect(Epitaph.literals.filter(wakes)).toEqual(["final-response"])
    const play = new Play({ tokens: 1 })
    const child = play.child("child")
    play.spend(1, child)
    expect(play.must({ _tag: "Exhaust", run: child })).toMatchObject({ wakes: false, deposit: { to: ROOT } })
  })

  it("LE-19: a child is checked under the name that it would have; a refusal leaves no fact, run or promise", () => {
    const id = Either.getOrThrow(Lineage.parse("20260422T065432Z-a1b2c3d4"))
    const next = Lineage.child(id, { ts: "20260422T065500Z", short: "e5f6a7b8" })
    const name = RunId.make(Either.getOrThrow(Lineage.format(next)))
    const root = RunId.make(Either.getOrThrow(Lineage.format(id)))
    const play = new Play({ depth: 0, tokens: 100 }, standard, root)
    const [before, account] = [play.facts.length, play.account]
    const refusal = play.refusal({ _tag: "Dispatch", parent: root, child: name, allotment: { tokens: 5 } })
    if (refusal._tag !== "LimitReached") throw new Error(refusal._tag)
    expect([refusal.run, Reading.crossings(refusal.reading).map(Reading.display)]).toEqual([
      name,
      ["max_depth exhausted (1/0)"]
    ])
    expect([play.facts.length, play.account]).toEqual([before, account])
  })

  it("LE-20: limits are frozen with the account; only a grant raises them, and says by whom and why", () => {
    const play = new Play({ tokens: 8 })
    const other = { _tag: "Open", root: ROOT, limits: { tokens: 9 }, rules: standard } as const
    expect(play.refusal(other)._tag).toBe("BadCommand")
    play.spend(8)
    const grant = {
      _tag: "Grant",
      grant: call("g"),
      scope: ROOT,
      raise: { tokens: 2 },
      by: "ada",
      why: "nearly"
    } as const
    play.must(grant)
    expect(play.facts.at(-1)).toMatchObject({ _tag: "Granted", by: "ada", why: "nearly", raise: { tokens: 2 } })
    expect(play.on("tokens")).toMatchObject({ limit: 10, remaining: 2 })
    expect(play.refusal({ ...grant, grant: call("h"), by: "" })._tag).toBe("BadCommand")
    play.must({ ...other, limits: { tokens: 8 } })
  })
})

const usageOf = (tokens: number) =>
  UsageShape.read("anthropic", {
    input_tokens: tokens,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens: 0
  }).usage

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { AccountsUnavailable, fromSubmit } from "../../src/Accounts.ts"
import { ofUsages } from "../../src/Derivation.ts"
import * as Fold from "../../src/Fold.ts"
import { AccountId } from "../../src/Ids.ts"
import * as LimitsDocument from "../../src/LimitsDocument.ts"
import * as Measure from "../../src/Measure.ts"
import * as Reading from "../../src/Reading.ts"
import { transact } from "../../src/Transact.ts"
import * as UsageShape from "../../src/UsageShape.ts"
import { call, hold, Play, ROOT, run, spent } from "./Play.ts"

const usage = (input: number, read = 0, write = 0, output = 0) =>
  UsageShape.read("anthropic", {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
    output_tokens: output
  }).usage

const tokensOf = (runs: Parameters<typeof ofUsages>[0], of = ROOT) => ofUsages(runs).get(of)?.subtree.tokens

describe("what lernie tests of its derivation", () => {
  it("LE-09: spend_sums_every_segment_of_every_step", () => {
    expect(tokensOf([{ run: ROOT, attempts: [usage(1), usage(2), usage(4, 8, 16, 32)] }])).toEqual(Measure.measured(63))
  })

  it("LE-11: spend_includes_descendant_subagents_not_unrelated_convs", () => {
    const runs = [
      { run: ROOT, attempts: [usage(1)] },
      { run: run("child"), parent: ROOT, attempts: [usage(2)] },
      { run: run("grandchild"), parent: run("child"), attempts: [usage(4)] },
      { run: run("rootX"), attempts: [usage(1_000)] }
    ]
    expect(tokensOf(runs)).toEqual(Measure.measured(7))
    expect(tokensOf(runs, run("child"))).toEqual(Measure.measured(6))
  })

  it("LE-10: spend_none_counter_is_zero_and_cache_counters_count: mended, a counter that is none is not measured", () => {
    expect(tokensOf([{ run: ROOT, attempts: [usage(1, 10, 100, 1_000)] }])).toEqual(Measure.measured(1_111))
    const none = UsageShape.read("anthropic", { input_tokens: 1, output_tokens: null }).usage
    expect(tokensOf([{ run: ROOT, attempts: [none] }])?._tag).toBe("Unmeasured")
    expect(ofUsages([{ run: ROOT, attempts: [none] }]).get(ROOT)?.own.charged.tokens).toBe(1)
  })

  it("LE-03: spend_zero_when_no_steps_dir: a run without calls has spent a measured 0", () => {
    expect(tokensOf([{ run: ROOT, attempts: [] }])).toEqual(Measure.measured(0))
    expect(new Play().on("tokens")).toMatchObject({ charged: 0, actual: Measure.measured(0) })
  })

  it("LE-12: spend_tolerates_missing_response_nonnumeric_dir_and_malformed_lines, and a thousand steps and more", () => {
    const malformed = UsageShape.read("anthropic", "not json").usage
    const found = ofUsages([{ run: ROOT, attempts: [usage(5), malformed] }]).get(ROOT)
    expect([found?.own.tokens._tag, found?.own.charged]).toEqual(["Unmeasured", { tokens: 5, micros: 0, calls: 2 }])
    const many = Array.from({ length: 1_500 }, () => usage(1))
    expect(tokensOf([{ run: ROOT, attempts: many }])).toEqual(Measure.measured(1_500))
  })

  it("LE-12: spend_tolerates_a_conv_entry_that_is_a_file: a run below nothing that is known is a tree of its own", () => {
    const stray = ofUsages([
      { run: ROOT, attempts: [usage(1)] },
      { run: run("stray"), parent: run("gone"), attempts: [usage(2)] }
    ])
    expect([stray.get(ROOT)?.subtree.tokens, stray.get(run("stray"))?.own.tokens]).toEqual([
      Measure.measured(1),
      Measure.measured(2)
    ])
  })

  it("LE-13: wall_sums_step_spans_including_backoff_across_descent", () => {
    const play = new Play({ busy: 100 })
    const child = play.child("child")
    play.spend(1, ROOT, 7)
    play.spend(1, child, 5)
    expect([play.on("busy").charged, play.on("busy", child).charged]).toEqual([12, 5])
  })

  it("LE-13: wall_tolerates_missing_malformed_unparseable_and_backwards_spans", () => {
    const play = new Play({ busy: 100 })
    play.now = 50_000
    play.must({ _tag: "Reserve", reservation: call(1), run: ROOT, hold: hold(1) })
    for (const now of [Number.NaN, Number.NEGATIVE_INFINITY, -1, 49_000]) {
      play.now = now
      expect(play.on("busy").charged).toBe(0)
    }
    play.must({ _tag: "Settle", reservation: call(1), spend: spent(1) })
    expect(play.on("busy").charged).toBe(0)
  })

  it("LE-14: depth_counts_dispatch_levels_from_hyphenated_descent: by parents, whatever the names", () => {
    const play = new Play()
    const deep = play.child("e-f", play.child("d", play.child("a-b-c")))
    expect(play.on("depth", deep).charged).toBe(3)
  })
})

describe("what lernie tests of its enforcement", () => {
  it("LE-01: check_unbounded_never_triggers", () => {
    const play = new Play()
    play.spend(1e12, ROOT, 1e6)
    expect([play.check(), play.check(play.child("a"))]).toEqual([undefined, undefined])
  })

  it("LE-06: check_tokens_boundary_below_at_and_over", () => {
    const checks = [99, 100, 101].map((tokens) => {
      const play = new Play({ tokens: 100 })
      play.spend(tokens)
      return play.check()
    })
    expect(checks).toEqual([undefined, "max_total_tokens exhausted (100/100)", "max_total_tokens exhausted (101/100)"])
  })

  it("LE-07: check_falls_through_axes_in_order", () => {
    const both = new Play({ tokens: 10, busy: 10 })
    both.spend(10, ROOT, 10)
    expect(both.check()).toContain("max_total_tokens")
    const wall = new Play({ tokens: 11, busy: 10 })
    wall.spend(10, ROOT, 10)
    expect(wall.check()).toContain("max_wall_seconds")
  })

  it("LE-06: check_depth_is_positional_allows_at_limit_exhausts_over", () => {
    const play = new Play({ depth: 1 })
    const child = play.child("child")
    play.spend(1, child)
    expect(play.check(child)).toBeUndefined()
    expect(play.refusal({ _tag: "Dispatch", parent: child, child: run("x") })._tag).toBe("LimitReached")
  })

  it("LE-04: check_derives_whole_tree_over_root_for_a_subagent_branch", () => {
    const play = new Play({ tokens: 1_000 })
    const child = play.child("child")
    const grandchild = play.child("grandchild", child)
    for (const [tokens, of] of [
      [600, ROOT],
      [500, child],
      [400, grandchild]
    ] as const) {
      play.must({ _tag: "Record", reservation: call(tokens), run: of, spend: spent(tokens) })
    }
    expect(play.check(child)).toBe("max_total_tokens exhausted (1500/1000)")
  })

  it("LE-04: check_wall_also_derives_over_the_whole_tree", () => {
    const play = new Play({ busy: 10 })
    const child = play.child("child")
    play.spend(0, ROOT, 9)
    play.spend(0, child, 2)
    expect(play.check(child)).toBe("max_wall_seconds exhausted (11/10)")
  })

  it("LE-06: check_depth_exhausts_a_deep_subagent_but_not_its_root", () => {
    const play = new Play({ tokens: 100 })
    const child = play.child("child", ROOT, { limits: { depth: 1 } })
    expect(play.refusal({ _tag: "Dispatch", parent: child, child: run("x") })._tag).toBe("LimitReached")
    expect([play.check(), play.child("other")]).toEqual([undefined, "other"])
  })

  it("LE-08: display_names_axis_and_ratio", () => {
    const play = new Play({ tokens: 8, busy: 8, depth: 0 })
    play.spend(8, ROOT, 8)
    const refusal = play.refusal({ _tag: "Dispatch", parent: ROOT, child: run("x") })
    if (refusal._tag !== "LimitReached") throw new Error(refusal._tag)
    expect(Reading.crossings(refusal.reading).map(Reading.display)).toEqual([
      "max_total_tokens exhausted (8/8)",
      "max_wall_seconds exhausted (8/8)",
      "max_depth exhausted (1/0)"
    ])
  })
})

describe("what lernie tests of its loop and its dispatch", () => {
  it("LE-02: exhausted_conversation_stops_before_next_model_call_and_marks_the_ref: mark_exhausted, as an event", () => {
    const play = new Play({ tokens: 5 })
    play.spend(5)
    expect(play.check()).toBe("max_total_tokens exhausted (5/5)")
    play.must({ _tag: "Exhaust", run: ROOT })
    expect(play.facts.slice(-2).map(({ _tag }) => _tag)).toEqual(["Exhausted", "RunEnded"])
    expect(play.check()).toBe("RunOver")
  })

  it("LE-01: unbounded_workflow_never_triggers_a_budget_stop", () => {
    const play = new Play()
    for (let i = 0; i < 200; i++) play.spend(1e9, ROOT, 60)
    expect([play.check(), play.refusal({ _tag: "Exhaust", run: ROOT })._tag]).toEqual([undefined, "BadCommand"])
  })

  it("LE-15: budget_ref_write_failure_surfaces_as_a_git_error: mark_exhausted_surfaces failure as an error", async () => {
    const broken = fromSubmit(() => Effect.fail(new AccountsUnavailable({ why: "the disk is full" })))
    const exit = await Effect.runPromise(Effect.either(broken.exhaust(AccountId.make("t"), { run: ROOT })))
    expect(Either.flip(exit).pipe(Either.getOrThrow).message).toBe("accounts: the disk is full")
  })

  it("LE-19: max_depth_refuses_the_dispatch_that_would_breach_it; a_dispatch_within_the_depth_ceiling_forks_normally", () => {
    const play = new Play({ depth: 2 })
    const grandchild = play.child("grandchild", play.child("child"))
    expect(play.on("depth", grandchild).charged).toBe(2)
    expect(play.refusal({ _tag: "Dispatch", parent: grandchild, child: run("x") })._tag).toBe("LimitReached")
  })

  it("LE-19: a_workflow_triggered_dispatch_reports_a_refusal_and_does_not_fail_the_branch, and propagates other errors", () => {
    const play = new Play({ depth: 0 })
    expect(play.refusal({ _tag: "Dispatch", parent: ROOT, child: run("x") })._tag).toBe("LimitReached")
    expect(play.check()).toBeUndefined()
    expect(play.refusal({ _tag: "Dispatch", parent: run("nobody"), child: run("x") })._tag).toBe("UnknownRun")
  })

  it("LE-20: an unreadable or malformed workflow is an error with a path, and declines the dispatch", () => {
    expect(Either.isLeft(LimitsDocument.decodeWorkflow({ budgets: { max_depth: "four" } }))).toBe(true)
    expect(Either.isLeft(LimitsDocument.decodeWorkflow(null))).toBe(true)
  })

  it("IO-47: what is left survives a new process: the account is read back, by another clock, and goes on", () => {
    const play = new Play({ tokens: 100 })
    play.spend(30)
    if (play.account === undefined) throw new Error("no account")
    const json: unknown = JSON.parse(JSON.stringify(Fold.encode(play.account)))
    const account = Either.getOrThrow(Fold.decode(json))
    const instant = { clock: "another", mono: 7, wall: 0 }
    const { answer } = Either.getOrThrow(transact(AccountId.make("tree"), account, { _tag: "Read" }, instant))
    expect(answer._tag === "Standing" ? Reading.remaining(answer.reading, "tokens") : undefined).toBe(70)
  })
})

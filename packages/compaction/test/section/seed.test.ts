/** The original's own tests of this part, by their names. */
import { describe, expect, it } from "vitest"
import { effectiveTokens, entryCapScalars, limits, standard, stubCeiling } from "@palimpsest/budget/ContextBudget"
import { estimate } from "@palimpsest/budget/Estimate"
import { scalarsOf } from "@palimpsest/ledger/Body"
import * as Ledger from "@palimpsest/ledger/Ledger"
import { KINDS, label, type Kind } from "@palimpsest/ledger/Observation"
import { bound, commas } from "../../src/SectionBound.ts"
import { block } from "../../src/SectionNotes.ts"
import { collapse } from "../../src/SectionStub.ts"
import { ALLOW, Replay } from "./replay.ts"

describe("unit tests of the original", () => {
  it("bounding_keeps_the_head_for_most_kinds_and_the_tail_for_a_read (IO-16)", () => {
    const text = "abcdefghijklmnopqrstuvwxyz".repeat(4).slice(0, 100)
    const head = bound(text, 10, "grep")
    expect(head.startsWith(text.slice(0, 10))).toBe(true)
    expect(head).toContain("elided 90 of 100 chars")
    const tail = bound(text, 10, "read")
    expect(tail.endsWith(text.slice(90))).toBe(true)
    expect(tail).toContain("elided 90 of 100 chars")
    expect(bound("short", 10, "read")).toBe("short")
  })

  it("bounding_never_splits_a_char_boundary (IO-16)", () => {
    for (const scalar of ["é", "中", "🔥"]) {
      for (const kind of ["read", "grep"] as const) {
        const shown = bound(scalar.repeat(100), 7, kind)
        expect(shown).toContain("elided 93 of 100 chars")
        expect(shown.split(scalar).length - 1).toBe(7)
      }
    }
  })

  it("commas_group_thousands (IO-17)", () => {
    expect([0, 999, 1000, 49_220, 1_234_567].map(commas).join(" ")).toBe("0 999 1,000 49,220 1,234,567")
  })

  it("only_a_target_that_is_the_subject_supersedes (IO-04, IO-22)", () => {
    const superseding = KINDS.filter((kind) => {
      const run = new Replay()
      run.observe(1, kind, "t", "one")
      run.observe(2, kind, "t", "two")
      return run.turn(24_000, ALLOW).plan.elided.superseded === 1
    })
    expect(superseding).toEqual(["read", "grep", "find", "write", "skill"])
  })
})

describe("tests of the original's context", () => {
  it("F1 the_assembled_prompt_stays_inside_the_ceiling_while_the_trace_keeps_everything (IO-32, IO-36)", () => {
    const run = new Replay()
    for (let step = 1; step <= 80; step++) {
      run.observe(step, "tool", "bash", entry("tool", "bash", `${step} ${"output ".repeat(60)}`))
      const { plan, text } = run.turn(1000, ALLOW)
      const extra = plan.assembled.collapsed ? estimate(collapse(plan.assembled.stubbed)) : stubCeiling(1000)
      expect(estimate(text)).toBeLessThanOrEqual(1000 + extra)
    }
    const all = run.observations.map((entry) => entry.text).join("")
    expect(Ledger.fullText(run.ledger, (at) => run.texts.get(Ledger.at(run.ledger, at)!.seq)!)).toBe(all)
    expect(estimate(all)).toBeGreaterThan(5000)
  })

  it("F2 prompt_size_stabilises_across_many_turns_instead_of_tracking_step_count (IO-32)", () => {
    const run = new Replay()
    const sizes = Array.from({ length: 200 }, (_, step) => {
      run.observe(step, "read", `file_${step % 60}`, entry("read", `file_${step % 60}`, "line\n".repeat(150)))
      return run.turn(3000, ALLOW).plan.assembled.estTokens
    })
    expect(Math.max(...sizes.slice(150))).toBeLessThan(1.5 * Math.max(...sizes.slice(20, 70)))
  })

  it("F3 a_read_superseded_by_a_later_read_of_the_same_path_becomes_a_stub (IO-22)", () => {
    const run = new Replay()
    run.observe(1, "read", "src/a.rs", entry("read", "src/a.rs", "first"))
    run.observe(2, "read", "src/a.rs", entry("read", "src/a.rs", "second"))
    const { text } = run.turn(24_000, ALLOW)
    expect(text).not.toContain("first")
    expect(text).toContain("[read src/a.rs] (elided: superseded by the read at step 2)")
    expect(text).toContain("second")
  })

  it("F4 a_write_invalidates_the_earlier_read_so_the_next_turn_sees_the_new_contents (IO-23, IO-24)", () => {
    const run = new Replay()
    run.observe(1, "read", "a", entry("read", "a", "before"))
    run.turn(24_000, ALLOW)
    run.observe(2, "write", "a", entry("write", "a", "(5 chars)"), "after")
    const { text } = run.turn(24_000, ALLOW)
    expect(text).not.toContain("before")
    expect(text).toContain("after")
  })

  it("F4 a_policy_refused_reread_is_a_stub_naming_the_invalidating_step_and_the_reason (IO-25, IO-28)", () => {
    const run = new Replay()
    run.observe(1, "read", "notes.txt", entry("read", "notes.txt", "before"))
    run.observe(2, "write", "notes.txt", entry("write", "notes.txt", "(5 chars)"), "after")
    run.say(3, "go on")
    const { plan, text } = run.turn(24_000, { ...ALLOW, ruled: () => ({ ruling: "deny", rule: "notes*" }) })
    expect(text).toContain("invalidated by the write at step 2; the re-read at step 3 could not be done")
    expect(text).toContain("the policy denies reading it by rule notes*")
    expect(text).not.toContain("after")
    expect(plan.trace[0]?.kind).toBe("reread_refused")
  })

  it("F5 every_observation_kind_is_bounded_where_it_enters_the_context, an MCP result included (IO-14, IO-16)", () => {
    const cap = entryCapScalars(effectiveTokens({ ...standard, maxTokens: 4000 }, undefined))
    for (const kind of KINDS) {
      const text = bound(`${"x".repeat(cap * 2)}TAIL`, cap, kind)
      expect(scalarsOf(text)).toBeLessThan(cap + 120)
      expect(text).toContain("…[truncated: elided ")
      expect(text.endsWith("TAIL")).toBe(kind === "read")
    }
  })

  it("the_budget_derives_the_prompt_ceiling_and_the_entry_cap_from_one_number (IO-13)", () => {
    const run = new Replay()
    run.observe(1, "read", "a", entry("read", "a", "old"))
    run.observe(2, "write", "a", entry("write", "a", ""), "Ж".repeat(30_000))
    for (const maxTokens of [24_000, 8000]) {
      const { entryScalars, promptTokens } = limits({ ...standard, maxTokens }, undefined)
      expect(run.turn(promptTokens, ALLOW).text.split("Ж").length - 1).toBe(entryScalars)
    }
  })

  it("two_calls_to_one_tool_keep_both_answers_while_two_reads_of_a_path_collapse (IO-04, IO-22)", () => {
    const run = new Replay()
    run.observe(1, "tool", "weather", entry("tool", "weather", "rain"))
    run.observe(2, "tool", "weather", entry("tool", "weather", "sun"))
    run.observe(3, "read", "a", entry("read", "a", "old"))
    run.observe(4, "read", "a", entry("read", "a", "new"))
    const { text } = run.turn(24_000, ALLOW)
    for (const kept of ["rain", "sun", "new"]) expect(text).toContain(kept)
    expect(text).not.toContain("old")
  })

  it("a_long_runs_stubs_collapse_so_the_ceiling_still_holds (IO-32)", () => {
    const run = new Replay()
    for (let step = 1; step <= 500; step++) run.observe(step, "read", "a", entry("read", "a", `version ${step}`))
    const { plan, text } = run.turn(1000, ALLOW)
    expect(plan.assembled).toMatchObject({ carried: 1, collapsed: true, stubbed: 499 })
    expect(text).toBe(collapse(499) + entry("read", "a", "version 500"))
  })

  it("the_rendered_note_block_is_byte_identical_whatever_run_id_the_notes_carry (IO-20)", () => {
    const note = { key: "k", value: "v", step: 2 }
    const [one, other] = [1, 2].map((run) => block([Object.assign({ run }, note)], 24_000).text)
    expect(one).toBe(other)
  })

  it("a_resumed_run_asks_the_model_what_an_uninterrupted_run_would_have (law 7)", () => {
    const feed = (run: Replay, from: number, to: number) => {
      for (let step = from; step < to; step++)
        run.observe(step, "read", `f${step % 5}`, entry("read", `f${step % 5}`, `${step}`))
    }
    const whole = new Replay()
    feed(whole, 1, 40)
    const resumed = new Replay()
    feed(resumed, 1, 20)
    resumed.turn(800, ALLOW)
    feed(resumed, 20, 40)
    expect(resumed.turn(800, ALLOW).text).toBe(whole.turn(800, ALLOW).text)
  })
})

const entry = (kind: Kind, target: string, body: string): string => `\n[${label(kind)} ${target}]\n${body}\n`

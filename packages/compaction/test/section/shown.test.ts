import { describe, expect, it } from "vitest"
import { estimate } from "@palimpsest/budget/Estimate"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import { label } from "@palimpsest/ledger/Observation"
import { admit } from "../../src/SectionFrame.ts"
import { block } from "../../src/SectionNotes.ts"
import * as Stub from "../../src/SectionStub.ts"
import { ALLOW, quiet, Replay } from "./replay.ts"
import { SEED } from "./reference.ts"
import { kills, MIXED, NOTES } from "./scenarios.ts"

describe("the scenarios", () => {
  it("IO-15..IO-36 cannot tell the engine from the seed", () => expect(kills({})).toBe(false))
})

describe("fit and words", () => {
  it("IO-29 newest first while it fits, to the token; the first misfit ends it; stubs cost nothing", () => {
    const run = new Replay()
    run.observe(1, "tool", "a", "x".repeat(40))
    run.observe(2, "tool", "b", "x".repeat(4000))
    run.observe(3, "tool", "c", "x".repeat(400))
    expect(run.turn(100, ALLOW).plan.assembled).toMatchObject({ carried: 1, stubbed: 2 })
    expect(run.turn(99, ALLOW).plan.assembled).toMatchObject({ carried: 0, stubbed: 3 })
    expect(run.turn(1099, ALLOW).plan.assembled).toMatchObject({ carried: 1, stubbed: 2 })
    expect(run.turn(1100, ALLOW).plan.assembled).toMatchObject({ carried: 2, stubbed: 1 })
    expect(run.turn(1110, ALLOW).plan.assembled).toMatchObject({ carried: 3, stubbed: 0 })
    expect(kills({ stopsAtMisfit: false })).toBe(true)
    expect(kills({ fits: (used, budget) => used < budget - 8 })).toBe(true)
  })

  it("IO-30 the model reads the run forwards, notes first", () => {
    const run = quiet(12)
    const { parts } = run.render({ ...run.view, shown: [...run.view.shown] })
    expect(parts.slice(1)).toEqual(run.observations.map((entry) => entry.text))
    const { text } = run.turn(24_000, { ...ALLOW, notes: NOTES })
    expect(text).toBe(block(NOTES, 24_000).text + run.observations.map((entry) => entry.text).join(""))
    expect(kills({ emitted: (pieces) => [...pieces].reverse() })).toBe(true)
  })

  it("IO-31 the three reasons and the format of a stub", () => {
    expect(Stub.superseded("write", "a", 3)).toBe("\n[wrote a] (elided: superseded by the wrote at step 3)\n")
    expect(Stub.aged("message", undefined, 12_345)).toBe(
      "\n[note] (elided: 12,345 chars, older than the current context window — re-run if you need it)\n"
    )
    expect(Stub.refused("read", "a", { written: 1, step: 2, why: "w" })).toBe(
      "\n[read a] (elided: invalidated by the write at step 1; the re-read at step 2 could not be done (w) — read it yourself)\n"
    )
    expect(kills({ stub: (kind, target, why) => `\n[${label(kind)}${target ?? ""}] (elided: ${why})\n` })).toBe(true)
    expect(kills({ superseded: (kind, step) => `superseded by the ${kind} at step ${step}` })).toBe(true)
    expect(kills({ aged: (scalars) => SEED.aged(scalars).replace("re-run", "re-read") })).toBe(true)
  })

  it("IO-31 a refused stub is never shorter than an aged one, on which the running sums rest", () => {
    const shortest = scalarsOf(Stub.refused("read", "", { written: 0, step: 0, why: "" }))
    expect(shortest).toBeGreaterThanOrEqual(scalarsOf(Stub.aged("read", "", 2_147_483_647)))
  })

  it("IO-32 a_long_runs_stubs_collapse_so_the_ceiling_still_holds", () => {
    const run = quiet(400)
    const budget = 1000
    const { plan, text } = run.turn(budget, ALLOW)
    const { collapsed, stubbed } = plan.assembled
    expect(collapsed).toBe(true)
    expect(
      text.startsWith(
        `\n[${stubbed} earlier observation(s) elided: superseded, or older than this turn's context window — re-read or re-run what you need]\n`
      )
    ).toBe(true)
    expect(text).not.toContain("(elided:")
    expect(estimate(text)).toBeLessThanOrEqual(budget + estimate(Stub.collapse(stubbed)))
    expect(plan.decided!.around).toMatchObject({ stubs: "collapsed" })
    expect(kills({ stubCeiling: (budget) => Math.max(64, Math.floor(budget / 4)) })).toBe(true)
    expect(kills({ stubCeiling: (budget) => Math.floor(budget / 16) })).toBe(true)
    expect(kills({ collapse: (n) => SEED.collapse(n + 1) })).toBe(true)
    expect(kills({ collapses: () => false })).toBe(true)
  })

  it("IO-33 one assembled row, one for each re-read and for notes, never one for a stub", () => {
    const run = new Replay()
    run.observe(1, "read", "src/net/a", "\n[read src/net/a]\nold\n")
    run.observe(1, "read", "lib/b", "\n[read lib/b]\nold\n")
    run.observe(2, "write", "src/net/a", "\n[wrote src/net/a]\n\n", "new")
    run.observe(3, "write", "lib/b", "\n[wrote lib/b]\n\n", "new")
    run.observe(3, "write", "lib/b", "\n[wrote lib/b]\n\n", "newer")
    const { plan } = run.turn(24_000, MIXED)
    expect(plan.trace).toEqual([
      { kind: "reread_refused", detail: "src/net/a: the policy sends reading it to a human by rule src/net/**" },
      { kind: "reread", detail: "lib/b (written at step 3)" },
      { kind: "memory_recall", detail: "40 of 40 note(s) carried" },
      {
        kind: "assembled",
        detail: "carried=3 stubbed=2 reread=2 recalled=40 collapsed=false",
        estTokens: plan.assembled.estTokens
      }
    ])
    expect(run.turn(24_000, ALLOW).plan.trace.filter((row) => row.kind === "memory_recall")).toEqual([])
    expect(kills({ assembled: (counts) => SEED.assembled(counts).replace("carried", "kept") })).toBe(true)
  })

  it("IO-35 the counts of a turn are those of its text", () => {
    const run = quiet(60)
    const { plan, text } = run.turn(2000, { ...ALLOW, notes: NOTES })
    const { carried, estTokens, scalars, stubbed } = plan.assembled
    expect(scalars).toBe(scalarsOf(text))
    expect(estTokens).toBe(Math.ceil(scalarsOf(text) / 4))
    expect(carried + stubbed).toBe(run.observations.length)
    expect(plan.elided.superseded + plan.elided.refused + plan.elided.aged).toBe(stubbed)
    expect(kills({ assembled: (counts) => SEED.assembled({ ...counts, reread: 0 }) })).toBe(true)
  })

  it("IO-36 audit never shrinks: eliding touches the request alone", () => {
    const run = quiet(60)
    const all = run.observations.map((entry) => entry.text).join("")
    const text = () => Ledger.fullText(run.ledger, (position) => run.texts.get(Ledger.at(run.ledger, position)!.seq)!)
    const shown = run.turn(500, ALLOW).text
    expect(text()).toBe(all)
    expect(shown.length).toBeLessThan(all.length)
    expect(shown, "a log taken from the view would have shrunk").not.toBe(all)
    const bounded = admit({ of: { seq: 1 as Seq }, observation: { kind: "read" }, text: "x".repeat(9), cap: 4 })
    expect(bounded.form).toMatchObject({ _tag: "Bounded", keep: "tail", cap: 4, rest: { seq: 1 } })
  })
})

import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { stubCeiling } from "@palimpsest/budget/ContextBudget"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import { indexOf } from "../../src/internal/SectionIndex.ts"
import * as Section from "../../src/Section.ts"
import * as SectionView from "../../src/SectionView.ts"
import { ALLOW, fed, Replay, type Setting, VECTORS } from "./replay.ts"
import { generate, shortened, turnsOf, type Row } from "./workload.ts"

const CAP = 12_000
const WITHOUT: Setting = { ...ALLOW, workspace: false }

describe("the cost of a turn", () => {
  it("a steady turn visits at most two more than it carries, at 2,000 entries as at 20,000 (IO-W1)", () => {
    const run = new Weights()
    const most: Array<number> = []
    let tooMany = 0
    let steady = 0
    for (const rows of turnsOf(generate(20_000, 17))) {
      for (const row of rows) run.row(row)
      for (const setting of [ALLOW, WITHOUT]) {
        const { assembled, trace, visits } = run.plan(setting.workspace)
        const refused = setting.workspace ? trace.filter((row) => row.kind === "reread_refused").length : 0
        const isSteady = indexOf(run.ledger).supersededTokens > stubCeiling(24_000)
        const allowed = assembled.carried + (isSteady ? refused : run.ledger.length) + 2
        if (visits > allowed) tooMany++
        if (!isSteady) continue
        steady++
        const thousands = Math.floor(run.ledger.length / 2000)
        most[thousands] = Math.max(most[thousands] ?? 0, visits)
      }
      run.turn()
    }
    expect(tooMany).toBe(0)
    expect(steady).toBeGreaterThan(25_000)
    expect(most[9]!).toBeLessThan(1.5 * most[1]!)
  })

  it("refusals that are reached are visited again each turn, without a workspace none is", () => {
    const run = new Replay()
    for (let i = 0; i < 500; i++) {
      run.observe(2 * i, "read", `f${i}`, "\n[read f]\nold\n")
      run.observe(2 * i + 1, "write", `f${i}`, `\n[wrote f]\n${"x".repeat(400)}\n`, "new")
    }
    const asked = run.plan(2000, { ...ALLOW, ruled: () => ({ ruling: "ask" }) })
    expect(asked.visits).toBeLessThanOrEqual(2 * asked.assembled.carried + 2)
    const without = run.plan(2000, WITHOUT)
    expect(without.visits).toBeLessThanOrEqual(without.assembled.carried + 2)
    expect(without.assembled.reread).toBe(500)
    expect(without.elided.refused).toBe(500)
  })

  it("stale reads out of reach are not read again (IO-W8)", () => {
    const run = new Replay()
    for (let i = 0; i < 300; i++) {
      run.observe(i, "read", `f${i}`, "\n[read f]\nold\n")
      run.observe(i, "write", `f${i}`, `\n[wrote f]\n${"x".repeat(400)}\n`, "new")
    }
    const { assembled, fresh } = run.plan(2000, ALLOW)
    expect(assembled.reread).toBe(300)
    expect(run.asked.length).toBeLessThanOrEqual(fresh.length + 1)
  })

  it("a view holds what it shows, and decisions grow with what is new and carried", () => {
    const run = new Replay()
    let recorded = 0
    let held = 0
    let carried = 0
    for (const rows of turnsOf(shortened(1500, 18))) {
      for (const row of rows) run.row(row, CAP)
      const { plan } = run.turn(1500, ALLOW)
      recorded += plan.decided?.changes.length ?? 0
      carried += plan.assembled.carried + rows.length
      if (plan.assembled.collapsed && run.view.shown.length !== plan.assembled.carried) held++
    }
    expect(held).toBe(0)
    expect(recorded).toBeLessThan(carried)
    const { decided } = run.plan(24_000_000, ALLOW)
    expect(decided?.around?.stubs).toBe("shown")
    const down = SectionView.evolve(run.view, { _tag: "Decided", step: 1 as Step, changes: [], ...decided })
    const stepped = run.plan(1500, ALLOW, down).decided
    expect(stepped?.around?.stubs).toBe("collapsed")
    expect(stepped?.changes.filter(({ form }) => form._tag === "Stub").length).toBeLessThan(run.observations.length)
    expect(stepped?.epoch).toBeUndefined()
    const sent = { ...down, through: 1_000_000 }
    expect(run.plan(1500, ALLOW, sent).decided?.epoch).toBe("ceiling")
  })

  it("in and out of a collapse, again and again, as the reference says", () => {
    const run = fed(shortened(150, 19))
    for (const budget of [800, 60_000, 900, 24_000, 500, 400_000, 0, 3000]) {
      expect(run.turn(budget, VECTORS).text).toBe(run.expected(budget, VECTORS).text)
    }
  })

  it("the index takes at most 30 bytes an observation, room to grow included in at most a quarter more", () => {
    const run = fed(shortened(4000, 20))
    const index = indexOf(run.ledger)
    const bytes = arraysIn(index) / run.observations.length
    expect(bytes).toBeLessThanOrEqual(28 * 1.25 + 0.5)
  })
})

/** A run of sizes alone: no text is ever made, as a plan needs none but a fresh one. */
class Weights {
  ledger = Ledger.empty()
  view = SectionView.empty
  private seq = 0
  private step = 0
  private readonly sizes = new Map<string, number>()

  row(row: Row): void {
    const seq = ++this.seq as Seq
    this.step = row.step
    const { kind, target } = row
    const observation = {
      kind,
      ...(target === undefined ? {} : { target }),
      covers: { _tag: "All" },
      classifier: ""
    } as const
    const entry = { seq, step: row.step as Step, scalars: Math.min(row.len, CAP) + 20, observation }
    this.ledger = Either.getOrThrow(Ledger.append(this.ledger, entry))
    this.view = SectionView.evolve(this.view, { _tag: "Entered", entry })
    if (kind === "write" && target !== undefined) this.sizes.set(target, row.wlen)
  }

  plan(hasWorkspace: boolean): Section.SectionPlan {
    const inputs = { budget: 24_000, notes: [], step: this.step, hasWorkspace }
    return Section.run(Section.plan(this.ledger, this.view, inputs), ({ target }) => {
      const size = this.sizes.get(target) ?? 0
      if (size === 0 || target.startsWith("secrets/")) return { _tag: "Refused", why: "no" }
      return {
        _tag: "Fresh",
        text: "x".repeat(size),
        of: { seq: 1_000_000_000 as Seq },
        size: { bytes: size, scalars: size }
      }
    })
  }

  turn(): void {
    const decided = this.plan(true).decided
    if (decided === undefined) return
    this.view = SectionView.evolve(this.view, { _tag: "Decided", step: this.step as Step, ...decided })
  }
}

const arraysIn = (value: object): number =>
  Object.values(value).reduce<number>((sum, field: unknown) => {
    if (field instanceof Int32Array) return sum + field.byteLength
    const isList = typeof field === "object" && field !== null && field.constructor.name === "SectionList"
    return isList ? sum + arraysIn(field) : sum
  }, 0)

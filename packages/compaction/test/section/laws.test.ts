import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { stubCeiling } from "@palimpsest/budget/ContextBudget"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import type { Kind } from "@palimpsest/ledger/Observation"
import { Decided } from "../../src/Decision.ts"
import type { Form } from "../../src/Form.ts"
import { indexOf } from "../../src/internal/SectionIndex.ts"
import * as Section from "../../src/Section.ts"
import { cut } from "../../src/SectionBound.ts"
import { admit } from "../../src/SectionFrame.ts"
import { block } from "../../src/SectionNotes.ts"
import * as SectionView from "../../src/SectionView.ts"
import { ALLOW, Replay, VECTORS, type Setting } from "./replay.ts"
import { NOTES } from "./scenarios.ts"
import { bodyOf, generate, shortened, turnsOf, type Row } from "./workload.ts"

const CAP = 12_000
const WITHOUT: Setting = { ...ALLOW, workspace: false }

describe("law 1: what was, stays", () => {
  it("old ledgers and old views plan and render as they did, after later entries", () => {
    const run = new Replay()
    const kept = turnsOf(shortened(160, 11)).map((rows) => {
      for (const row of rows) run.row(row, CAP)
      const before = { ledger: run.ledger, view: run.view, step: run.step }
      const { plan, text } = run.turn(5000, WITHOUT)
      return { before, after: run.view, plan, text }
    })
    for (const { after, before, plan, text } of kept.reverse()) {
      expect(run.render(after).text).toBe(text)
      const again = run.plan(5000, WITHOUT, before.view, before.ledger, before.step)
      expect(again).toEqual(plan)
    }
  })

  it("a fork goes its own way, and the trunk does not see it", () => {
    const rows = shortened(120, 12)
    const trunk = fed(rows.slice(0, 60))
    const { ledger, view } = trunk
    const text = () => shownBy(trunk, trunk.plan(4000, WITHOUT, view, ledger, 50), view)
    const before = text()
    const fork = Either.getOrThrow(
      Ledger.append(ledger, {
        seq: 5000 as Seq,
        step: 60 as Step,
        scalars: 4,
        observation: {
          kind: "read",
          target: rows.find((row) => row.kind === "read")!.target!,
          covers: { _tag: "All" },
          classifier: ""
        }
      })
    )
    for (const row of rows.slice(60)) trunk.row(row, CAP)
    const later = trunk.plan(4000, WITHOUT)
    const forked = Either.getOrThrow(Ledger.append(ledger, { seq: 5000 as Seq, step: 60 as Step, scalars: 4 }))
    expect(text()).toBe(before)
    expect(indexOf(fork).superseded).toBe(indexOf(forked).superseded + 1)
    expect(indexOf(ledger).length).toBe(60)
    expect(trunk.plan(4000, WITHOUT)).toEqual(later)
  })
})

describe("law 7: same events, same bytes", () => {
  it("a view folded from recorded events, decoded from JSON, shows every turn as it was shown", () => {
    for (const [budget, setting] of [
      [3000, VECTORS],
      [6000, { ...VECTORS, notes: NOTES }],
      [24_000, WITHOUT]
    ] as const) {
      const run = new Replay()
      const texts: Array<string> = []
      const ends: Array<number> = []
      for (const rows of turnsOf(shortened(150, 13))) {
        for (const row of rows) run.row(row, CAP)
        texts.push(run.turn(budget, setting).text)
        ends.push(run.events.length)
      }
      let view = SectionView.empty
      let next = 0
      ends.forEach((end, turn) => {
        for (; next < end; next++) view = SectionView.evolve(view, throughJson(run.events[next]!))
        expect(run.render(view).text).toBe(texts[turn])
      })
    }
  })

  it("planning twice decides nothing the second time", () => {
    const run = fed(shortened(120, 14))
    for (const budget of [900, 4000, 24_000]) {
      run.turn(budget, { ...VECTORS, notes: NOTES })
      expect(run.plan(budget, { ...VECTORS, notes: NOTES }).decided).toBeUndefined()
    }
  })

  it("the order of a decision's changes does not matter", () => {
    const run = fed(shortened(120, 15))
    const { decided } = run.plan(3000, WITHOUT)
    const as = (changes: Decided["changes"]): Decided => ({ _tag: "Decided", step: 1 as Step, ...decided, changes })
    const changes = decided?.changes ?? []
    expect(SectionView.evolve(run.view, as([...changes].reverse()))).toEqual(SectionView.evolve(run.view, as(changes)))
  })
})

describe("law 4: what is left out has an address", () => {
  it("every change that leaves something out names where it is whole, refreshes too", () => {
    const run = new Replay()
    const changes = turnsOf(shortened(150, 16)).flatMap((rows) => {
      for (const row of rows) run.row(row, CAP)
      return run.turn(2500, VECTORS).plan.decided?.changes ?? []
    })
    const elided = changes.filter(({ form }) => form._tag === "Stub" || form._tag === "Refreshed")
    expect(elided.length).toBeGreaterThan(100)
    expect(elided.filter(({ entries, form }) => "rest" in form && form.rest.seq !== entries[0])).toEqual([])
    const laterThan = (form: Form) => (form._tag === "Stub" && form.why._tag === "Superseded" ? form.why.by : Infinity)
    expect(elided.filter(({ entries, form }) => laterThan(form) <= entries[0])).toEqual([])
  })
})

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

describe("entries admitted in another form (an import)", () => {
  it("are shown between heading and line break, go, and return in that form", () => {
    const plain = new Replay()
    const framed = new Imported()
    for (const rows of turnsOf(shortened(160, 21))) {
      for (const row of rows) {
        plain.row(row, 2000)
        framed.observe(row.step, row.kind, row.target, bodyOf(row), 2000)
      }
      const budget = 600 + ((rows[0]!.step * 7919) % 12_000)
      const { assembled } = plain.plan(budget, WITHOUT)
      const { plan, text } = framed.turn(budget, plain.step)
      expect(plan.assembled).toEqual(assembled)
      expect(text).toBe(plain.turn(budget, WITHOUT).text)
      expect(plan.assembled.scalars).toBe(scalarsOf(text))
    }
    expect(framed.restored).toBeGreaterThan(10)
  })

  it("notes that are stored are taken by range, not by words", () => {
    const run = fed(shortened(30, 22))
    const text = block(NOTES, 24_000).text
    const notesAt = run.store(text)
    const inputs = { budget: 24_000, notes: NOTES, notesAt, step: run.step, hasWorkspace: false }
    const plan = Section.run(Section.plan(run.ledger, run.view, inputs), () => expect.fail("asked"))
    expect(JSON.stringify(plan.decided)).not.toContain("[memory]")
    expect(shownBy(run, plan, run.view)).toBe(run.expected(24_000, { ...WITHOUT, notes: NOTES }).text)
  })

  it("an answer of the wrong kind is a defect", () => {
    const run = new Replay()
    run.observe(1, "read", "a", "old")
    run.observe(2, "write", "a", "wrote", "new")
    const planning = Section.plan(run.ledger, run.view, { budget: 100, notes: [], step: 2, hasWorkspace: true })
    expect(planning.next().value).toMatchObject({ _tag: "Reread", target: "a", seq: 1, invalidatedBy: 2 })
    expect(() => planning.next({ _tag: "Restored", form: { _tag: "Whole" } })).toThrow(TypeError)
  })
})

/** A run whose entries hold plain bodies; their forms are decided as they enter. */
class Imported {
  ledger = Ledger.empty()
  view = SectionView.empty
  restored = 0
  private seq = 0
  private readonly texts = new Map<number, string>()
  private readonly forms = new Map<number, Form>()

  observe(step: number, kind: Kind, target: string | undefined, text: string, cap: number): void {
    const observation = { kind, ...(target === undefined ? {} : { target }) }
    const seq = ++this.seq as Seq
    const { form, scalars } = admit({ of: { seq }, observation, text, cap })
    this.texts.set(seq, text)
    this.forms.set(seq, form)
    const entry = {
      seq,
      step: step as Step,
      scalars,
      observation: { ...observation, covers: { _tag: "All" }, classifier: "" }
    } as const
    this.ledger = Either.getOrThrow(Ledger.append(this.ledger, entry))
    this.view = SectionView.evolve(this.view, { _tag: "Entered", entry })
    this.view = SectionView.evolve(this.view, {
      _tag: "Decided",
      step: entry.step,
      changes: [{ entries: [seq, seq], form }]
    })
  }

  turn(budget: number, step: number) {
    const inputs = { budget, notes: [], step, hasWorkspace: false }
    const plan = Section.run(
      Section.plan(this.ledger, this.view, inputs),
      () => expect.fail("asked"),
      (seq) => {
        this.restored++
        return this.forms.get(seq)!
      }
    )
    this.view = SectionView.evolve(this.view, { _tag: "Decided", step: step as Step, changes: [], ...plan.decided })
    const { text } = SectionView.render(this.view, {
      entry: () => expect.fail("no entry is whole"),
      range: (range) => cut(this.texts.get(range.of.seq)!, range.bytes)
    })
    return { plan, text }
  }
}

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

const fed = (rows: ReturnType<typeof generate>): Replay => {
  const run = new Replay()
  for (const row of rows) run.row(row, CAP)
  return run
}

const shownBy = (run: Replay, plan: Section.SectionPlan, view: SectionView.SectionView): string =>
  run.render(SectionView.evolve(view, { _tag: "Decided", step: 1 as Step, changes: [], ...plan.decided })).text

const throughJson = (event: SectionView.SectionEvent): SectionView.SectionEvent =>
  event._tag === "Decided"
    ? Schema.decodeUnknownSync(Decided)(JSON.parse(JSON.stringify(Schema.encodeSync(Decided)(event))))
    : event

const arraysIn = (value: object): number =>
  Object.values(value).reduce<number>((sum, field: unknown) => {
    if (field instanceof Int32Array) return sum + field.byteLength
    const isList = typeof field === "object" && field !== null && field.constructor.name === "SectionList"
    return isList ? sum + arraysIn(field) : sum
  }, 0)

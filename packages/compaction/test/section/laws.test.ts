import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import { Decided } from "../../src/Decision.ts"
import type { Form } from "../../src/Form.ts"
import { indexOf } from "../../src/internal/SectionIndex.ts"
import * as SectionView from "../../src/SectionView.ts"
import { ALLOW, fed, Replay, type Setting, shownBy, VECTORS } from "./replay.ts"
import { NOTES } from "./scenarios.ts"
import { shortened, turnsOf } from "./workload.ts"

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
    expect(elided.length).toBeGreaterThan(50)
    expect(elided.filter(({ entries, form }) => "rest" in form && form.rest.seq !== entries[0])).toEqual([])
    const laterThan = (form: Form) => (form._tag === "Stub" && form.why._tag === "Superseded" ? form.why.by : Infinity)
    expect(elided.filter(({ entries, form }) => laterThan(form) <= entries[0])).toEqual([])
  })

  it("a change over a range names exactly what aged out of sight in that decision", () => {
    const run = new Replay()
    const named: Array<number> = []
    const gone: Array<number> = []
    let ranges = 0
    for (const rows of turnsOf(shortened(250, 23))) {
      for (const row of rows) run.row(row, CAP)
      const before = run.view.shown.filter(({ form }) => form._tag !== "Stub").map(({ seq }) => seq)
      const { plan } = run.turn(400 + ((rows[0]!.step * 7919) % 3000), WITHOUT)
      const after = new Set(run.view.shown.map(({ seq }) => seq))
      const wordless = plan.decided?.changes.filter(({ form }) => form._tag === "Stub" && form.put.length === 0) ?? []
      ranges += wordless.filter(({ entries: [from, to] }) => from !== to).length
      for (const { entries } of wordless) named.push(...observationsIn(run.ledger, entries))
      if (run.view.around.stubs === "collapsed") gone.push(...before.filter((seq) => !after.has(seq)))
    }
    expect(ranges).toBeGreaterThan(5)
    expect(named).toEqual(gone)
  })
})

const throughJson = (event: SectionView.SectionEvent): SectionView.SectionEvent =>
  event._tag === "Decided"
    ? Schema.decodeUnknownSync(Decided)(JSON.parse(JSON.stringify(Schema.encodeSync(Decided)(event))))
    : event

const observationsIn = (ledger: Ledger.Ledger, [from, to]: readonly [number, number]): ReadonlyArray<number> =>
  Array.from({ length: ledger.length }, (_, at) => Ledger.at(ledger, at)!)
    .filter(({ observation, seq }) => observation !== undefined && from <= seq && seq <= to)
    .map(({ seq }) => seq)

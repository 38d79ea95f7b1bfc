import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import type { Kind } from "@palimpsest/ledger/Observation"
import type { Form } from "../../src/Form.ts"
import * as Section from "../../src/Section.ts"
import { cut } from "../../src/SectionBound.ts"
import { admit } from "../../src/SectionFrame.ts"
import { block } from "../../src/SectionNotes.ts"
import * as SectionView from "../../src/SectionView.ts"
import { ALLOW, fed, Replay, type Setting, shownBy } from "./replay.ts"
import { NOTES } from "./scenarios.ts"
import { bodyOf, shortened, turnsOf } from "./workload.ts"

const WITHOUT: Setting = { ...ALLOW, workspace: false }

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

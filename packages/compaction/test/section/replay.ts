/**
 * A run driven through the engine as a harness would: entries into the ledger and the view, a plan per turn, its decision
 * recorded, the text rendered from the view alone. Beside it, what the reference needs to say the same.
 */
import * as Either from "effect/Either"
import type { Address } from "@palimpsest/ledger/Address"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import type { Kind } from "@palimpsest/ledger/Observation"
import type { Decided } from "../../src/Decision.ts"
import * as Section from "../../src/Section.ts"
import { cut } from "../../src/SectionBound.ts"
import type { Note } from "../../src/SectionNotes.ts"
import { answer, type Contents, type Ruled } from "../../src/SectionReread.ts"
import * as SectionView from "../../src/SectionView.ts"
import { assemble, type Obs, type RefResult, type Rules } from "./reference.ts"
import { textOf, writtenBy, type Row } from "./workload.ts"

/** What the harness of a run is like. */
export interface Setting {
  readonly workspace: boolean
  readonly ruled: (target: string) => { readonly ruling: "allow" | "ask" | "deny"; readonly rule?: string }
  readonly notes: ReadonlyArray<Note>
  readonly fails?: (target: string) => boolean
}

export const ALLOW: Setting = { workspace: true, ruled: () => ({ ruling: "allow" }), notes: [] }

/** The setting of the vectors: secrets may not be read. */
export const VECTORS: Setting = {
  workspace: true,
  ruled: (target) =>
    target.startsWith("secrets/") ? { ruling: "deny", rule: "deny secrets/**" } : { ruling: "allow" },
  notes: []
}

export interface Turn {
  readonly plan: Section.SectionPlan
  readonly text: string
}

export class Replay {
  ledger = Ledger.empty()
  view = SectionView.empty
  step = 0
  readonly observations: Array<Obs> = []
  readonly files = new Map<string, string>()
  readonly texts = new Map<number, string>()
  readonly events: Array<SectionView.SectionEvent> = []
  readonly asked: Array<string> = []
  private seq = 0
  private readonly stored = new Map<string, Address>()

  /** One observation, text as admitted; `written` are a write's new contents. */
  observe(step: number, kind: Kind, target: string | undefined, text: string, written?: string): Seq {
    if (this.observations.length % 7 === 3) this.say(step, "words of the user")
    const scalars = scalarsOf(text)
    this.observations.push({ step, kind, target, text, scalars })
    if (kind === "write" && target !== undefined && written !== undefined) this.files.set(target, written)
    const observation = {
      kind,
      ...(target === undefined ? {} : { target }),
      covers: { _tag: "All" },
      classifier: ""
    } as const
    return this.enter(text, { step: step as Step, scalars, observation })
  }

  /** An entry that is no observation. */
  say(step: number, text: string): Seq {
    return this.enter(text, { step: step as Step, scalars: scalarsOf(text) })
  }

  row(row: Row, cap: number): void {
    this.observe(row.step, row.kind, row.target, textOf(row, cap), row.kind === "write" ? writtenBy(row) : undefined)
  }

  plan(
    budget: number,
    setting: Setting,
    view = this.view,
    ledger = this.ledger,
    step = this.step
  ): Section.SectionPlan {
    const inputs = { budget, notes: setting.notes, step, hasWorkspace: setting.workspace }
    return Section.run(Section.plan(ledger, view, inputs), (wanted) => {
      this.asked.push(wanted.target)
      const ruled: Ruled = setting.ruled(wanted.target)
      return answer(wanted.target, setting.workspace ? { read: this.reader(setting) } : undefined, ruled, this.store)
    })
  }

  /** Plans, records the decision and the request, renders. */
  turn(budget: number, setting: Setting): Turn {
    const plan = this.plan(budget, setting)
    if (plan.decided !== undefined) this.record({ _tag: "Decided", step: this.step as Step, ...plan.decided })
    const { text } = this.render()
    return { plan, text }
  }

  ledgerStep(): Step {
    return this.step as Step
  }

  /** That a request was made of what the view shows. */
  request(): void {
    this.view = { ...this.view, through: this.seq }
  }

  expected(budget: number, setting: Setting, rules?: Rules): RefResult {
    const read = this.reader(setting)
    const workspace = (target: string) => {
      const contents = read(target)
      return contents._tag === "Text" ? contents.text : new Error(contents.why)
    }
    const input = {
      budget,
      step: this.step,
      notes: setting.notes,
      workspace: setting.workspace ? workspace : undefined,
      ruled: setting.ruled
    }
    return assemble(this.observations, input, rules)
  }

  render(view = this.view) {
    return SectionView.render(view, this.read)
  }

  readonly read: SectionView.Reader = {
    entry: (seq) => this.texts.get(seq)!,
    range: (range) => cut(this.texts.get(range.of.seq)!, range.bytes)
  }

  record(event: Decided): void {
    this.events.push(event)
    this.view = SectionView.evolve(this.view, event)
    this.seq += 1
  }

  readonly store = (text: string): Address => {
    const known = this.stored.get(text)
    if (known !== undefined) return known
    const at = { seq: (1_000_000_000 + this.stored.size) as Seq }
    this.stored.set(text, at)
    this.texts.set(at.seq, text)
    return at
  }

  private readonly reader =
    (setting: Setting) =>
    (target: string): Contents =>
      setting.fails?.(target) === true
        ? { _tag: "Failed", why: "permission denied" }
        : { _tag: "Text", text: this.files.get(target) ?? "" }

  private enter(text: string, entry: Omit<Ledger.Entry, "seq">): Seq {
    this.seq += 1
    this.step = entry.step
    const seq = this.seq as Seq
    this.texts.set(seq, text)
    this.ledger = Either.getOrThrow(Ledger.append(this.ledger, { seq, ...entry }))
    const event = { _tag: "Entered", entry: { seq, ...entry } } as const
    this.events.push(event)
    this.view = SectionView.evolve(this.view, event)
    return seq
  }
}

/** A run that has seen the rows and planned nothing. */
export const fed = (rows: ReadonlyArray<Row>, cap = 12_000): Replay => {
  const run = new Replay()
  for (const row of rows) run.row(row, cap)
  return run
}

/** A run of short tool results, none of which replaces another. */
export const quiet = (entries: number): Replay => {
  const run = new Replay()
  for (let i = 0; i < entries; i++) run.observe(i, "tool", "bash", `\n[tool bash]\n${"out ".repeat(20)}${i}\n`)
  return run
}

/** The text of a view after a plan's decision. */
export const shownBy = (run: Replay, plan: Section.SectionPlan, view: SectionView.SectionView): string =>
  run.render(SectionView.evolve(view, { _tag: "Decided", step: run.ledgerStep(), changes: [], ...plan.decided })).text

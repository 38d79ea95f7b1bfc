/** A transcript made by hand, for the rows: words, calls with their results, and what a plan decides folded in. */
import { scalarsOf, type Body } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Coverage, Observation } from "@palimpsest/ledger/Observation"
import type { Part } from "@palimpsest/ledger/Part"
import * as Balanced from "../../src/Balanced.ts"
import type { Cause, Change, Decided } from "../../src/Decision.ts"
import { putOf, type Form } from "../../src/Form.ts"
import type { Marks } from "../../src/Hysteresis.ts"
import * as Transcript from "../../src/Transcript.ts"
import { Rendered, Words } from "../../src/testing.ts"

/** A thing that was observed; a file or a search by its subject. */
export const seen = (kind: Observation["kind"], target: string, covers: Coverage = ALL): Observation => ({
  kind,
  target,
  subject: kind === "grep" ? `grep:${target}` : `file:${target}`,
  covers,
  classifier: "test"
})

export const ALL: Coverage = { _tag: "All" }

export const lines = (from: number, to: number): Coverage => ({ _tag: "Lines", from, to })

/** A text of so many scalar values in lines. */
export const text = (scalars: number): string => Words.textOf({ alphabet: "plain", scalars })

/** Everything that may leave, leaves: nothing but the schedule's marks holds it back. */
export const NOW: Marks = { line: 1, lowWater: 0, ceiling: undefined }

export class Talk {
  readonly texts = new Map<Seq, ReadonlyArray<string>>()
  view: Transcript.Transcript
  decisions: ReadonlyArray<Decided> = []
  private seq = 0

  constructor(shape: Transcript.Shape = "anthropic") {
    this.view = Transcript.empty(shape)
  }

  say(words: string): Seq {
    return this.enter("user", `u${this.seq}`, words, (body) => ({ _tag: "Text", body }))
  }

  /** The model says something, so that every result before it has been seen. */
  answer(words = "ok"): Seq {
    return this.enter("assistant", `a${this.seq}`, words, (body) => ({ _tag: "Text", body }))
  }

  /** A call and its result. */
  ask(observation: Observation, words: string, status: "ok" | "error" | "pending" = "ok"): Seq {
    const call = `call-${this.seq}`
    this.enter("assistant", `a${this.seq}`, "{}", (args) => ({ _tag: "Call", call, name: observation.kind, args }))
    return this.result(call, observation, words, status)
  }

  /** Calls of one message, and their results. */
  batch(...all: ReadonlyArray<readonly [Observation, string]>): ReadonlyArray<Seq> {
    const first = this.seq
    all.forEach((_, i) =>
      this.enter("assistant", `a${first}`, "{}", (args) => ({
        _tag: "Call",
        call: `call-${first}-${i}`,
        name: "Read",
        args
      }))
    )
    return all.map(([observation, words], i) => this.result(`call-${first}-${i}`, observation, words))
  }

  result(call: string, observation: Observation, words: string, status: "ok" | "error" | "pending" = "ok"): Seq {
    const role = this.view.shape === "anthropic" ? "user" : "tool"
    const part = (body: Body): Part => ({ _tag: "Result", call, status, blocks: [body] })
    return this.enter(role, `r${this.seq}`, words, part, observation)
  }

  plan(marks: Marks): Balanced.Plan {
    return Balanced.plan(this.view, marks)
  }

  /** Folds what a batch decides, as one event. */
  rewrite(marks: Marks): ReadonlyArray<Change> {
    const plan = this.plan(marks)
    if (plan._tag !== "Batch") throw new Error(`${plan._tag} is no batch`)
    this.decide(plan.changes, plan.cause)
    return plan.changes
  }

  decide(changes: ReadonlyArray<Change>, epoch?: Cause): void {
    const decided: Decided = { _tag: "Decided", step: STEP, ...(epoch === undefined ? {} : { epoch }), changes }
    this.decisions = [...this.decisions, decided]
    this.seq++
    this.view = Transcript.evolve(this.view, [{ _tag: "Decided", decided }])
  }

  happen(happening: Transcript.Happening): void {
    this.seq++
    this.view = Transcript.evolve(this.view, [happening])
  }

  form(seq: Seq): Form {
    const item = this.view.messages.flatMap(({ items }) => items).find((one) => one._tag === "Entry" && one.seq === seq)
    if (item?._tag !== "Entry") throw new Error(`@${seq} does not stand in the view`)
    return item.form
  }

  /** The text of the view, a line an item. */
  shown(): ReadonlyArray<string> {
    return this.view.messages.flatMap(({ items }) => items.map((item) => Rendered.textOfItem(this.texts, item)))
  }

  private enter(
    role: "user" | "assistant" | "tool",
    message: string,
    words: string,
    part: (body: Body) => Part,
    observation?: Observation
  ): Seq {
    const seq = ++this.seq as Seq
    this.texts.set(seq, [words])
    const seen = observation === undefined ? {} : { observation }
    const entered = {
      _tag: "Entered",
      step: STEP,
      message,
      role,
      part: part(Words.bodyOf(words, seq)),
      ...seen,
      origin: { _tag: "Made" }
    } as const
    this.view = Transcript.evolve(this.view, [{ _tag: "Entered", seq, entered }])
    return seq
  }
}

/** The own words of a form, without what it shows of its entry. */
export const wordsOf = (form: Form): string => (putOf(form) ?? []).filter((piece) => typeof piece === "string").join("")

export const scalars = scalarsOf

const STEP = 1 as Step

/**
 * The client's side of a simulation: it turns a script into entries with their texts, knows which results are still to
 * come, and which entries have to stand in the next request.
 *
 * @since 0.1.0
 */
import type { Body } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Part, Role } from "@palimpsest/ledger/Part"
import type { Happening, Shape, Transcript } from "../Transcript.ts"
import type { Asked, Script, Turn } from "./Script.ts"
import { bodyOf, pictureOf, textOf, type Words } from "./Words.ts"

export class Client {
  readonly texts = new Map<Seq, readonly [string, ...ReadonlyArray<string>]>()
  /** The place of the newest event. */
  seq = 0
  /** The number of the request that is prepared: as of a long run, so that a rewrite may pay. */
  step = 301
  private readonly shape: Shape
  private waiting: Array<Happening> = []
  private touched = false
  private calls = 0
  private messages = 0
  /** Results that come after the next request, and how many requests they have waited. */
  private late: Array<{ readonly call: string; readonly asked: Asked; waited: number }> = []
  /** What stands: words, calls and reasoning by their seq; results by their call. */
  private readonly said = new Set<Seq>()
  private readonly called = new Map<string, Seq>()
  private readonly answered = new Map<string, Seq>()

  constructor(shape: Shape) {
    this.shape = shape
  }

  begin(task: Script["task"]): void {
    this.text("system", this.key(), { alphabet: "plain", scalars: 60 })
    this.text("user", this.key(), task)
  }

  /** What happens before the next request. */
  say(turn: Turn, view: Transcript): void {
    this.bringLate()
    if (turn.client === "restart") this.restart(view)
    if (turn.client === "clear") this.clear(view)
    if (turn.client === "orphan") this.result(`nobody-${this.seq}`, ORPHAN, "ok")
    if (turn.client === "system") this.text("system", this.key(), { alphabet: "wide", scalars: 30 })
    if (turn.client === "picture") {
      this.said.add(this.enter("user", this.key(), { _tag: "Media", body: pictureOf(this.seq + 1) }, [""]))
    }
    for (const words of turn.said) this.text("user", this.key(), words)
  }

  /** The model's answer and the results that come with it. */
  answer(turn: Turn): void {
    const key = this.key()
    if (turn.thought !== undefined) {
      const part = (body: Body): Part => ({ _tag: "Reasoning", body, signature: 0 })
      this.said.add(this.write("assistant", key, [textOf(turn.thought)], part))
    }
    if (turn.answer !== undefined || turn.asked.length === 0) {
      this.text("assistant", key, turn.answer ?? { alphabet: "plain", scalars: 9 })
    }
    const coming: Array<() => void> = []
    for (const asked of turn.asked) {
      const call = `call-${++this.calls}`
      const part = (args: Body): Part => ({ _tag: "Call", call, name: asked.observation.kind, args })
      this.called.set(call, this.write("assistant", key, [this.argsOf(asked)], part))
      const bring = (): void => this.bring(call, asked)
      if (turn.split) bring()
      else coming.push(bring)
    }
    for (const bring of turn.reversed ? coming.reverse() : coming) bring()
  }

  /** What has happened since this was asked before. */
  take(): { readonly happenings: ReadonlyArray<Happening>; readonly touched: boolean } {
    const { touched, waiting: happenings } = this
    this.waiting = []
    this.touched = false
    return { happenings, touched }
  }

  /** A request went out: whoever waits for it has waited once more. */
  sent(): void {
    this.step++
    for (const one of this.late) one.waited++
  }

  standing(): ReadonlySet<Seq> {
    return new Set([...this.said, ...this.called.values(), ...this.answered.values()])
  }

  /** A write brings what it writes. */
  private argsOf({ blocks: [first], observation }: Asked): string {
    const content = textOf({ ...first, scalars: Math.min(first.scalars, 2_000) })
    return JSON.stringify({ target: String(this.calls), ...(observation.kind === "write" ? { content } : {}) })
  }

  private bring(call: string, asked: Asked): void {
    if (asked.comes === "now") return this.result(call, asked, statusOf(asked.observation))
    if (asked.comes === "never") return
    if (asked.comes === "pending") this.result(call, { ...asked, blocks: WAIT, picture: false }, "pending")
    this.late.push({ call, asked, waited: 0 })
  }

  private bringLate(): void {
    const due = this.late.filter(({ waited }) => waited > 0)
    this.late = this.late.filter(({ waited }) => waited === 0)
    for (const { asked, call } of due) {
      this.touched ||= this.called.has(call)
      this.result(call, asked, statusOf(asked.observation))
    }
  }

  private result(call: string, asked: Asked, status: "ok" | "error" | "pending"): void {
    const texts = asked.blocks.map(textOf)
    const name = (this.seq + 1) * BLOCKS
    const blocks = texts.map((text, i) => bodyOf(text, name + i))
    const [first, ...rest] = asked.picture ? [...blocks, pictureOf(name + texts.length)] : blocks
    const [one = "", ...others] = asked.picture ? [...texts, ""] : texts
    if (first === undefined) return
    const role = this.shape === "anthropic" ? "user" : "tool"
    const part: Part = { _tag: "Result", call, status, blocks: [first, ...rest] }
    const seq = this.enter(role, this.key(), part, [one, ...others], asked.observation)
    if (this.called.has(call)) this.answered.set(call, seq)
  }

  /** The client keeps about two thirds of its history, and says so in words of its own. */
  private restart(view: Transcript): void {
    const shown = view.messages.flatMap(({ items }) => items.filter(({ _tag }) => _tag === "Entry"))
    const keeps = shown.map(({ seq }) => seq).filter((seq) => (seq * 7 + this.seq) % 3 !== 0)
    const kept = new Set(keeps)
    for (const seq of this.said) if (!kept.has(seq)) this.said.delete(seq)
    for (const [call, seq] of this.called) if (!kept.has(seq)) this.called.delete(call)
    for (const [call, seq] of this.answered) {
      if (!kept.has(seq) || !this.called.has(call)) this.answered.delete(call)
    }
    this.happen({ _tag: "Restarted", keeps })
    this.text("user", this.key(), { alphabet: "plain", scalars: 80 })
  }

  /** The client blanks its oldest results. */
  private clear(view: Transcript): void {
    const results = view.messages.flatMap(({ items }) =>
      items.filter((item) => item._tag === "Entry" && item.entered.part._tag === "Result")
    )
    if (results.length < 2) return
    const entries = results.slice(0, Math.ceil(results.length / 3)).map(({ seq }) => seq)
    this.happen({ _tag: "Cleared", entries, put: "[old result cleared by the client]" })
  }

  private text(role: Role, message: string, words: Words): void {
    this.said.add(this.write(role, message, [textOf(words)], (body) => ({ _tag: "Text", body })))
  }

  private write(role: Role, message: string, texts: readonly [string], part: (body: Body) => Part): Seq {
    return this.enter(role, message, part(bodyOf(texts[0], (this.seq + 1) * BLOCKS)), texts)
  }

  private enter(
    role: Role,
    message: string,
    part: Part,
    texts: readonly [string, ...ReadonlyArray<string>],
    observation?: Observation
  ): Seq {
    const seq = ++this.seq as Seq
    this.texts.set(seq, texts)
    const seen = observation === undefined ? {} : { observation }
    const entered = {
      _tag: "Entered",
      step: (this.step - 1) as Step,
      message,
      role,
      part,
      ...seen,
      origin: { _tag: "Made" }
    } as const
    this.waiting.push({ _tag: "Entered", seq, entered })
    return seq
  }

  private happen(happening: Happening): void {
    this.seq++
    this.touched = true
    this.waiting.push(happening)
  }

  private key(): string {
    return `m${++this.messages}`
  }
}

const statusOf = ({ kind }: Observation): "ok" | "error" => (kind === "error" ? "error" : "ok")

const BLOCKS = 1_000
const WAIT: Asked["blocks"] = [{ alphabet: "plain", scalars: 20 }]
const ORPHAN: Asked = {
  observation: { kind: "tool", covers: { _tag: "All" }, classifier: "test" },
  comes: "now",
  blocks: WAIT,
  picture: false
}

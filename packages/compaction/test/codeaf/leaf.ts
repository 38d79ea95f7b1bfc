/** A run as the original's tests play it: a transcript, a disk to spill to, and what each turn did to what stood before. */
import { pure } from "@palimpsest/ledger/Sha256"
import * as Decayer from "../../src/codeaf/Decayer.ts"
import type { Call, Message } from "../../src/codeaf/Message.ts"
import * as Observations from "../../src/codeaf/Observations.ts"
import type { Pass, Rewrite } from "../../src/codeaf/Pass.ts"
import { bytesOf, sized } from "../../src/codeaf/Sized.ts"
import { decayPath, nowhere, type Spill } from "../../src/codeaf/Spill.ts"
import type { Engine } from "./engine.ts"

/** 24 KiB, the budget of most of the original's tests. */
export const BUDGET = 24 << 10

export class Disk {
  readonly files = new Map<string, string>()
  writes = 0
  broken = false
  readonly leaf: string

  constructor(leaf = "2") {
    this.leaf = leaf
  }

  readonly spill: Spill = (key, body) => {
    this.writes++
    if (this.broken) return undefined
    const path = decayPath(this.leaf, key)
    this.files.set(path, body)
    return path
  }
}

export const callOf = (id: string, args = `{"cmd":"ls"}`, name = "sh"): Call => ({ id, name, arguments: args })

export const tool = (answers: string, text: string, label?: string): Message => ({
  role: "tool",
  answers,
  ...sized(text),
  ...(label === undefined ? {} : { label: sized(label) })
})

export const says = (text: string, ...calls: ReadonlyArray<Call>): Message => ({
  role: "assistant",
  ...sized(text),
  calls
})

export const isStub = ({ text }: Message): boolean => /^\[.* — \d+ bytes, (superseded|spilled to .+)\]$/su.test(text)

/** Encoded one by one, as a cache compares them. */
export const wire = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.map(({ answers, calls, role, text }) => JSON.stringify({ role, text, answers, calls }))

export const isPrefix = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): boolean =>
  before.length <= after.length && before.every((message, index) => message === after[index])

export interface Played {
  readonly rewrote: boolean
  readonly wasOver: boolean
  readonly encoded: ReadonlyArray<string>
}

export class Leaf {
  messages: ReadonlyArray<Message> = []
  decayer = Decayer.empty
  observations = Observations.empty

  readonly engine: Engine
  readonly spill: Spill

  constructor(engine: Engine, spill: Spill = nowhere) {
    this.engine = engine
    this.spill = spill
  }

  append(...messages: ReadonlyArray<Message>): void {
    this.messages = [...this.messages, ...messages]
  }

  observe(bytes: number): void {
    this.decayer = { ...this.decayer, inflow: this.engine.observe(this.decayer.inflow, bytes) }
  }

  used(key: string): void {
    this.decayer = Decayer.used(this.decayer, key)
  }

  actedPast(index: number): void {
    this.decayer = this.engine.actedPast(this.decayer, index)
  }

  lowWater(budget: number): number {
    return this.engine.lowWater(this.decayer.inflow, budget)
  }

  decay(working: number, safety = working): ReadonlyArray<Rewrite> {
    return this.take(this.engine.decayWithin(this.decayer, this.messages, working, safety, this.spill))
  }

  fold(working: number, safety = working): ReadonlyArray<Rewrite> {
    return this.take(this.engine.foldWithin(this.decayer, this.messages, working, safety, this.spill))
  }

  admit(turn: number, call: Call, result: Observations.Result | string): string {
    const given = typeof result === "string" ? { content: result } : result
    const admitted = this.engine.admit(pure, this.spill, this, turn, call, given)
    this.decayer = admitted.decayer
    this.observations = admitted.observations
    return admitted.put.text
  }

  text(index: number): string {
    return this.messages[index]!.text
  }

  stubbed(): ReadonlyArray<string> {
    return this.messages.filter((message) => message.role === "tool" && isStub(message)).map(({ answers }) => answers!)
  }

  /** Sizes counted from the texts, not taken from the messages. */
  live(...roles: ReadonlyArray<Message["role"]>): number {
    return this.messages.filter(({ role }) => roles.includes(role)).reduce((sum, { text }) => sum + bytesOf(text), 0)
  }

  /** One assistant message and one result of a size, then decay. */
  turn(size: number, budget: number): Played {
    const id = `c${this.messages.length}`
    const before = wire(this.messages)
    this.append(says(`thinking ${id}`, callOf(id)), {
      ...tool(id, "x".repeat(size)),
      label: this.engine.callLabel(callOf(id))
    })
    const wasOver = this.live("tool") > budget
    this.observe(size)
    this.decay(budget)
    const encoded = wire(this.messages)
    return { rewrote: !isPrefix(before, encoded), wasOver, encoded }
  }

  private take(pass: Pass<Message>): ReadonlyArray<Rewrite> {
    this.messages = pass.messages
    this.decayer = pass.decayer
    return pass.rewrites
  }
}

/** Where a pass lands for a leaf whose every turn adds the same. */
export const steadyLowWater = (engine: Engine, budget: number, perTurn: number): number => {
  const gauge = new Leaf(engine)
  for (let sample = 0; sample < 3; sample++) gauge.observe(perTurn)
  return gauge.lowWater(budget)
}

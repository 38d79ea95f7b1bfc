/** A session in memory that grows between commands: reads of its own files, imported again each time it has grown. */
import * as Effect from "effect/Effect"
import type { Command as Order } from "@palimpsest/compaction/Command"
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Audit from "../../src/Audit.ts"
import * as Command from "../../src/Command.ts"
import type { Config } from "../../src/Config.ts"
import type { Fact } from "../../src/Fact.ts"
import * as Runs from "../../src/Runs.ts"
import { eventsOf, imported, memory, reported, type Line } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"

export const governed = (more: Partial<Extract<Config, { readonly preset: "balanced" | "frugal" }>> = {}): Config => ({
  preset: "balanced",
  shape: "anthropic",
  line: 6_000,
  lowWater: 3_600,
  schedule: "investment",
  ...more
})

export class Growing {
  run: Runs.Run | undefined
  private readonly config: Config
  private readonly lines: Array<string> = []
  private reads = 0

  constructor(config: Config = governed()) {
    this.config = config
    this.line("user", [{ type: "text", text: "Read them all, and say what they have in common." }])
  }

  /** Reads more files, one request each, and imports what there is then: the requests so far. */
  grow(n: number, chars = 2_000) {
    for (let i = 0; i < n; i++) {
      this.reads++
      this.read(`file-${this.reads}.txt`, content(this.reads, chars))
    }
    return this.govern()
  }

  /** One read of a file, with what it says. */
  read(name: string, says: string, thought?: string): void {
    const id = `toolu_${this.lines.length}`
    const reasoning = thought === undefined ? [] : [{ type: "thinking", thinking: thought, signature: `sig-${id}` }]
    this.call([...reasoning, { type: "tool_use", id, name: "Read", input: { file_path: `/srv/${name}` } }])
    this.line("user", [{ type: "tool_result", tool_use_id: id, content: says }])
  }

  /** One answer of the model in as many lines as it has blocks. */
  call(blocks: ReadonlyArray<unknown>): void {
    const message = `msg_${this.lines.length}`
    for (const block of blocks) this.line("assistant", [block], message)
  }

  answer(id: string, says: string): void {
    this.line("user", [{ type: "tool_result", tool_use_id: id, content: says }])
  }

  govern() {
    return Effect.gen(this, function* () {
      const bytes = new TextEncoder().encode(this.lines.join(""))
      const { base } = yield* imported({ format: "claude-code", bytes }, this.config)
      this.run = yield* Runs.find(hash, base)
      return (yield* reported(this.run)).lines
    })
  }

  /** The run as it stands now. */
  found() {
    return Effect.suspend(() =>
      this.run === undefined ? Effect.dieMessage("nothing is governed yet") : Runs.find(hash, this.run.log)
    )
  }

  give(command: Order) {
    return Effect.flatMap(this.found(), (run) => Command.give(hash, run, command))
  }

  facts() {
    return Effect.flatMap(this.found(), ({ log }) =>
      Effect.map(eventsOf(log), (all): ReadonlyArray<{ readonly seq: Seq; readonly fact: Fact }> => all)
    )
  }

  /** The seq of the result of the read that said this. */
  result(name: string) {
    return Effect.map(this.facts(), (facts) => {
      const found = facts.find(
        ({ fact }) =>
          fact._tag === "Entered" && fact.part._tag === "Result" && fact.observation?.target?.endsWith(name) === true
      )
      if (found === undefined) throw new Error(`no result of ${name}`)
      return found.seq
    })
  }

  /** What the audit finds: nothing, where all is well. */
  faults() {
    return Effect.gen(this, function* () {
      const { differ, findings } = yield* Audit.audit(hash, yield* this.found(), undefined)
      return [...findings.map(({ why }) => why), ...(differ === 0 ? [] : [`${differ} differ`])]
    })
  }

  /** The client blanks the results of these reads, or drops all that it has and begins with a summary. */
  client(...blanked: ReadonlyArray<number>): void {
    const n = this.lines.length
    const base = { sessionId: SESSION, uuid: uuid(n), timestamp: "2026-11-03T10:00:00.000Z", type: "system" }
    this.lines.push(
      `${JSON.stringify(
        blanked.length > 0
          ? {
              ...base,
              parentUuid: uuid(n - 1),
              subtype: "microcompact_boundary",
              microcompactMetadata: { compactedToolIds: blanked.map((read) => `toolu_${read * 2 - 1}`) }
            }
          : { ...base, parentUuid: null, subtype: "compact_boundary", compactMetadata: { trigger: "auto" } }
      )}\n`
    )
  }

  private line(type: "user" | "assistant", content: ReadonlyArray<unknown>, id?: string): void {
    const n = this.lines.length
    const model = this.config.preset === "balanced" ? this.config.model : undefined
    const message =
      type === "user"
        ? { role: "user", content }
        : { id, type: "message", role: "assistant", model: model ?? "scripted", content }
    this.lines.push(
      `${JSON.stringify({
        parentUuid: n === 0 ? null : uuid(n - 1),
        isSidechain: false,
        cwd: "/srv",
        sessionId: SESSION,
        version: "2.1.17",
        type,
        message,
        uuid: uuid(n),
        timestamp: new Date(Date.UTC(2026, 10, 3, 9, 0, n)).toISOString()
      })}\n`
    )
  }
}

const SESSION = "0f4c2a6e-9d0b-4a57-8b63-2f1f5c1d7a11"
const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`

/** What a file says; no two lines of any two are the same. */
export const content = (n: number, chars = 2_000): string => {
  let text = ""
  for (let line = 1; text.length < chars; line++) text += `file ${n}, line ${line}: ${"word ".repeat(8)}${n * line}\n`
  return text
}

/** Whether a request shows a text whole. */
export const shows = (line: Line | undefined, text: string): boolean =>
  JSON.stringify(line?.messages ?? []).includes(JSON.stringify(text).slice(1, -1))

/** Whether a request begins with all that another one sent. */
export const continues = (line: Line | undefined, before: Line | undefined): boolean =>
  before !== undefined &&
  JSON.stringify(line?.messages.slice(0, before.messages.length)) === JSON.stringify(before.messages)

export const run = <A, E>(effect: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<Growing["faults"]>>>) =>
  Effect.runPromise(Effect.provide(effect, memory))

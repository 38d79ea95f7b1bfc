import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Export from "../src/Export.ts"
import type { Source } from "../src/Import.ts"
import * as Log from "../src/Log.ts"
import { eventsOf, imported, memory, runsOf } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { balanced, raw, section } from "./support/Presets.ts"
import { abridged, bytesOf, claude, decode, encode, example, joined } from "./support/Sessions.ts"
import { dump, heads } from "./support/Store.ts"

const LINES = abridged()
const CONFIG = balanced("anthropic", 2_000)

/** A copy of the session with one line (1-based) in other words. */
const changed = (line: number): string =>
  joined(LINES.map((text, i) => (i === line - 1 ? text.replace("e", "E") : text)))

describe("a second import", () => {
  it.effect("in three stages equals the last alone, event for event; twice, and of an older copy, is 0 new", () =>
    Effect.gen(function* () {
      const stages = [40, 90, LINES.length].map((n) => claude(joined(LINES.slice(0, n))))
      const staged = yield* Effect.gen(function* () {
        for (const stage of stages) expect((yield* imported(stage, CONFIG)).fresh).toBeGreaterThan(0)
        const { logs } = yield* dump
        for (const stage of [...stages].reverse()) expect((yield* imported(stage, CONFIG)).fresh).toBe(0)
        expect((yield* dump).logs).toEqual(logs)
        return logs
      }).pipe(Effect.provide(memory))
      const alone = yield* imported(stages[2]!, CONFIG).pipe(Effect.zipRight(dump), Effect.provide(memory))
      const runs = (logs: typeof staged) => logs.filter(({ log }) => !Log.isSourceLog(log))
      expect(runs(staged)).toEqual(runs(alone.logs))
    })
  )

  it.effect("of a file changed in its middle is refused with the line, and nothing is appended", () =>
    Effect.gen(function* () {
      yield* imported(claude(joined(LINES.slice(0, 100))), CONFIG)
      const before = yield* dump
      for (const line of [2, 37, 100]) {
        const error = yield* Effect.flip(imported(claude(changed(line)), CONFIG))
        expect(error._tag === "ChangedSource" ? error.line : error._tag).toBe(line)
        expect(error.message).toContain(`line ${line} is not the one`)
      }
      expect(yield* dump).toEqual(before)
      expect((yield* imported(claude(changed(101)), CONFIG)).fresh).toBeGreaterThan(0)
    }).pipe(Effect.provide(memory))
  )

  it.effect("under another configuration makes another run, which shares the records", () =>
    Effect.gen(function* () {
      const source = claude(joined(LINES.slice(0, 60)))
      const first = yield* imported(source, CONFIG)
      const { bodies } = yield* dump
      const second = yield* imported(source, raw("anthropic"))
      expect(second.tree).toBe(first.tree)
      expect(second.base).not.toBe(first.base)
      expect((yield* dump).bodies.length).toBe(bodies.length + 1)
      expect((yield* imported(source, CONFIG)).fresh).toBe(0)
    }).pipe(Effect.provide(memory))
  )
})

describe("a file that is not whole", () => {
  it.effect("a torn last line waits, and is said; the export ends before it", () =>
    Effect.gen(function* () {
      const whole = joined(LINES.slice(0, 50))
      const torn = `${whole}${LINES[50]!.slice(0, 200)}`
      const { base, partial, records } = yield* imported(claude(torn), CONFIG)
      expect({ line: partial?.line, records }).toEqual({ line: 51, records: 50 })
      expect(decode(yield* Export.source(hash, base))).toBe(whole)
      const rest = yield* imported(claude(`${whole}${LINES[50]}\n`), CONFIG)
      expect(rest).toMatchObject({ records: 51 })
      expect(rest.partial).toBeUndefined()
      expect(decode(yield* Export.source(hash, base))).toBe(`${whole}${LINES[50]}\n`)
    }).pipe(Effect.provide(memory))
  )

  it.effect("a line that is no record is kept aside, said, and exported as it came, bytes that are no UTF-8 too", () =>
    Effect.gen(function* () {
      const strange = [encode('{"type":'), new Uint8Array([0xff, 0xfe, 0x00, 0x80]), encode("\t")]
      const pieces = strange.flatMap((bytes, i) => [
        encode(joined(LINES.slice(i * 20, i * 20 + 20))),
        bytes,
        encode("\n")
      ])
      const bytes = Uint8Array.from([...pieces, encode(joined(LINES.slice(60)))].flatMap((piece) => [...piece]))
      const { base, partial } = yield* imported(claude(bytes), CONFIG)
      expect(partial).toEqual({ line: 21, why: "not a record of this format; kept as it came" })
      const asides = (yield* eventsOf(base)).flatMap(({ fact }) => (fact._tag === "Aside" ? [fact] : []))
      const wanted = asides.filter(({ line }) => line === 21 || line === 42 || line === 63)
      expect(wanted.map(({ type }) => type)).toEqual(["malformed", "malformed", "blank"])
      expect(yield* Export.source(hash, base)).toEqual(bytes)
    }).pipe(Effect.provide(memory))
  )

  it.effect("a session without a call of a tool, and a file of blank lines, import", () =>
    Effect.gen(function* () {
      const talk = '[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi."}]'
      const source: Source = { format: "openai-chat", bytes: encode(talk) }
      expect(yield* imported(source, raw("openai-chat"))).toMatchObject({ records: 3 })
      const blank = yield* imported(claude("\n\n"), CONFIG)
      expect(decode(yield* Export.source(hash, blank.base))).toBe("\n\n")
    }).pipe(Effect.provide(memory))
  )
})

describe("the runs of one file", () => {
  it.effect("a side chain is a run of its own, whose parent is the call in the main run that began it", () =>
    Effect.gen(function* () {
      const { base, tree } = yield* imported(claude(joined(LINES)), CONFIG)
      const runs = yield* runsOf({ base, tree })
      expect(runs.map(({ log }) => log)).toEqual([base, `${base}~side-1`])
      const [began] = yield* eventsOf(runs[1]!.log)
      const parent = began?.fact._tag === "Began" ? began.fact.parent : undefined
      const call = (yield* eventsOf(base)).find(({ seq }) => seq === parent?.call)?.fact
      expect(parent?.log).toBe(base)
      expect(call).toMatchObject({ _tag: "Entered", part: { _tag: "Call", name: "Task" } })
      const prompt = LINES.find((line) => line.includes('"isSidechain":true')) ?? ""
      const said = String((JSON.parse(prompt) as { readonly message: { readonly content: unknown } }).message.content)
      const calls = LINES.filter((line) => line.includes('"tool_use"') && line.includes('"Task"'))
      expect(calls.some((line) => line.includes(JSON.stringify(said)))).toBe(true)
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 2: each of them exports the whole file, under every preset, byte for byte", () =>
    Effect.forEach(EXPORTED, ([name, config]) =>
      Effect.gen(function* () {
        const { base, tree } = yield* imported(example(name), config)
        for (const { log } of yield* runsOf({ base, tree })) {
          expect(Buffer.compare(yield* Export.source(hash, log), bytesOf(name)), log).toBe(0)
        }
        expect(Object.keys(yield* heads).length).toBeGreaterThan(0)
      }).pipe(Effect.provide(memory))
    )
  )
})

const EXPORTED = [
  ["anthropic-messages.json", section("anthropic", 1_000)],
  ["openai-chat-rows.jsonl", balanced("openai-chat", 800)],
  ["openai-chat.json", balanced("openai-chat", 20_000)],
  ["claude-code.jsonl", raw("anthropic")]
] as const

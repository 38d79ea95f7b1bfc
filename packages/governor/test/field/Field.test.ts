/** Reported faults (§2.1 to §2.6) over whole runs: what is sent is what its provider takes, and what left comes back. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Seq } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Classify from "@palimpsest/transcript/Classify"
import * as Validate from "@palimpsest/transcript/Validate"
import * as Draft from "../../src/Draft.ts"
import * as Governor from "../../src/Governor.ts"
import * as Recall from "../../src/Recall.ts"
import type { Config } from "../../src/Config.ts"
import { eventsOf, govern, memory } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"
import { decode, example, NAMES, shapeOf } from "../support/Sessions.ts"
import { begin, read, RUN, sent, user } from "../support/Turns.ts"

const all = Either.getOrThrow(compile(Policy.permissive))

const investing = (line: number, ceiling?: number, shape: Config["shape"] = "anthropic"): Config => ({
  preset: "balanced",
  shape,
  line,
  lowWater: Math.floor(line * 0.6),
  schedule: "investment",
  ...(ceiling === undefined ? {} : { ceiling })
})

const VALID = { anthropic: Validate.anthropic, "openai-chat": Validate.openAiChat }

/** A run that reads so many files, with a request after each. */
const reading = (config: Config, files: number) =>
  Effect.gen(function* () {
    const live = yield* begin(config)
    yield* Governor.observe(live, [user("Look at all of them, and never write.")])
    const turns: Array<ReadonlyArray<string>> = [(yield* sent(live)).messages]
    const texts: Array<string> = []
    for (let n = 0; n < files; n++) {
      texts.push(`file ${n} 🟡\n${`line of ${n}\n`.repeat(400)}`)
      yield* Governor.observe(live, read(`c${n}`, `dir/${n}.ts`, texts[n] ?? ""))
      turns.push((yield* sent(live)).messages)
    }
    return { live, texts, turns }
  })

describe("a whole run", () => {
  it.effect.each(NAMES)(
    "B01, B02, B07, B18, B68: under any ceiling, %s is sent as its provider takes it, or refused",
    (name) =>
      Effect.gen(function* () {
        const shape = shapeOf(name)
        for (const ceiling of [1, 700, 2_000, 8_000]) {
          const runs = yield* govern(example(name), investing(8_001, ceiling, shape))
          for (const { lines } of runs) {
            for (const { messages, refused } of lines) {
              if (refused === undefined) expect(VALID[shape](messages)).toEqual([])
            }
          }
        }
      }).pipe(Effect.provide(memory))
  )

  it.effect("B68: half a character is sent by no part of a message, stays in the ledger, and is told as mended", () =>
    Effect.gen(function* () {
      const half = "\ud83d"
      const live = yield* begin(investing(400_000))
      yield* Governor.observe(live, [user(`${"a".repeat(3_071)}${half}`)])
      const turns = [(yield* sent(live)).messages]
      yield* Governor.observe(live, [
        Draft.said("assistant", "m1", half),
        Draft.called("m1", "c1", "read", { path: `x${half}`, [half]: [{ deep: half }], pair: "🟡" }),
        Draft.result("m2", "c1", `🟡${half}`, Classify.observe("read", { path: `x${half}` }, false))
      ])
      turns.push((yield* sent(live)).messages)
      const messages = turns.flat().map((text): unknown => JSON.parse(text))
      expect(messages.length).toBeGreaterThan(3)
      expect(JSON.stringify(messages)).not.toMatch(/ud83d/)
      expect(JSON.stringify(messages)).toContain("🟡\ufffd")
      expect(turns[1]?.slice(0, turns[0]?.length)).toEqual(turns[0])
      const events = yield* eventsOf(RUN)
      const forms = events
        .flatMap(({ fact }) => (fact._tag === "Decided" ? fact.changes : []))
        .map(({ form }) => form._tag)
      expect(forms).toEqual(["Mended", "Mended", "Mended", "Mended"])
      const first = events.find(({ fact }) => fact._tag === "Entered")
      const { bytes } = yield* Recall.recall(hash, all, { run: RUN, address: { seq: Seq.make(first?.event.seq ?? 0) } })
      expect(JSON.parse(decode(bytes))).toBe(`${"a".repeat(3_071)}${half}`)
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "B62, B63: what left comes back from the store, byte for byte and never as a mark; what is not there says so",
    () =>
      Effect.gen(function* () {
        const { texts, turns } = yield* reading(investing(4_000), 14)
        const last = turns.at(-1)?.join("\n") ?? ""
        expect(last).toContain("left out")
        const entered = (yield* eventsOf(RUN)).flatMap(({ event, fact }) =>
          fact._tag === "Entered" && fact.part._tag === "Result" ? [Seq.make(event.seq)] : []
        )
        expect(entered.length).toBe(texts.length)
        for (const [n, seq] of entered.entries()) {
          const { bytes } = yield* Recall.recall(hash, all, { run: RUN, address: { seq } })
          expect(decode(bytes)).toBe(texts[n])
        }
        const miss = yield* Effect.flip(Recall.recall(hash, all, { run: RUN, address: { seq: Seq.make(9_999) } }))
        expect(miss._tag).toBeTypeOf("string")
      }).pipe(Effect.provide(memory))
  )

  it.effect("B65: a recall pages by bytes, inside a line too", () =>
    Effect.gen(function* () {
      const live = yield* begin(investing(4_000))
      yield* Governor.observe(live, [user("Look."), ...read("c1", "a.min.js", "0123456789".repeat(9_000))])
      yield* sent(live)
      const part: Recall.Part = { _tag: "Bytes", from: 40_000, to: 40_010 }
      const { bytes } = yield* Recall.recall(hash, all, { run: RUN, address: { seq: Seq.make(4) } }, part)
      expect(decode(bytes)).toBe("0123456789")
    }).pipe(Effect.provide(memory))
  )

  it.effect("B51: the user's words stand in every request, first and as they were", () =>
    Effect.gen(function* () {
      const { turns } = yield* reading(investing(4_000), 14)
      for (const messages of turns) expect(messages[0]).toContain("Look at all of them, and never write.")
    }).pipe(Effect.provide(memory))
  )

  it.effect("B81, B82, B83, LE-21: a request is a prefix of the next, or a decision with its cause lies between", () =>
    Effect.gen(function* () {
      const { turns } = yield* reading(investing(4_000), 14)
      const causes = (yield* eventsOf(RUN)).flatMap(({ fact }) =>
        fact._tag === "Decided" && fact.epoch !== undefined ? [fact.epoch] : []
      )
      const broken = turns.filter((messages, n) => {
        const before = turns[n - 1] ?? []
        return before.some((message, i) => messages[i] !== message)
      })
      expect(causes.length).toBeGreaterThan(0)
      expect(broken.length).toBeLessThanOrEqual(causes.length)
      expect(broken.length).toBeLessThan(turns.length / 2)
    }).pipe(Effect.provide(memory))
  )

  it.effect("LE-22: the same events give the same bytes, in another store", () =>
    Effect.gen(function* () {
      const once = Effect.provide(reading(investing(4_000), 10), memory)
      expect((yield* once).turns).toEqual((yield* once).turns)
    })
  )

  it.effect("B26, B27: what cannot fit is one refusal a request, said with need and have, and no rewrite", () =>
    Effect.gen(function* () {
      const live = yield* begin(investing(300, 200))
      yield* Governor.observe(live, [user("word ".repeat(2_000))])
      const first = yield* Governor.prepare(live)
      expect(first).toMatchObject({ _tag: "Refused", have: 200 })
      const second = yield* Governor.prepare(live)
      expect(second).toMatchObject({ _tag: "Refused", have: 200 })
      expect((yield* eventsOf(RUN)).filter(({ fact }) => fact._tag === "Decided" && fact.changes.length > 0)).toEqual(
        []
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("B12: a call that is still waiting is closed in the request, and its final result takes that place", () =>
    Effect.gen(function* () {
      const live = yield* begin(investing(4_000))
      const [call, result] = read("c1", "a.ts", "final\n")
      if (call === undefined || result === undefined) throw new Error("no call")
      yield* Governor.observe(live, [user("Look."), call])
      expect(Validate.anthropic((yield* sent(live)).messages.map(parsed))).toEqual([])
      yield* Governor.observe(live, [result, Draft.said("assistant", "a2", "So it is."), user("On.", "u2")])
      const after = (yield* sent(live)).messages
      expect(Validate.anthropic(after.map(parsed))).toEqual([])
      expect(after.join("")).toContain("final")
    }).pipe(Effect.provide(memory))
  )

  it("IO-W13: two spellings of a file are one subject; two files are two", () => {
    const subject = (path: string): string | undefined => Classify.observe("Read", { file_path: path }, false).subject
    expect(subject("./src/a.ts")).toBe(subject("src/a.ts"))
    expect(subject("src//b/../a.ts")).toBe(subject("src/a.ts"))
    expect(subject("src/b.ts")).not.toBe(subject("src/a.ts"))
  })
})

const parsed = (message: string): unknown => JSON.parse(message)

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Sealed } from "@palimpsest/ledger/Event"
import * as Log from "../src/Log.ts"
import type { Config } from "../src/Config.ts"
import type { Source } from "../src/Import.ts"
import { imported, memory } from "./support/Governed.ts"
import { balanced, section } from "./support/Presets.ts"
import { abridged, bytesOf, claude, decode, encode, example, joined } from "./support/Sessions.ts"
import { dump, heads } from "./support/Store.ts"

/** A file is named by its session, so cuts begin where that is known: the lines before are in every cut. */
const LINES = abridged()
const NAMED = LINES.findIndex((line) => line.includes('"sessionId"')) + 1
const BYTES = encode(joined(LINES))
const PRESETS: ReadonlyArray<Config> = [balanced("anthropic", 2_000), section("anthropic", 1_500)]

/** All events of all runs, by run. */
const events = Effect.map(dump, ({ logs }) =>
  Object.fromEntries(logs.filter(({ log }) => !Log.isSourceLog(log)).map(({ events, log }) => [log, events]))
)

type Events = Readonly<Record<string, ReadonlyArray<Sealed>>>

const alone = (source: Source, config: Config) =>
  imported(source, config).pipe(Effect.zipRight(events), Effect.provide(memory))

/** Whether every log of `some` is the beginning of the same log of `all`, event for event. */
const isPrefix = (some: Events, all: Events): boolean =>
  Object.entries(some).every(([log, sealed]) => sealed.every(({ digest }, i) => all[log]?.[i]?.digest === digest))

/** Imports each part in turn into one store, the clock going on; what is there after each must begin what is there at last. */
const grown = (parts: ReadonlyArray<Source>, config: Config, all: Events) =>
  Effect.gen(function* () {
    for (const part of parts) {
      yield* TestClock.adjust("1 hour")
      yield* imported(part, config)
      if (!isPrefix(yield* events, all)) return false
    }
    const now = yield* events
    return isPrefix(all, now) && Object.keys(now).length === Object.keys(all).length
  }).pipe(Effect.provide(memory))

const isChanged = <A, R>(grown: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.match(grown, { onFailure: ({ _tag }) => _tag === "ChangedSource", onSuccess: (held) => held === false })

describe.each(PRESETS.map((config) => [config.preset, config] as const))("law 7: import under %s", (_, config) => {
  it.effect("cut at every line, and taken up again in a store that has the cut, reaches the same heads", () =>
    Effect.gen(function* () {
      const all = yield* alone(claude(BYTES), config)
      expect(LINES.length).toBeGreaterThan(120)
      expect(Object.values(all).flat().some(({ bytes }) => decode(bytes).includes('"epoch":'))).toBe(true)
      const cuts = LINES.slice(NAMED).map((_, i) => claude(joined(LINES.slice(0, NAMED + i))))
      expect(yield* grown([...cuts, claude(BYTES)], config, all)).toBe(true)
      for (let cut = NAMED; cut < LINES.length; cut += 6) {
        expect(yield* grown([claude(joined(LINES.slice(0, cut))), claude(BYTES)], config, all), `cut ${cut}`).toBe(true)
      }
    })
  )

  it.effect("cut at every 1,000th byte, it reaches the same heads: a torn line waits", () =>
    Effect.gen(function* () {
      const all = yield* alone(claude(BYTES), config)
      const cuts = Array.from({ length: Math.ceil(BYTES.length / 1_000) }, (_, i) => BYTES.subarray(0, (i + 1) * 1_000))
      expect(cuts.length).toBeGreaterThan(100)
      expect(yield* grown([...cuts, BYTES].map(claude), config, all)).toBe(true)
    })
  )

  it.effect("tells mutants apart: a torn line that is read, a time that is the clock's, a cut that loses a line", () =>
    Effect.gen(function* () {
      const all = yield* alone(claude(BYTES), config)
      const torn = `${joined(LINES.slice(0, 20))}{"type":"torn"`
      expect(yield* grown([claude(torn), claude(BYTES)], config, all)).toBe(true)
      expect(yield* grown([claude(`${torn}\n`), claude(BYTES)], config, all).pipe(isChanged)).toBe(true)
      const late = joined(LINES).replaceAll(/"timestamp":"\d{4}/g, '"timestamp":"2027')
      expect(yield* grown([claude(late)], config, all)).toBe(false)
      expect(yield* grown([claude(joined(LINES.filter((_, i) => i !== 40)))], config, all)).toBe(false)
      expect(yield* grown([claude(joined(LINES.slice(0, -1)))], config, all)).toBe(false)
    })
  )
})

describe("law 7: import of a list of messages", () => {
  const all = JSON.parse(decode(bytesOf("anthropic-messages.json"))) as ReadonlyArray<unknown>

  it.effect("grown by a message at a time, it reaches the heads of the whole", () =>
    Effect.forEach([balanced("anthropic", 900), section("anthropic", 1_000)], (config) =>
      Effect.gen(function* () {
        const whole = yield* alone(example("anthropic-messages.json"), config)
        const stages = all.map((_, i) => encode(`${JSON.stringify(all.slice(0, i + 1), null, 2)}\n`))
        const from = all.findIndex((message) => JSON.stringify(message).includes('"user"'))
        const sources = stages.slice(from).map((bytes): Source => ({ format: "anthropic-messages", bytes }))
        expect(yield* grown(sources, config, whole)).toBe(true)
      })
    )
  )

  it.effect("two machines: another store, at another time, has equal heads", () =>
    Effect.forEach(["openai-chat-rows.jsonl", "anthropic-messages.json"] as const, (name) =>
      Effect.gen(function* () {
        const config = balanced(name.startsWith("openai") ? "openai-chat" : "anthropic", 900)
        const once = imported(example(name), config).pipe(Effect.zipRight(heads), Effect.provide(memory))
        const first = yield* once
        yield* TestClock.adjust("400 days")
        expect(yield* once).toEqual(first)
      })
    )
  )
})

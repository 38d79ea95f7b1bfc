/** Law 7 for imports that are cut anywhere and taken up again, under one preset. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Sealed } from "@palimpsest/ledger/Event"
import * as Log from "../../src/Log.ts"
import type { Config } from "../../src/Config.ts"
import type { Source } from "../../src/Import.ts"
import { imported, memory } from "./Governed.ts"
import { abridged, claude, decode, encode, joined } from "./Sessions.ts"
import { dump, heads } from "./Store.ts"

/** A file is named by its session, so cuts begin where that is known: the lines before are in every cut. */
const LINES = abridged()
const NAMED = LINES.findIndex((line) => line.includes('"sessionId"')) + 1
const BYTES = encode(joined(LINES))

/** All events of all runs, by run. */
const events = Effect.map(dump, ({ logs }) =>
  Object.fromEntries(logs.filter(({ log }) => !Log.isSourceLog(log)).map(({ events, log }) => [log, events]))
)

type Events = Readonly<Record<string, ReadonlyArray<Sealed>>>

export const alone = (source: Source, config: Config) =>
  imported(source, config).pipe(Effect.zipRight(events), Effect.provide(memory))

/**
 * Imports each part in turn into one store, the clock going on. After each, the head of every log is an event of the same
 * log in `all`, at its seq: as heads chain, what is there is the beginning of it, event for event. At last it is all of it.
 */
export const grown = (parts: ReadonlyArray<Source>, config: Config, all: Events) =>
  Effect.gen(function* () {
    for (const part of parts) {
      yield* TestClock.adjust("1 hour")
      yield* imported(part, config)
      for (const [log, { digest, seq }] of Object.entries(yield* heads)) {
        if (all[log]?.[seq - 1]?.digest !== digest) return false
      }
    }
    const now = yield* heads
    return Object.entries(all).every(([log, sealed]) => now[log]?.digest === sealed.at(-1)?.digest)
  }).pipe(Effect.provide(memory))

const isChanged = <A, R>(grown: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.match(grown, { onFailure: ({ _tag }) => _tag === "ChangedSource", onSuccess: (held) => held === false })

export const cuts = (config: Config): void => {
  it.effect("cut at every line, and taken up again in a store that has the cut, reaches the same heads", () =>
    Effect.gen(function* () {
      const all = yield* alone(claude(BYTES), config)
      expect(LINES.length).toBeGreaterThan(120)
      expect(
        Object.values(all)
          .flat()
          .some(({ bytes }) => decode(bytes).includes('"epoch":'))
      ).toBe(true)
      const cuts = LINES.slice(NAMED).map((_, i) => claude(joined(LINES.slice(0, NAMED + i))))
      expect(yield* grown([...cuts, claude(BYTES)], config, all)).toBe(true)
      for (let cut = NAMED; cut < LINES.length; cut += 15) {
        expect(yield* grown([claude(joined(LINES.slice(0, cut))), claude(BYTES)], config, all), `cut ${cut}`).toBe(true)
      }
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
}

export const byteCuts = (config: Config): void => {
  it.effect("cut at every 1,000th byte, it reaches the same heads: a torn line waits", () =>
    Effect.gen(function* () {
      const all = yield* alone(claude(BYTES), config)
      const cuts = Array.from({ length: Math.ceil(BYTES.length / 1_000) }, (_, i) => BYTES.subarray(0, (i + 1) * 1_000))
      expect(cuts.length).toBeGreaterThan(100)
      expect(yield* grown([...cuts, BYTES].map(claude), config, all)).toBe(true)
    })
  )
}

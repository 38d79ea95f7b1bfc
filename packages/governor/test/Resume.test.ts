import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EventStore } from "@palimpsest/ledger/EventStore"
import type { Draft } from "@palimpsest/ledger/Event"
import * as Audit from "../src/Audit.ts"
import * as Log from "../src/Log.ts"
import * as Runs from "../src/Runs.ts"
import { eventsOf, imported, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { balanced, section } from "./support/Presets.ts"
import { abridged, claude, joined } from "./support/Sessions.ts"
import { dump, heads, reload } from "./support/Store.ts"

const LINES = abridged().slice(0, 60)
const part = (n: number) => claude(joined(LINES.slice(0, n)))

/** Appends one event to a log, as a writer does that knows more kinds than we do, or fewer. */
const appended = (log: Runs.Run["log"], tree: Runs.Run["tree"], draft: Partial<Draft>) =>
  Effect.flatMap(EventStore, (store) =>
    store.append({
      id: "a later program",
      tree,
      writes: [
        {
          log,
          expected: { _tag: "Next" },
          drafts: [{ id: "later", at: "", kind: "Ended", version: 1, payload: "{}", ...draft }]
        }
      ]
    })
  )

describe("IO-43 a run that is taken up again", () => {
  it.effect("is restored in order, and asks what an uninterrupted run would", () =>
    Effect.forEach([balanced("anthropic", 1_500), section("anthropic", 1_200)], (config) =>
      Effect.gen(function* () {
        const whole = yield* Effect.gen(function* () {
          const { base } = yield* imported(part(60), config)
          return yield* eventsOf(base)
        }).pipe(Effect.provide(memory))
        const kept = yield* imported(part(31), config).pipe(Effect.zipRight(dump), Effect.provide(memory))
        yield* Effect.gen(function* () {
          yield* reload(kept)
          const { base, fresh } = yield* imported(part(60), config)
          const resumed = yield* eventsOf(base)
          const requests = (all: typeof whole) => all.filter(({ fact }) => fact._tag === "Requested")
          expect(fresh).toBeGreaterThan(10)
          expect(resumed.map(({ seq }) => seq)).toEqual(whole.map((_, i) => i + 1))
          expect(requests(resumed).length).toBeGreaterThan(6)
          expect(requests(resumed)).toEqual(requests(whole))
          expect(resumed).toEqual(whole)
        }).pipe(Effect.provide(memory))
      })
    )
  )

  it.effect("law 14: an unknown kind, version or key in its log stops it, named, and nothing is appended", () =>
    Effect.forEach(LATER, ([draft, why]) =>
      Effect.gen(function* () {
        const { base, tree } = yield* imported(part(30), balanced("anthropic", 1_500))
        const { writes } = yield* appended(base, tree, draft)
        const before = yield* heads
        const error = yield* Effect.flip(imported(part(60), balanced("anthropic", 1_500)))
        expect(error._tag === "UnknownFact" ? error.seq : error._tag).toBe(writes[0]?.first)
        expect(error.message).toContain(why)
        expect(yield* heads).toEqual(before)
        const audit = yield* Audit.audit(hash, yield* Runs.find(hash, base), undefined)
        expect(audit.findings.map(({ seq }) => seq)).toEqual([writes[0]?.first])
        const listed = yield* Effect.flip(Log.fold(hash, base, 0, (n) => Effect.succeed(n + 1)))
        expect(listed._tag).toBe("UnknownFact")
      }).pipe(Effect.provide(memory))
    )
  )

  it.effect("a log that does not begin a run is none", () =>
    Effect.gen(function* () {
      const { base, tree } = yield* imported(part(5), balanced("anthropic", 1_500))
      const other = Runs.find(hash, "other" as typeof base)
      expect((yield* Effect.flip(other))._tag).toBe("NoRun")
      yield* appended("other" as typeof base, tree, { payload: '{"epitaph":"died","step":0}' })
      expect((yield* Effect.flip(other)).message).toMatch(/^other: its first event .*does not begin a run$/)
      expect((yield* Effect.flip(Runs.find(hash, `${base}~source` as typeof base)))._tag).toBe("NoRun")
    }).pipe(Effect.provide(memory))
  )
})

const LATER: ReadonlyArray<readonly [Partial<Draft>, string]> = [
  [{ kind: "Sung", payload: '{"step":1}' }, "Sung"],
  [{ version: 2, payload: '{"epitaph":"died","step":1}' }, "version 2 of Ended is not known here"],
  [{ payload: '{"epitaph":"died","song":"la","step":1}' }, '["song"]']
]

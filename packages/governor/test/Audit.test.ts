import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type { Digest, LogId } from "@palimpsest/ledger/Ids"
import * as Audit from "../src/Audit.ts"
import type { Config } from "../src/Config.ts"
import * as Runs from "../src/Runs.ts"
import { imported, memory, runsOf } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { balanced, section } from "./support/Presets.ts"
import { abridged, claude, example, joined, NAMES, shapeOf, type Name } from "./support/Sessions.ts"
import { dump, reload, serve, type Kept } from "./support/Store.ts"
import { BODIES, EVENTS, places, type Tamper } from "./support/Tamper.ts"

const audited = (log: LogId, known?: Digest) =>
  Effect.flatMap(Runs.find(hash, log), (run) => Audit.audit(hash, run, known))

/** A section of the largest session alone would take as long as all the rest. */
const configsOf = (name: Name): ReadonlyArray<Config> =>
  [balanced(shapeOf(name), 1_500), section(shapeOf(name), 2_000)].slice(0, name === "claude-code.jsonl" ? 1 : 2)

/** A small store with two governed runs of one source, and the main one's name. */
const small = Effect.gen(function* () {
  const source = claude(joined(abridged().slice(0, 32)))
  const { base } = yield* imported(source, balanced("anthropic", 1_000))
  yield* imported(source, section("anthropic", 1_000))
  return { log: base, kept: yield* dump }
}).pipe(Effect.provide(memory))

describe("law 7: the log alone renders every request again", () => {
  it.effect.each(NAMES)("%s, from a copy of events and bodies in another store: 0 differ, the same heads", (name) =>
    Effect.gen(function* () {
      const before = yield* Effect.gen(function* () {
        const runs = yield* Effect.forEach(configsOf(name), (config) =>
          Effect.flatMap(imported(example(name), config), runsOf)
        )
        return { runs: runs.flat(), kept: yield* dump }
      }).pipe(Effect.provide(memory))
      yield* Effect.gen(function* () {
        yield* reload(throughJson(before.kept))
        for (const { head, log } of before.runs) {
          const audit = yield* audited(log, head.digest)
          expect({ ...audit, bodies: 0, requests: 0 }, log).toEqual({
            events: head.seq,
            head: head.digest,
            differ: 0,
            findings: [],
            bodies: 0,
            requests: 0
          })
          expect(audit.requests).toBeGreaterThan(0)
        }
      }).pipe(Effect.provide(memory))
    })
  )
})

describe("law 3: a head that is known elsewhere", () => {
  it.effect("of any event is fine; a wrong one, and one of what was cut, are found", () =>
    Effect.gen(function* () {
      const { kept, log } = yield* small
      const events = kept.logs.find((one) => one.log === log)!.events
      for (const { digest } of events.filter((_, i) => i % 9 === 0 || i === events.length - 1)) {
        expect((yield* audited(log, digest).pipe(Effect.provide(serve(kept)))).findings).toEqual([])
      }
      const wrong = yield* audited(log, hash(new Uint8Array([1]))).pipe(Effect.provide(serve(kept)))
      expect(wrong.findings.map(({ seq }) => seq)).toEqual([events.length + 1])
      const head = { seq: 20, digest: events[19]!.digest }
      const logs = kept.logs.map((one) => (one.log === log ? { ...one, head, events: events.slice(0, 20) } : one))
      const cut = serve({ ...kept, logs })
      expect((yield* audited(log).pipe(Effect.provide(cut))).findings).toEqual([])
      const known = yield* audited(log, events.at(-1)!.digest).pipe(Effect.provide(cut))
      expect(known.findings).toEqual([
        { seq: 21, why: `no event has the known head ${events.at(-1)!.digest}: the log was cut or written anew` }
      ])
    })
  )
})

describe("law 2 law 3: whatever was changed is found, and the event named", () => {
  const law = (kept: Kept, log: LogId, tampers: ReadonlyArray<Tamper>, finds = audited) =>
    FastCheck.asyncProperty(FastCheck.constantFrom(...tampers), places, async (tamper, [n, m]) => {
      const tampered = tamper(kept, log, n, m)
      const find = finds(log).pipe(
        Effect.map(({ findings }) => findings.map(({ seq }) => seq)),
        Effect.catchAll((error) => Effect.succeed("seq" in error ? [error.seq] : [1])),
        Effect.provide(serve(tampered.kept))
      )
      const seqs = await Effect.runPromise(find)
      if (Math.min(...seqs.filter((seq) => seq > 0)) !== tampered.seq) {
        throw new Error(`${tampered.name}: event ${tampered.seq}, found ${JSON.stringify(seqs)}`)
      }
    })

  it.effect("100 tampers with events", () =>
    Effect.gen(function* () {
      const { kept, log } = yield* small
      yield* Effect.promise(() => FastCheck.assert(law(kept, log, EVENTS), { numRuns: 100 }))
    })
  )

  it.effect("100 tampers with bodies", () =>
    Effect.gen(function* () {
      const { kept, log } = yield* small
      yield* Effect.promise(() => FastCheck.assert(law(kept, log, BODIES), { numRuns: 100 }))
    })
  )

  it.effect("tells mutants apart: an audit that counts, and one that looks at the newest event alone", () =>
    Effect.gen(function* () {
      const { kept, log } = yield* small
      const nothing = (of: LogId) => Effect.map(audited(of), (audit) => ({ ...audit, findings: [] }))
      const newest = (of: LogId) =>
        Effect.map(audited(of), (audit) => ({
          ...audit,
          findings: audit.findings.slice(-1).map((f) => ({ ...f, seq: audit.events }))
        }))
      for (const mutant of [nothing, newest]) {
        for (const tampers of [EVENTS, BODIES]) {
          const { failed } = yield* Effect.promise(async () =>
            FastCheck.check(law(kept, log, tampers, mutant), { numRuns: 15, seed: 7 })
          )
          expect(failed).toBe(true)
        }
      }
    })
  )
})

/** Out of this process's memory and back: what a file would hold. */
const throughJson = (kept: Kept): Kept => {
  const text = JSON.stringify(kept, (_, value: unknown) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value
  )
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && "base64" in value
      ? new Uint8Array(Buffer.from(String(value.base64), "base64"))
      : value
  ) as Kept
}

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LogId } from "@palimpsest/ledger/Ids"
import * as Audit from "../src/Audit.ts"
import * as Log from "../src/Log.ts"
import * as Runs from "../src/Runs.ts"
import { FILES, read, text } from "./golden/Golden.ts"
import { memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { decode, encode } from "./support/Sessions.ts"
import { reload, serve } from "./support/Store.ts"

describe("law 7: logs of an earlier version", () => {
  it.effect.each(FILES)("%s: every request renders as it was sent, from the log alone", (name) => {
    const { kept, requests } = read(name)
    return Effect.gen(function* () {
      for (const { head, log } of kept.logs.filter((one) => !Log.isSourceLog(one.log))) {
        const audit = yield* Audit.audit(hash, yield* Runs.find(hash, log), head.digest)
        expect(audit.findings, log).toEqual([])
        expect({ differ: audit.differ, events: audit.events, head: audit.head, requests: audit.requests }).toEqual({
          differ: 0,
          events: head.seq,
          head: head.digest,
          requests: requests[log]
        })
      }
    }).pipe(Effect.provide(serve(kept)))
  })

  it.effect("a decision in other words, though chained anew, does not render to what was sent, and is named", () => {
    const { kept } = read("live.jsonl")
    const reworded = (bytes: Uint8Array) => encode(decode(bytes).replaceAll("left out: ", "left away: "))
    const logs = kept.logs.map((log) => ({
      ...log,
      events: log.events.map((event) => ({ ...event, bytes: reworded(event.bytes) }))
    }))
    return Effect.gen(function* () {
      yield* reload({ ...kept, logs })
      const audit = yield* Audit.audit(hash, yield* Runs.find(hash, LogId.make("live-balanced")), undefined)
      expect(audit.differ).toBeGreaterThan(0)
      expect(audit.findings[0]?.why).toMatch(/^request \d+: message \d+ does not render to the bytes that were sent$/)
      const events = logs.find(({ log }) => log === "live-balanced")!.events
      expect(decode(events[audit.findings[0]!.seq - 1]!.bytes)).toContain('"kind":"Requested"')
    }).pipe(Effect.provide(memory))
  })

  it("they hold every form that there is, refusals, a restart, a side chain", () => {
    const all = FILES.map((name) => text(read(name).kept, {})).join("")
    for (const form of ["Bounded", "Closed", "Framed", "Refreshed", "Stub"]) expect(all).toContain(`_tag\\":\\"${form}`)
    for (const kind of ["Gated", "Refused", "Restarted", "Reported"]) expect(all).toContain(`kind\\":\\"${kind}`)
    for (const why of ["Aged", "Invalidated", "Refused", "Superseded"]) expect(all).toContain(`_tag\\":\\"${why}`)
    for (const words of ["~side-1", "left out: ", "(elided: ", "(re-read at step "]) expect(all).toContain(words)
  })

  it("reading and writing a file gives its bytes", () => {
    for (const name of FILES) {
      const { kept, requests } = read(name)
      expect(read(name).kept.logs.length).toBeGreaterThan(1)
      expect(text(kept, requests).split("\n").length).toBe(kept.bodies.length + lines(kept.logs))
    }
  })
})

const lines = (logs: ReadonlyArray<{ readonly events: ReadonlyArray<unknown> }>): number =>
  logs.reduce((sum, { events }) => sum + events.length + 1, 1)

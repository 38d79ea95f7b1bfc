import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import type * as BoundModule from "@palimpsest/compaction/SectionBound"
import type * as FrameModule from "@palimpsest/compaction/SectionFrame"
import * as Mark from "@palimpsest/compaction/Mark"
import type * as StubModule from "@palimpsest/compaction/SectionStub"
import * as Audit from "../src/Audit.ts"
import * as Log from "../src/Log.ts"
import * as Runs from "../src/Runs.ts"
import { FILES, read } from "./golden/Golden.ts"
import { imported, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { balanced, section } from "./support/Presets.ts"
import { example } from "./support/Sessions.ts"
import { heads, serve } from "./support/Store.ts"

/** A later version, in which every mark of a view has other words. */
vi.mock("@palimpsest/compaction/Mark", async (original) => {
  const ours = await original<typeof Mark>()
  const stub: typeof Mark.stub = (...given) => ({ ...ours.stub(...given), put: ["[somewhere else]"] })
  return { ...ours, stub, grouped: (n: number) => `about ${n}`, NO_RESULT: ["[nothing came]"] }
})

vi.mock("@palimpsest/compaction/SectionStub", async (original) => {
  const ours = await original<typeof StubModule>()
  const other = () => "\n[it is not here]\n"
  return { ...ours, superseded: other, aged: other, refused: other, collapse: other, reread: () => "\n[again]\n" }
})

vi.mock("@palimpsest/compaction/SectionFrame", async (original) => {
  const ours = await original<typeof FrameModule>()
  return { ...ours, heading: () => "\n[heading]\n", subjectOf: () => "thing" }
})

vi.mock("@palimpsest/compaction/SectionBound", async (original) => {
  const ours = await original<typeof BoundModule>()
  return { ...ours, commas: (n: number) => `about ${n}` }
})

describe("law 7, later version: the words of a stub change", () => {
  it.effect.each(FILES)("%s still renders every request as it was sent", (name) => {
    const { kept } = read(name)
    return Effect.gen(function* () {
      for (const { head, log } of kept.logs.filter((one) => !Log.isSourceLog(one.log))) {
        const audit = yield* Audit.audit(hash, yield* Runs.find(hash, log), head.digest)
        expect({ differ: audit.differ, findings: audit.findings, head: audit.head }, log).toEqual({
          differ: 0,
          findings: [],
          head: head.digest
        })
      }
    }).pipe(Effect.provide(serve(kept)))
  })

  it.effect("while a version that plans them anew says something else, and so would differ", () =>
    Effect.gen(function* () {
      expect(Mark.grouped(5)).toBe("about 5")
      const golden = Object.fromEntries(read("sessions.jsonl").kept.logs.map(({ head, log }) => [log, head.digest]))
      yield* imported(example("anthropic-messages.json"), balanced("anthropic", 900, 4_000))
      yield* imported(example("anthropic-messages.json"), section("anthropic", 700))
      const anew = yield* heads
      expect(Object.keys(anew)).toHaveLength(2)
      for (const [log, { digest }] of Object.entries(anew)) {
        expect(golden[log], log).toMatch(/^[0-9a-f]{64}$/)
        expect(digest, log).not.toBe(golden[log])
      }
    }).pipe(Effect.provide(memory))
  )
})

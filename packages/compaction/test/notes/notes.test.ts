import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import { LogId } from "@palimpsest/ledger/Ids"
import { Noted, Unnoted, type NoteFact } from "../../src/NoteFact.ts"
import * as Notes from "../../src/Notes.ts"

const RUN = LogId.make("run-1")
let seq = 0
const after = (notes: Notes.Notes, facts: ReadonlyArray<NoteFact>): Notes.Notes =>
  facts.reduce((state, fact) => Notes.evolve(state, { seq: ++seq as Seq, at: "2026-11-03T09:00:00Z", fact }), notes)
const facts = (notes: Notes.Notes, key: string, value: string, run?: LogId) =>
  Either.getOrThrow(Notes.put(notes, { key, value, step: 3 as Step, ...(run === undefined ? {} : { run }) }))
const put = (notes: Notes.Notes, key: string, value: string, run?: LogId) => after(notes, facts(notes, key, value, run))
const keys = (notes: Notes.Notes) => Notes.list(notes).map(({ key }) => key)
const many = (n: number, value = "v") =>
  Array.from({ length: n }, (_, i) => `k${i}`).reduce((notes, key) => put(notes, key, value), Notes.empty)

describe("IO-42 the notes of a workspace", () => {
  it("64 are kept; the next evicts the oldest, and says so", () => {
    const full = many(64)
    expect(facts(full, "k7", "again")).toHaveLength(1)
    expect(facts(full, "newest", "v", RUN).slice(1)).toEqual([
      { _tag: "Unnoted", step: 3, key: "k0", why: "evicted", by: "run-1" }
    ])
    const next = put(full, "newest", "v")
    expect(keys(next)).toHaveLength(64)
    expect([Notes.get(next, "k0"), Notes.get(next, "newest")?.value]).toEqual([undefined, "v"])
    expect(keys(full)[0]).toBe("k0")
  })

  it("16,000 scalar values of values are kept, keys aside; the next evicts as many as it needs", () => {
    const eight = many(8, "日".repeat(2_000))
    expect(keys(eight)).toHaveLength(8)
    expect(keys(put(eight, "a", ""))).toHaveLength(9)
    expect(keys(put(eight, "a", "👍"))).toEqual(["k1", "k2", "k3", "k4", "k5", "k6", "k7", "a"])
    expect(keys(put(many(16, "x".repeat(1_000)), "a", "y".repeat(1_001))).slice(0, 2)).toEqual(["k2", "k3"])
  })

  it("an overwrite is attributed to its writer and takes the newest place", () => {
    const notes = put(put(put(Notes.empty, "a", "1"), "b", "2"), "a", "3", RUN)
    expect(keys(notes)).toEqual(["b", "a"])
    expect(Notes.get(notes, "a")).toMatchObject({ value: "3", run: "run-1", step: 3 })
    expect(Notes.get(put(notes, "a", "4"), "a")).not.toHaveProperty("run")
  })

  it("2,000 scalar values of one are shown, the mark among them, and all of them are kept", () => {
    const long = "日👍".repeat(1_001)
    const note = Notes.get(put(Notes.empty, "log", long), "log")!
    expect([...note.value]).toHaveLength(2_000)
    expect(note.value.endsWith("…[truncated]")).toBe(true)
    expect(long.startsWith(note.value.slice(0, -Notes.CUT.length))).toBe(true)
    expect([note.whole === long, Notes.isCut(note)]).toEqual([true, true])
    expect(Notes.shown("👍".repeat(2_000))).toBe("👍".repeat(2_000))
  })

  it("remove gives a fact, then none; clear gives one for each", () => {
    const notes = put(put(Notes.empty, "a", "1"), "b", "2")
    const removal = Notes.remove(notes, "a", { step: 9 as Step, run: RUN })
    expect(removal).toEqual([{ _tag: "Unnoted", step: 9, key: "a", why: "deleted", by: "run-1" }])
    expect(Notes.remove(after(notes, removal), "a", Notes.PERSON)).toEqual([])
    expect(Notes.clear(notes, Notes.PERSON)).toEqual([
      { _tag: "Unnoted", step: 0, key: "a", why: "cleared" },
      { _tag: "Unnoted", step: 0, key: "b", why: "cleared" }
    ])
    expect(Notes.list(after(notes, Notes.clear(notes, Notes.PERSON)))).toEqual([])
    expect(Notes.clear(Notes.empty, Notes.PERSON)).toEqual([])
  })

  it.each([
    ["an empty key", "", "v", "key"],
    ["a key of 201", "k".repeat(201), "v", "key"],
    ["half a character in a key", "a\ud83d", "v", "key"],
    ["half a character in a value", "a", "\udc00", "value"]
  ])("%s is refused, and says which", (_, key, value, field) => {
    expect(Either.flip(Notes.put(Notes.empty, { key, value, step: 0 as Step }))).toMatchObject({
      right: { _tag: "BadNote", field }
    })
  })

  it("keys may be 200 characters of anything well-formed, line breaks too", () => {
    expect(keys(put(put(Notes.empty, "👍".repeat(200), "v"), "a\nb", "v"))).toEqual(["👍".repeat(200), "a\nb"])
  })

  it("law 14: facts decode strictly", () => {
    const decode = Schema.decodeUnknownEither(Schema.Union(Noted, Unnoted), { onExcessProperty: "error" })
    const noted = { _tag: "Noted", step: 1, key: "a", value: "" }
    for (const right of [noted, { ...noted, run: "r" }, { _tag: "Unnoted", step: 0, key: "a", why: "cleared" }]) {
      expect(Either.isRight(decode(right))).toBe(true)
    }
    for (const wrong of [
      { ...noted, key: "" },
      { ...noted, step: -1 },
      { ...noted, run: "" },
      { ...noted, at: "now" },
      { _tag: "Noted", key: "a", value: "" },
      { _tag: "Unnoted", step: 0, key: "a", why: "lost" },
      { _tag: "Unnoted", step: 0, key: "a" }
    ]) {
      expect(Either.isLeft(decode(wrong))).toBe(true)
    }
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Seq } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Entries from "../src/Entries.ts"
import * as Governor from "../src/Governor.ts"
import * as Recall from "../src/Recall.ts"
import { imported, memory, runsOf } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { parse } from "./support/Json.ts"
import { balanced } from "./support/Presets.ts"
import { bytesOf, decode, example, NAMES, shapeOf } from "./support/Sessions.ts"
import { toolResults, type ToolResult } from "./support/Source.ts"
import { begin, read, RUN, user } from "./support/Turns.ts"

const all = Either.getOrThrow(compile(Policy.permissive))
const at = (seq: number, more: { readonly block?: number; readonly lines?: readonly [number, number] } = {}) => ({
  run: RUN,
  address: { seq: Seq.make(seq), ...more }
})

/** Text as it is, or escaped where it is no Unicode; a picture's bytes; any other block as its own JSON. */
const isSame = (
  block: ToolResult["blocks"][number],
  { bytes, encoding }: Pick<Recall.Recalled, "bytes" | "encoding">
) => {
  if ("base64" in block) return Buffer.from(bytes).equals(Buffer.from(block.base64, "base64"))
  if (encoding === "utf8") return decode(bytes) === block.text
  const value = parse(decode(bytes))
  return value === block.text || JSON.stringify(value) === JSON.stringify(parse(block.text))
}

describe("law 2: what was left out comes back byte-exact", () => {
  it.effect.each(NAMES)("every tool result of %s, block by block, and no more than there are", (name) =>
    Effect.gen(function* () {
      const { base, tree } = yield* imported(example(name), balanced(shapeOf(name), 2_000))
      const rows = yield* Effect.map(
        Effect.forEach(yield* runsOf({ base, tree }), (run) =>
          Effect.map(Entries.list(hash, run), (list) => list.map((row) => ({ ...row, run: run.log })))
        ),
        (lists) => lists.flat().filter(({ part }) => part === "Result")
      )
      const results = toolResults(bytesOf(name))
      expect(rows.map(({ call }) => call).sort()).toEqual(results.map(({ call }) => call).sort())
      let wrong = 0
      const waiting = [...rows]
      for (const { blocks, call } of results) {
        const [row] = waiting.splice(
          waiting.findIndex((one) => one.call === call),
          1
        )
        expect(row?.blocks, call).toBe(blocks.length)
        const seq = Seq.make(Number(row?.address.split("@")[1]))
        for (const [i, block] of blocks.entries()) {
          const address = { run: row!.run, address: { seq, block: i + 1 } }
          const recalled = yield* Recall.recall(hash, all, address)
          expect(isSame(block, recalled), `${call}.${i + 1}`).toBe(true)
          if (!isSame(block, { ...recalled, bytes: recalled.bytes.subarray(0, -1) })) wrong++
        }
      }
      expect(wrong).toBeGreaterThan(results.length / 2)
    }).pipe(Effect.provide(memory))
  )
})

describe("what an address gives", () => {
  const begun = Effect.gen(function* () {
    const live = yield* begin(balanced("anthropic", 50_000))
    yield* Governor.observe(live, [user("Look."), ...read("c1", "dir/a.ts", "one\ntwo\nthree\n")])
  })
  const recalled = (...[address, part]: [ReturnType<typeof at>, Recall.Part?]) =>
    Effect.map(Recall.recall(hash, all, address, part), ({ bytes }) => decode(bytes))

  it.effect("the whole, lines with both ends, bytes without the second end, and bytes within lines", () =>
    Effect.gen(function* () {
      yield* begun
      expect(yield* recalled(at(4))).toBe("one\ntwo\nthree\n")
      expect(yield* recalled(at(4, { lines: [2, 3] }))).toBe("two\nthree\n")
      expect(yield* recalled(at(4), { _tag: "Lines", from: 1, to: 1 })).toBe("one\n")
      expect(yield* recalled(at(4), { _tag: "Bytes", from: 4, to: 7 })).toBe("two")
      expect(yield* recalled(at(4, { lines: [2, 2] }), { _tag: "Bytes", from: 0, to: 2 })).toBe("tw")
      expect(yield* recalled(at(4, { lines: [9, 12] }))).toBe("")
      expect(yield* recalled(at(2))).toBe("Look.")
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 4: or a typed reason: no such event, no entry, no such block, no such run", () =>
    Effect.gen(function* () {
      yield* begun
      const failed = (address: ReturnType<typeof at>) => Effect.flip(Recall.recall(hash, all, address))
      expect((yield* failed(at(99))).message).toBe("run@99: run has no event 99")
      expect((yield* failed(at(1))).message).toBe("run@1: event 1 is Began, not an entry")
      expect((yield* failed(at(4, { block: 2 }))).message).toBe("run@4.2: the entry has 1 block(s)")
      expect((yield* failed({ ...at(4), run: "other" as typeof RUN }))._tag).toBe("NoRun")
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 12: through the policy of now, which is named by rule and layer where it refuses", () =>
    Effect.gen(function* () {
      yield* begun
      for (const ruling of ["deny", "ask"] as const) {
        const policy = Policy.rule(Policy.layer(Policy.permissive, "house"), "read", ruling, "dir/*")
        const error = yield* Effect.flip(Recall.recall(hash, Either.getOrThrow(compile(policy)), at(4)))
        expect(error._tag === "RecallRefused" ? error.verdict : error._tag).toEqual({
          ruling,
          rule: "dir/*",
          layer: "house"
        })
        expect(error.message).toContain("by rule dir/* in layer house")
        expect(decode((yield* Recall.recall(hash, Either.getOrThrow(compile(policy)), at(2))).bytes)).toBe("Look.")
      }
    }).pipe(Effect.provide(memory))
  )
})

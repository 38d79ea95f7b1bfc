import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { estimate, estimateAll, scalars, tokensOf, utf8Bytes } from "../src/Estimate.ts"

const text = FastCheck.oneof(
  FastCheck.string(),
  FastCheck.string({ unit: "binary" }),
  FastCheck.array(FastCheck.constantFrom("a", "é", "漢", "😀", "\ud83d", "\ude00"), { maxLength: 12 }).map((parts) =>
    parts.join("")
  )
)

/** A wrong estimator for each way in which the unit can be mistaken. */
const mutants: ReadonlyArray<readonly [name: string, estimate: (text: string) => number]> = [
  ["bytes", (text) => Math.ceil(utf8Bytes(text) / 4)],
  ["UTF-16 units", (text) => Math.ceil(text.length / 4)],
  ["rounded down", (text) => Math.floor(scalars(text) / 4)],
  ["one more where nothing is left over", (text) => Math.floor(scalars(text) / 4) + 1]
]

const quarterOfScalars = (candidate: (text: string) => number) =>
  FastCheck.property(text, (text) => candidate(text) === Math.ceil([...text].length / 4))

describe("estimate", () => {
  it("IO-10 estimate_tokens_is_four_chars_per_token_rounded_up", () => {
    expect(["", "a", "abcd", "abcde", "éééé"].map(estimate)).toEqual([0, 1, 1, 2, 1])
    expect(estimate("x".repeat(4_000))).toBe(1_000)
    expect(tokensOf(4_001)).toBe(1_001)
  })

  it("IO-10 a quarter of the scalar values, whatever the text", () => {
    FastCheck.assert(quarterOfScalars(estimate), { numRuns: 1_000 })
  })

  it("IO-10 every mutant dies: bytes, UTF-16 units, rounding down, rounding past", () => {
    const parameters = { numRuns: 1_000, seed: 10 }
    expect(mutants.filter(([, f]) => !FastCheck.check(quarterOfScalars(f), parameters).failed)).toEqual([])
  })

  it("IO-10 scalars are added up before they are divided", () => {
    expect(estimateAll(["a", "b", "c", "d"])).toBe(1)
    expect(estimateAll([])).toBe(0)
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.string({ unit: "grapheme" })), (texts) => {
        expect(estimateAll(texts)).toBe(estimate(texts.join("")))
      })
    )
  })

  it("IO-10 bytes are those of an encoder, a lone surrogate included", () => {
    const encoder = new TextEncoder()
    FastCheck.assert(
      FastCheck.property(text, (text) => utf8Bytes(text) === encoder.encode(text).length),
      { numRuns: 1_000 }
    )
    expect([utf8Bytes("\ud83d"), scalars("\ud83d"), scalars("\ude00\ud83d"), scalars("😀")]).toEqual([3, 1, 2, 1])
  })
})

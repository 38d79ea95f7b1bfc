import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as WellFormed from "../src/WellFormed.ts"

/** Strings full of halves, pairs, and backslashes before what looks like an escape. */
const text = FastCheck.array(
  FastCheck.constantFrom("\ud83d", "\udfe1", "🟡", "\\", "\\ud83d", "u", "a", '"', "\n")
).map((pieces) => pieces.join(""))
const value = FastCheck.letrec((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 3 },
    text,
    FastCheck.double(),
    FastCheck.array(tie("value")),
    FastCheck.dictionary(text, tie("value"))
  )
})).value

const byUnit = (json: string): string => JSON.stringify(JSON.parse(json), (_, one) => one)

/** The value with U+FFFD for each half, in keys too, by a walk over the parsed value. */
const walked = (one: unknown): unknown => {
  if (typeof one === "string") return one.replace(/\p{Surrogate}/gu, "\ufffd")
  if (Array.isArray(one)) return one.map(walked)
  return typeof one === "object" && one !== null
    ? Object.fromEntries(Object.entries(one).map(([key, member]) => [walked(key), walked(member)]))
    : one
}

const holds = (mended: (json: string) => string) =>
  FastCheck.property(value, (one) => {
    const json = JSON.stringify(one)
    const out = mended(json)
    return byUnit(out) === JSON.stringify(walked(JSON.parse(json))) && WellFormed.isWellFormed(json) === (out === json)
  })

describe("B68: halves of characters in what is sent", () => {
  it("each becomes U+FFFD, wherever it stands, and nothing else changes", () => {
    FastCheck.assert(holds(WellFormed.mended), { numRuns: 2_000 })
  })

  it("every mutant dies: one that reads an escaped backslash as an escape, that breaks pairs, that mends values only", () => {
    const mutants: ReadonlyArray<(json: string) => string> = [
      (json) => json.replace(/(?<!\\u[dD][89abAB]..)\\u[dD][89a-fA-F]../g, "\\ufffd"),
      (json) => json.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[\ud800-\udfff]/g, "\ufffd"),
      (json) => json
    ]
    for (const mutant of mutants) expect(FastCheck.check(holds(mutant), { numRuns: 2_000, seed: 3 }).failed).toBe(true)
  })
})

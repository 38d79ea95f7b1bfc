import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Seq } from "@palimpsest/ledger/Ids"
import { KINDS, type Observation } from "@palimpsest/ledger/Observation"
import type { Form, Why } from "../../src/Form.ts"
import { stub } from "../../src/Mark.ts"
import { Law } from "../../src/testing.ts"

type Stub = typeof stub

const target: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.string({ maxLength: 80, size: "max" }),
  FastCheck.array(
    FastCheck.constantFrom(
      "[",
      "]",
      "\n",
      "\r",
      "\u2028",
      "视图",
      "🙂",
      "\ud83d",
      "\u0000",
      "\u001b[2J",
      "] [@9 ",
      "a/b",
      "\t",
      "é"
    ),
    { maxLength: 40, size: "max" }
  ).map((pieces) => pieces.join(""))
)

const seq = FastCheck.integer({ min: 1, max: 2_147_483_647 }).map((n) => n as Seq)

const why: FastCheck.Arbitrary<Why> = FastCheck.tuple(FastCheck.nat({ max: 3 }), seq).map(([n, by]): Why => {
  if (n === 0) return { _tag: "Superseded", by }
  if (n === 1) return { _tag: "Invalidated", by }
  return n === 2 ? { _tag: "Aged" } : { _tag: "Refused", invalidatedBy: by }
})

const wordsOf = (form: Form & { readonly _tag: "Stub" }): string => form.put.join("")

const law: Law.Law<Stub> = {
  number: 15,
  name: "a mark is one pair of brackets on one line of ASCII, short, whatever its target holds, and names its own entry",
  property: (make) =>
    FastCheck.property(
      seq,
      target,
      FastCheck.constantFrom(...KINDS),
      FastCheck.nat(),
      why,
      (at, of, kind, size, reason) => {
        const what: Observation = { kind, target: of, covers: { _tag: "All" }, classifier: "test" }
        const words = wordsOf(make({ seq: at }, what, size, reason))
        return (
          /^\[@\d+ left out: [\x20-\x5a\x5c\x5e-\x7e]+\]$/.test(words) &&
          words.startsWith(`[@${at} `) &&
          words.length <= 180
        )
      }
    ),
  mutants: [
    {
      name: "targets are shown as they are",
      implementation: (at, what, size, reason) => shownRaw(stub(at, what, size, reason), what)
    },
    {
      name: "a bracket of a target closes the mark",
      implementation: (at, what, size, reason) => {
        const form = stub(at, what, size, reason)
        return { ...form, put: [wordsOf(form).replace(")", "]")] }
      }
    },
    {
      name: "a target of any length is shown",
      implementation: (at, what, size, reason) => {
        const form = stub(at, what, size, reason)
        return { ...form, put: [wordsOf(form).replace("...", "?".repeat(200))] }
      }
    }
  ]
}

const shownRaw = (form: Form & { readonly _tag: "Stub" }, what: Observation | undefined) => ({
  ...form,
  put: [`${wordsOf(form).slice(0, -1)} ${what?.target}]`]
})

describe("marks", () => {
  it(`law 15: ${law.name}`, () => {
    FastCheck.assert(law.property(stub), { numRuns: 500 })
  })

  it(`law 15: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
    expect(Law.survivors(law, { numRuns: 1_000, seed: 15 })).toEqual([])
  })

  it("IO-17 the size is grouped by commas; the kind has its label; an entry without observation is a result", () => {
    const what = { kind: "mcp", target: "db [main]", covers: { _tag: "All" }, classifier: "test" } as const
    expect(wordsOf(stub({ seq: 41 as Seq }, what, 1_234_567, { _tag: "Aged" }))).toBe(
      "[@41 left out: mcp tool db (main), 1,234,567 chars, aged]"
    )
    expect(wordsOf(stub({ seq: 7 as Seq }, undefined, 999, { _tag: "Superseded", by: 9 as Seq }))).toBe(
      "[@7 left out: result, 999 chars, superseded by @9]"
    )
  })
})

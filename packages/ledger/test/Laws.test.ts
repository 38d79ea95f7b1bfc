import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Implementation, Law, laws } from "../src/testing.ts"

describe.each(laws.map((law) => [`law ${law.number}: ${law.name}`, law] as const))("%s", (_, law) => {
  it("holds", () => {
    FastCheck.assert(law.property(Implementation.ours), { numRuns: 300 })
  })

  it("tells every mutant apart", () => {
    expect(law.mutants.length).toBeGreaterThan(0)
    expect(Law.survivors(law, { numRuns: 2_000, seed: 7 })).toEqual([])
  })
})

import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Implementation, Law, laws } from "../src/testing.ts"

describe("laws", () => {
  for (const law of laws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(Implementation.ours), { numRuns: 1_000 })
    })
    it(`law ${law.number}: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(law.mutants.length).toBeGreaterThan(0)
      expect(Law.survivors(law, { numRuns: 2_000, seed: 11 })).toEqual([])
    })
  }
})

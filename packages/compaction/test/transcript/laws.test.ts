import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Implementation, Law, laws } from "../../src/testing.ts"

describe("laws of the transcript", () => {
  for (const law of laws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(Implementation.ours), { numRuns: 60 })
    })
    it(`law ${law.number}: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(law.mutants.length).toBeGreaterThan(0)
      expect(Law.survivors(law, { numRuns: 400, seed: 8 })).toEqual([])
    })
  }
})

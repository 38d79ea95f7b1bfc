import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { survivors } from "@palimpsest/ledger/testing/Law"
import { Implementation, laws } from "../src/testing.ts"

describe("laws", () => {
  for (const law of laws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(Implementation.ours), { numRuns: 60 })
    })
    it(`law ${law.number}: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(law.mutants.length).toBeGreaterThan(0)
      expect(survivors(law, { numRuns: 200, seed: 12 })).toEqual([])
    })
  }
})

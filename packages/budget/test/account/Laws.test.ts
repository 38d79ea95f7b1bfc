import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { AccountImplementation, accountLaws, Law } from "../../src/testing.ts"

describe("laws of accounts", () => {
  for (const law of accountLaws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(AccountImplementation.ours), { numRuns: 200 })
    })
    for (const mutant of law.mutants) {
      it(`law ${law.number}: the mutant dies: ${mutant.name}`, () => {
        expect(Law.survivors({ ...law, mutants: [mutant] }, { numRuns: 400, seed: 11 })).toEqual([])
      })
    }
  }
})

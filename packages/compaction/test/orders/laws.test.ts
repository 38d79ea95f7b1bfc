import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { survivors } from "../../src/testing/Law.ts"
import { laws } from "../../src/testing/Pinned.ts"
import { ours } from "../../src/testing/Ordered.ts"

describe("a person's orders", () => {
  for (const law of laws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(ours), { numRuns: 150 })
    })

    it(`law ${law.number}: ${law.mutants.length} mutants of it die`, () => {
      expect(survivors(law, { numRuns: 300, seed: 11 })).toEqual([])
    })
  }
})

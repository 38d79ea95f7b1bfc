import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Law, NoteKeeping, noteLaws } from "../../src/testing.ts"

describe("laws of notes", () => {
  for (const law of noteLaws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(NoteKeeping.ours), { numRuns: 400 })
    })
    it(`law ${law.number}: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(law.mutants.length).toBeGreaterThan(0)
      expect(Law.survivors(law, { numRuns: 1_000, seed: 42 })).toEqual([])
    })
  }
})

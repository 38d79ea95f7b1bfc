import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Implementation, Law, laws } from "../src/testing.ts"
import { rows } from "./rows.ts"

const parameters = { numRuns: 10_000, seed: 13 }

describe("laws", () => {
  for (const law of laws) {
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(Implementation.ours), { numRuns: 500 })
    })
    it(`law ${law.number}: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(law.mutants.length).toBeGreaterThan(0)
      expect(Law.survivors(law, parameters)).toEqual([])
    })
  }
})

describe("rows", () => {
  for (const row of rows) {
    it(`${row.row} ${row.name}`, () => {
      FastCheck.assert(row.property(Implementation.ours), { numRuns: 500 })
    })
    it(`${row.row} every mutant dies: ${row.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(Law.survivors(row, parameters)).toEqual([])
    })
  }
})

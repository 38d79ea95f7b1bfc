import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { deterministicBy, Implementation, Law, laws, leavingLaws } from "../../src/testing.ts"
import type { Rule } from "../../src/Reasoning.ts"

const RULES: ReadonlyArray<Rule> = ["free", "loop-bound", "prefix-bound", "item-bound"]

/** The laws that hold whatever the schedule is. */
const COMMON = laws.filter(({ name, number }) => [1, 8, 15].includes(number) || name.startsWith("between epochs"))

describe("laws of what leaves by investment", () => {
  for (const law of leavingLaws) {
    const rule = RULES.find((one) => law.name.includes(` ${one} `)) ?? "free"
    it(`law ${law.number}: ${law.name}`, () => {
      FastCheck.assert(law.property(Implementation.investing(rule)), { numRuns: 80 })
    })
    it(`law ${law.number}: every mutant dies: ${law.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(law.mutants.length).toBeGreaterThan(0)
      expect(Law.survivors(law, { numRuns: 400, seed: 8 })).toEqual([])
    })
  }
  for (const rule of RULES) {
    for (const law of [...COMMON, deterministicBy(Implementation.investing(rule))]) {
      it(`law ${law.number}, with reasoning that is ${rule}: ${law.name}`, () => {
        FastCheck.assert(law.property(Implementation.investing(rule)), { numRuns: 40 })
      })
    }
  }
})

import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { lowWaterOf } from "@palimpsest/budget/Line"
import { Bounded, Implementation, Script, Simulation } from "../../src/testing.ts"

const scripts = FastCheck.sample(Script.script, { numRuns: 10, seed: 5 })

describe("law 5: ceilings from 200 upwards", () => {
  for (const line of [500, 50_000]) {
    it(`every request of sampled sessions is within each of them, or refused, at a line of ${line}`, () => {
      let refused = 0
      let sent = 0
      for (let ceiling = 200; ceiling < 20_000; ceiling = Math.ceil(ceiling * 1.6)) {
        for (const script of scripts) {
          const marks = { line, lowWater: lowWaterOf(line), ceiling }
          const played = Simulation.play(Implementation.ours, script, marks)
          expect(Bounded.isWithin(played)).toBe(true)
          sent += played.requests.filter(Simulation.isSent).length
          refused += played.requests.filter((turned) => !Simulation.isSent(turned)).length
        }
      }
      expect(refused).toBeGreaterThan(0)
      expect(sent).toBeGreaterThan(refused)
    })
  }

  it("§5.2 a ceiling below the low-water mark does not rewrite on every turn", () => {
    const rewrites = (ceiling: number | undefined): number => {
      const marks = { line: 50_000, lowWater: 30_000, ceiling }
      return Simulation.play(Implementation.ours, STEADY, marks).requests.filter(
        ({ decided }) => decided?.epoch !== undefined
      ).length
    }
    expect(rewrites(undefined)).toBe(0)
    expect(rewrites(6_000)).toBeGreaterThan(1)
    expect(rewrites(6_000)).toBeLessThan(STEADY.turns.length / 4)
  })
})

/** Forty turns, each with a result of 500 tokens. */
const STEADY: Script.Script = {
  shape: "anthropic",
  task: { alphabet: "plain", scalars: 100 },
  turns: Array.from({ length: 40 }, (_, n) => ({
    said: [],
    client: "nothing",
    thought: undefined,
    answer: undefined,
    split: false,
    reversed: false,
    asked: [
      {
        observation: {
          kind: "read",
          target: `f${n}`,
          subject: `file:f${n}`,
          covers: { _tag: "All" },
          classifier: "test"
        },
        comes: "now",
        blocks: [{ alphabet: "plain", scalars: 2_000 }],
        picture: false
      }
    ]
  }))
}

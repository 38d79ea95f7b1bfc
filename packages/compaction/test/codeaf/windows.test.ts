/** CA-01 to CA-03, and the original's tests of its budgets. */
import { expect } from "vitest"
import * as Windows from "../../src/codeaf/Windows.ts"
import { ours } from "./engine.ts"
import { suite, type Claims } from "./suite.ts"

const { budgetOf, bytesIn, isKnown, tokensIn, tokensOr, withCompletionReserve, withFloor } = Windows

const claims: Claims = {
  "CA-01 the constants": () => {
    expect(Windows.DEFAULTS).toEqual({
      fillPercent: 60,
      completionReserve: 65_536,
      workingSet: 160_000,
      reusePercent: 250
    })
    expect([
      Windows.OBSERVATION_FLOOR_BYTES,
      Windows.MIN_OBSERVATION_BYTES,
      Windows.DEFAULT_OBSERVATION_BYTES,
      Windows.BYTES_PER_TOKEN,
      Windows.OBSERVATION_FIXED_FLOOR
    ]).toEqual([24_576, 4_096, 32_768, 4, 4_000])
  },

  "CA-01 CA-03 the computed points of the working and the safety window": (engine) => {
    const working = [0, 1, 8_000, 117_600, 128_000, 144_000, 156_000, 160_000, 200_000, 2 ** 20].map((context) =>
      engine.observationWindow(context)
    )
    expect(working).toEqual([32_768, 4_096, 4_096, 4_096, 29_056, 67_456, 96_256, 105_856, 105_856, 105_856])
    const safety = [0, 8_000, 200_000, 2 ** 20].map((context) => engine.observationSafetyWindow(context))
    expect(safety).toEqual([32_768, 4_096, 201_856, 2_238_436])
  },

  "CA-02 TestUnknownWindowSpendsNothing": (engine) => {
    const unknown = budgetOf(0)
    expect(isKnown(unknown)).toBe(false)
    expect([tokensIn(unknown), bytesIn(unknown), Windows.reuseCeiling(unknown)]).toEqual([0, 0, 0])
    expect([engine.bytesOr(unknown, 4096), tokensOr(unknown, 600), engine.share(unknown, 1, 4, 512)]).toEqual([
      4096, 600, 512
    ])
    expect(withCompletionReserve(unknown, 100_000)).toEqual(unknown)
    expect(isKnown(engine.withinWorkingSet(unknown))).toBe(false)
  },

  "CA-02 a window that is known and small stays small, the unknown one is no frontier model": (engine) => {
    expect(engine.observationWindow(8_000)).toBe(4_096)
    expect(engine.observationWindow(8_000)).toBeLessThan(Windows.OBSERVATION_FLOOR_BYTES)
    expect(engine.observationWindow(0)).toBeGreaterThanOrEqual(26 << 10)
    expect(engine.observationWindow(0)).toBeLessThanOrEqual(64 << 10)
  },

  "CA-01 TestFillLaw": () => {
    const budget = budgetOf(1_000_000)
    expect(tokensIn(budget)).toBe(534_464)
    expect(bytesIn(budget)).toBe(2_137_856)
    expect(tokensIn(withFloor(budget, 4_000))).toBe(530_464)
  },

  "CA-01 CA-02 TestFloorAndReserveCannotGoNegative": (engine) => {
    const starved = budgetOf(10_000)
    expect(tokensIn(starved)).toBe(0)
    expect(engine.bytesOr(starved, 2048)).toBe(2048)
    expect(tokensOr(starved, 7)).toBe(7)
    expect(engine.share(starved, 1, 4, 9)).toBe(9)
  },

  "CA-01 TestShareSplitsThePot": (engine) => {
    const budget = budgetOf(200_000, { ...Windows.DEFAULTS, completionReserve: 20_000, fillPercent: 50 })
    expect(engine.share(budget, 1, 4, 0)).toBe(80_000)
    expect([engine.share(budget, 0, 4, 5), engine.share(budget, 1, 0, 5)]).toEqual([5, 5])
  },

  "CA-01 TestEnvOverrides: environment, then configured, then default, each clamped": (engine) => {
    const fill = (text: string) => engine.settings({ CODEAF_CONTEXT_FILL_PCT: text }).fillPercent
    expect(["95", "5", "75", "-3", "0", "+42"].map(fill)).toEqual([90, 10, 75, 10, 10, 42])
    expect(["", "sixty", "60%", "1e1", " 50", "99999999999999999999"].map(fill)).toEqual([60, 60, 60, 60, 60, 60])
    expect(engine.settings({ CODEAF_COMPLETION_RESERVE: "100000" }).completionReserve).toBe(100_000)
    expect(engine.settings({ CODEAF_COMPLETION_RESERVE: "-1" }).completionReserve).toBe(65_536)
    expect(engine.settings({ CODEAF_WORKING_SET: "400000" }, { workingSet: 7 }).workingSet).toBe(400_000)
    expect(engine.settings({ CODEAF_CONTEXT_REUSE_PCT: "50" }).reusePercent).toBe(100)
    const configured = { fillPercent: 99, completionReserve: 1, workingSet: 2, reusePercent: 3 }
    expect(engine.settings({}, configured)).toEqual({ ...configured, fillPercent: 90, reusePercent: 100 })
    expect(engine.settings({}, { fillPercent: 0, workingSet: 0 })).toEqual(Windows.DEFAULTS)
  },

  "CA-01 a reserve only grows, and leaves twice the fixed floor": () => {
    const budget = withFloor(budgetOf(200_000), 4_000)
    expect(withCompletionReserve(budget, 1_000)).toBe(budget)
    expect(withCompletionReserve(budget, 80_000).completionReserve).toBe(80_000)
    expect(withCompletionReserve(budget, 999_999).completionReserve).toBe(112_000)
    expect(withCompletionReserve(budgetOf(50_000), 999_999)).toEqual(budgetOf(50_000))
  },

  "CA-01 what may be sent again is 250 percent of the filled working set": () => {
    expect(Windows.reuseCeiling(budgetOf(2 ** 20))).toBe(240_000)
    expect(Windows.reuseCeiling(budgetOf(100_000))).toBe(150_000)
  },

  "CA-01 CA-03 TestObservationWindowIsSizedFromContextNotSpend": (engine) => {
    expect(engine.observationWindow(200_000)).toBeGreaterThanOrEqual(3 * (26 << 10))
    for (const context of [64_000, 128_000, 200_000, 400_000]) {
      expect(engine.observationWindow(context) / 4).toBeLessThanOrEqual(context / 2)
    }
  },

  "CA-03 TestTheObservationWindowConvergesOnlyOnTheNamedWorkingSet": (engine) => {
    const ceiling = engine.observationWindow(160_000)
    expect(ceiling).toBeGreaterThan(64 << 10)
    for (const context of [200_000, 600_000, 2 ** 20, 2_000_000, 10_000_000]) {
      expect(engine.observationWindow(context)).toBe(ceiling)
    }
    const wider = engine.settings({ CODEAF_WORKING_SET: "400000" })
    expect(engine.observationWindow(2 ** 20, wider)).toBeGreaterThan(ceiling)
    expect(engine.observationWindow(128_000, wider)).toBe(engine.observationWindow(128_000))
  },

  "CA-03 TestObservationSafetyUsesTheRealModelWindow": (engine) => {
    expect(engine.observationSafetyWindow(2 ** 20)).toBeGreaterThan(engine.observationWindow(2 ** 20))
    expect(engine.observationSafetyWindow(0)).toBe(engine.observationWindow(0))
  }
}

suite("windows (CA-01 to CA-03)", claims, [
  {
    name: "the fixed floor is not taken off",
    by: "CA-01 CA-03 the computed points",
    engine: { observationWindow: (context, under) => ours.observationWindow(context + 6_667, under) }
  },
  {
    name: "the unknown window counts as one of no bytes",
    by: "TestUnknownWindowSpendsNothing",
    engine: { bytesOr: (budget) => bytesIn(budget) }
  },
  {
    name: "a known small window takes the default of the unknown one",
    by: "known and small stays small",
    engine: { observationWindow: (context, under) => Math.max(32_768, ours.observationWindow(context, under)) }
  },
  {
    name: "the safety window is within the working set",
    by: "TestObservationSafetyUsesTheRealModelWindow",
    engine: { observationSafetyWindow: ours.observationWindow }
  },
  {
    name: "a starved window is spent as it is",
    by: "TestFloorAndReserveCannotGoNegative",
    engine: { bytesOr: (budget, fallback) => (isKnown(budget) ? bytesIn(budget) : fallback) }
  },
  {
    name: "the configured comes before the environment",
    by: "TestEnvOverrides",
    engine: { settings: (environment, configured) => ({ ...ours.settings(environment, configured), ...configured }) }
  },
  {
    name: "the working set is a buried number",
    by: "TestTheObservationWindowConvergesOnlyOnTheNamedWorkingSet",
    engine: { observationWindow: (context) => ours.observationWindow(context) }
  }
])

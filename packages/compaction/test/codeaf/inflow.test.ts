/** CA-05 and CA-27: the meter and the mark. */
import { expect } from "vitest"
import * as Inflow from "../../src/codeaf/Inflow.ts"
import { ours, type Engine } from "./engine.ts"
import { BUDGET, Leaf, steadyLowWater } from "./leaf.ts"
import { suite, type Claims } from "./suite.ts"

const measured = (engine: Engine, ...turns: ReadonlyArray<number>): Inflow.Inflow =>
  turns.reduce(engine.observe, Inflow.empty)

const claims: Claims = {
  "CA-05 the constants": () => {
    expect([
      Inflow.LOW_WATER_PERCENT,
      Inflow.HEADROOM_TURNS,
      Inflow.MIN_INFLOW_SAMPLES,
      Inflow.HEADROOM_FLOOR_PERCENT,
      Inflow.HEADROOM_CEILING_PERCENT
    ]).toEqual([75, 7, 3, 50, 90])
  },

  "CA-27 the meter counts turns and bytes, ignores negatives, and has no mean before three turns": (engine) => {
    const two = measured(engine, 10, -5, 11)
    expect(two).toEqual({ turns: 2, bytes: 21 })
    expect(Inflow.mean(two)).toBeUndefined()
    expect(Inflow.mean(measured(engine, 10, 11, 12, -1))).toBe(11)
    expect(Inflow.mean(measured(engine, 10, 11, 11))).toBe(10)
    expect(Inflow.mean(measured(engine, 0, 0, 3))).toBe(1)
  },

  "CA-27 the mean is of the whole life: an early spike is never forgotten (CA-W10)": (engine) => {
    const spike = measured(engine, 1_000_000, ...Array.from({ length: 99 }, () => 100))
    expect(Inflow.mean(spike)).toBe(10_099)
  },

  "CA-05 TestDecayLowWaterRespectsTheFloor": (engine) => {
    for (const budget of [BUDGET, BUDGET * 3, 64 << 10]) {
      const mark = engine.lowWater(Inflow.empty, budget)
      expect(mark).toBe(Math.trunc((budget * 75) / 100))
      expect(mark).toBeLessThan(budget)
      expect(mark).toBeGreaterThanOrEqual(budget / 2)
    }
    expect(engine.lowWater(measured(engine, 0, 0, 0), BUDGET)).toBe(18_432)
    expect(engine.lowWater(measured(engine, 5_000, 5_000), BUDGET)).toBe(18_432)
  },

  "CA-05 TestDecayLowWaterBuysHeadroomForTheMeasuredInflow": (engine) => {
    const budget = 128 << 10
    for (const inflow of [2 << 10, 3_700, 8 << 10]) {
      const quiet = Math.trunc((budget - steadyLowWater(engine, budget, inflow)) / inflow)
      expect(quiet).toBeGreaterThanOrEqual(6)
      expect(quiet).toBeLessThanOrEqual(8)
    }
    for (const inflow of [64, 512]) {
      expect(Math.trunc((budget - steadyLowWater(engine, budget, inflow)) / inflow)).toBeGreaterThanOrEqual(7)
    }
    for (const inflow of [32 << 10, budget]) {
      expect(steadyLowWater(engine, budget, inflow)).toBeGreaterThanOrEqual(budget / 2)
    }
    expect(steadyLowWater(engine, budget, budget)).toBe(budget / 2)
    expect(steadyLowWater(engine, budget, 1)).toBe(Math.trunc((budget * 90) / 100))
    expect(steadyLowWater(engine, budget, 3_700)).toBe(budget - 7 * 3_700)
  },

  "CA-05 TestDecayBatchesRewrites: one batch for every few turns, and only over the budget": (engine) => {
    const result = 2 << 10
    const turns = 40
    const perBatch = Math.trunc((BUDGET - steadyLowWater(engine, BUDGET, result)) / result)
    const trimEveryTurn = turns - Math.trunc(BUDGET / result)
    const leaf = new Leaf(engine)
    const played = Array.from({ length: turns }, () => leaf.turn(result, BUDGET))
    const rewrites = played.filter(({ rewrote }) => rewrote).length
    expect(played.filter(({ wasOver }) => wasOver).length).toBe(rewrites)
    const expected = Math.trunc(trimEveryTurn / perBatch) + 1
    expect(Math.abs(rewrites - expected)).toBeLessThanOrEqual(1)
    expect(rewrites * 2).toBeLessThanOrEqual(trimEveryTurn)
  },

  "CA-05 TestDecayHoldsTheBudgetInvariant: within the budget always, at the mark and the newest result after a batch": (
    engine
  ) => {
    const result = 3 << 10
    const lowWater = steadyLowWater(engine, BUDGET, result)
    const leaf = new Leaf(engine)
    const frozen = new Map<string, string>()
    let fired = 0
    for (let turn = 0; turn < 30; turn++) {
      const { rewrote } = leaf.turn(result, BUDGET)
      if (rewrote) fired++
      expect(leaf.live("tool")).toBeLessThanOrEqual(BUDGET)
      if (rewrote) expect(leaf.live("tool")).toBeLessThanOrEqual(lowWater + result)
      expect(leaf.stubbed()).toEqual(expect.arrayContaining([...frozen.keys()]))
      for (const message of leaf.messages.filter(({ answers = "" }) => leaf.stubbed().includes(answers))) {
        expect(message.text).toBe(frozen.get(message.answers!) ?? message.text)
        frozen.set(message.answers!, message.text)
      }
    }
    expect(fired).toBeGreaterThan(0)
    expect(frozen.size).toBeGreaterThan(0)
  }
}

suite("inflow and low water (CA-05, CA-27)", claims, [
  {
    name: "clears to the budget only",
    by: "TestDecayBatchesRewrites",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) => {
        // An inflow that solves for the least headroom there is.
        const shallow = { ...decayer, inflow: { turns: 3, bytes: 3 } }
        const pass = ours.decayWithin(shallow, messages, working, safety, spill)
        return { ...pass, decayer: { ...pass.decayer, inflow: decayer.inflow } }
      }
    }
  },
  {
    name: "a fixed fraction of the budget",
    by: "TestDecayLowWaterBuysHeadroomForTheMeasuredInflow",
    engine: { lowWater: (_, budget) => Math.trunc((budget * 75) / 100) }
  },
  {
    name: "trusts the first turn",
    by: "TestDecayLowWaterRespectsTheFloor",
    engine: { lowWater: ({ bytes, turns }, budget) => ours.lowWater({ turns: turns === 0 ? 0 : 3, bytes }, budget) }
  },
  {
    name: "negatives are counted",
    by: "CA-27 the meter counts",
    engine: { observe: ({ bytes, turns }, more) => ({ turns: turns + 1, bytes: bytes + more }) }
  },
  {
    name: "fires below the budget",
    by: "TestDecayHoldsTheBudgetInvariant",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) =>
        ours.decayWithin(decayer, messages, working * 2, safety * 2, spill)
    }
  }
])

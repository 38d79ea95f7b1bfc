import { setImmediate } from "node:timers/promises"
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { describe, expect, it } from "vitest"
import type { Assembled } from "../../src/Section.ts"
import * as SectionView from "../../src/SectionView.ts"
import { ALLOW, fed, Replay, type Setting, VECTORS } from "./replay.ts"
import { mutant, type RefResult } from "./reference.ts"
import { shortened, turnsOf, type Row } from "./workload.ts"

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1)
const ENTRIES = 80

const NOTES = Array.from({ length: 30 }, (_, i) => ({ key: `k${i}`, value: `é${"note ".repeat(i * 3)}🚀`, step: i }))

const SETTINGS: Readonly<Record<string, Setting>> = {
  "no workspace": { ...ALLOW, workspace: false },
  "ask policy": { ...ALLOW, ruled: (target) => ({ ruling: target.startsWith("src/") ? "ask" : "allow" }) },
  "deny, failures": { ...VECTORS, fails: (target) => target.startsWith("docs/") },
  allow: ALLOW,
  notes: { ...ALLOW, notes: NOTES }
}

const BUDGETS: Readonly<Record<string, (turn: number) => number>> = {
  "500": () => 500,
  "2,000": () => 2000,
  "3,000": () => 3000,
  "8,000": () => 8000,
  "24,000": () => 24_000,
  "100,000": () => 100_000,
  "400,000": () => 400_000,
  "falling each turn": (turn) => Math.max(0, 30_000 - turn * 350),
  "up and down": (turn) => 700 + ((turn * 7919) % 29_000)
}

describe("IO-22..IO-36 the engine says what the reference says, every turn", () => {
  for (const [budgetName, budgetAt] of Object.entries(BUDGETS)) {
    it(`budget ${budgetName}: 20 seeds, every setting`, async () => {
      let compared = 0
      for (const seed of SEEDS) {
        const turns = turnsOf(shortened(ENTRIES, seed))
        await setImmediate()
        for (const setting of Object.values(SETTINGS)) compared += replayed(turns, budgetAt, setting)
      }
      expect(compared).toBeGreaterThan(4000)
    })
  }

  it("IO-32 budgets that land on the stub ceiling and one token beside it", async () => {
    const landed = new Map<number, number>()
    for (const [name, setting] of Object.entries(SETTINGS)) {
      for (const seed of SEEDS.slice(0, 5)) {
        await setImmediate()
        const run = fed(shortened(60, seed), 1500)
        for (const budget of budgets(6000)) {
          const expected = run.expected(budget, setting)
          const over = expected.stubTokens - expected.stubCeiling
          if (Math.abs(over) > 1) continue
          landed.set(over, (landed.get(over) ?? 0) + 1)
          expectSame(run, budget, setting, expected, `${name}, seed ${seed}, budget ${budget}`)
        }
      }
    }
    for (const over of [-1, 0, 1]) expect(landed.get(over), `turns at ceiling ${over}`).toBeGreaterThan(5)
  })

  it("IO-29 budgets that land on the edge of the fit and one token beside it", () => {
    const run = fed(shortened(60, 3), 1500)
    let sum = 0
    let edges = 0
    for (const { scalars } of [...run.observations].reverse().slice(0, 25)) {
      sum += Math.ceil(scalars / 4)
      for (const budget of [sum - 1, sum, sum + 1]) {
        expectSame(run, budget, SETTINGS["no workspace"]!, run.expected(budget, SETTINGS["no workspace"]!), `${budget}`)
        edges++
      }
    }
    expect(edges).toBe(75)
  })

  it("IO-32 a ceiling that is off by one is noticed", () => {
    const wrong = [
      mutant({ collapses: (stubs, ceiling) => stubs >= ceiling }),
      mutant({ collapses: (stubs, ceiling) => stubs > ceiling + 1 }),
      mutant({ stubCeiling: (budget) => Math.max(64, Math.ceil((budget + 8) / 8)) })
    ]
    const setting = SETTINGS["no workspace"]!
    const runs = SEEDS.slice(0, 10).map((seed) => fed(shortened(60, seed), 1500))
    for (const rules of wrong) {
      const differs = runs.some((run) =>
        budgets(6000).some((budget) => {
          const { text } = run.expected(budget, setting)
          return run.expected(budget, setting, rules).text !== text
        })
      )
      expect(differs).toBe(true)
    }
  })
})

const replayed = (
  turns: ReadonlyArray<ReadonlyArray<Row>>,
  budgetAt: (turn: number) => number,
  setting: Setting
): number => {
  const run = new Replay()
  const cap = entryCapScalars(budgetAt(0))
  turns.forEach((rows, turn) => {
    for (const row of rows) run.row(row, cap)
    const budget = budgetAt(turn)
    expectTurn(run, budget, setting, `turn ${turn}, budget ${budget}`)
    run.request()
  })
  return turns.length
}

const expectTurn = (run: Replay, budget: number, setting: Setting, where: string): void => {
  const expected = run.expected(budget, setting)
  const { plan, text } = run.turn(budget, setting)
  expectText(text, expected.text, where)
  expectCounts(plan.assembled, expected, where)
  const rows = plan.trace.map(rowText)
  const all = expected.rows.map(rowText)
  if (expected.collapsed ? !rows.every((row) => all.includes(row)) : rows.join() !== all.join()) {
    expect(plan.trace, where).toEqual(expected.rows)
  }
}

/** The same turn, planned from a view that shows everything, without moving the run. */
const expectSame = (run: Replay, budget: number, setting: Setting, expected: RefResult, where: string): void => {
  const plan = run.plan(budget, setting)
  const decided = { _tag: "Decided", step: run.ledgerStep(), changes: [], ...plan.decided } as const
  expectText(run.render(SectionView.evolve(run.view, decided)).text, expected.text, where)
  expectCounts(plan.assembled, expected, where)
}

const expectText = (found: string, expected: string, where: string): void => {
  if (found !== expected) expect(found, where).toBe(expected)
}

const expectCounts = (found: Assembled, expected: RefResult, where: string): void => {
  if (!COUNTS.every((count) => found[count] === expected[count])) expect(found, where).toMatchObject(expected)
}

const COUNTS = ["carried", "stubbed", "reread", "recalled", "collapsed", "estTokens"] as const

const rowText = (row: RefResult["rows"][number]): string => `${row.kind} ${row.detail} ${row.estTokens}`

const budgets = (below: number): ReadonlyArray<number> => Array.from({ length: below / 8 }, (_, i) => i * 8)

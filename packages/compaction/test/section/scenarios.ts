/** Small runs that between them exercise every rule, so that a wrong one shows. */
import { ALLOW, Replay, type Setting } from "./replay.ts"
import { mutant, type RefResult, type Rules } from "./reference.ts"
import { shortened, turnsOf } from "./workload.ts"

export const NOTES = Array.from({ length: 40 }, (_, i) => ({
  key: `k${i}`,
  value: "note ".repeat((i % 9) * 2 + 1),
  step: i,
  run: i + 70
}))

/** Allows, asks, denies, fails and empties by path, with and without rules, and recalls notes. */
export const MIXED: Setting = {
  workspace: true,
  notes: NOTES,
  ruled: (target) => {
    if (target.startsWith("src/net")) return { ruling: "ask", rule: "src/net/**" }
    if (target.startsWith("src/ui")) return { ruling: "deny", rule: "src/ui/**" }
    if (target.startsWith("docs")) return { ruling: "deny" }
    return target.startsWith("test") ? { ruling: "ask" } : { ruling: "allow" }
  },
  fails: (target) => target.startsWith("packages") || target.startsWith("lib/module_3")
}

export const WITHOUT: Setting = { ...ALLOW, workspace: false }

/** Whether some turn of some scenario tells the engine from the seed with these rules in place of its own. */
export const kills = (wrong: Partial<Rules>): boolean => {
  const rules = mutant(wrong)
  return SCENARIOS.some(({ budget, seed, setting }) => {
    const run = new Replay()
    return turnsOf(shortened(110, seed)).some((rows) => {
      for (const row of rows) run.row(emptied(row), 2000)
      const expected = run.expected(budget, setting, rules)
      const { plan, text } = run.turn(budget, setting)
      return text !== expected.text || saysOtherwise(plan, expected)
    })
  })
}

const SCENARIOS = [MIXED, WITHOUT].flatMap((setting) =>
  [1500, 4000, 12_000].flatMap((budget) => [4, 5, 6].map((seed) => ({ budget, seed, setting })))
)

const saysOtherwise = (
  plan: { readonly assembled: object; readonly trace: ReadonlyArray<object> },
  expected: RefResult
): boolean => {
  const { carried, collapsed, estTokens, recalled, reread, stubbed } = expected
  const counts: Readonly<Record<string, unknown>> = { carried, collapsed, estTokens, recalled, reread, stubbed }
  if (Object.entries(plan.assembled).some(([name, value]) => name in counts && counts[name] !== value)) return true
  const rows = plan.trace.map((row) => JSON.stringify(row))
  const all = expected.rows.map((row) => JSON.stringify(row))
  return !rows.every((row) => all.includes(row)) || (!collapsed && rows.length !== all.length)
}

/** Every fifth written file is left empty. */
const emptied = <R extends { readonly off: number; readonly wlen: number }>(row: R): R =>
  row.off % 5 === 0 ? { ...row, wlen: 0 } : row

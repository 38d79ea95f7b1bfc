/** `govern` on the example sessions: what it prints, that the log is whole, and that nothing is imported twice. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { CASES, NAMES, PRESETS } from "./support/examples.ts"
import { copyOf, newDatabase } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { palimpsest, printed, json } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

const FIGURES = ["requests", "refused", "tokens", "cost", "cachedShare", "peakTokens", "rewrites", "elided"] as const

const AUDIT_LINE =
  /^whole: ([\d,]+) events, ([\d,]+) bodies, ([\d,]+) requests re-rendered, ([\d,]+) differ, head ([0-9a-f]{64})$/m

describe.each(CASES)("%s under %s", (name, preset) => {
  const { db, file, report } = governed(name)
  const told = report(preset)

  it("the report has the shape that is promised", () => {
    expect(Object.keys(told)).toEqual(["runs", "total", "new", "audit"])
    for (const figures of [...told.runs, told.total]) {
      const { parent: _, recorded, run: __, ...rest } = { parent: undefined, run: undefined, ...figures }
      expect(Object.keys(rest).filter((key) => key !== "head")).toEqual([...FIGURES])
      expect(Object.keys(figures.tokens)).toEqual(["raw", "governed"])
      expect(Object.keys(figures.cost)).toEqual(["raw", "governed", "ratio"])
      expect(figures.cost.ratio).toBeCloseTo(figures.cost.governed / figures.cost.raw, 12)
      expect(recorded === undefined || recorded.tokens > 0).toBe(true)
    }
    for (const { head, run } of told.runs) expect([run, head].join(" ")).toMatch(/^[\w.~-]+ [0-9a-f]{64}$/)
    expect(Object.keys(told.audit)).toEqual(["events", "bodies", "requests", "differ", "head"])
  })

  it("totals are the sums of the runs", () => {
    const sum = (of: (run: Report["total"]) => number): number => told.runs.reduce((all, run) => all + of(run), 0)
    expect(told.total.requests).toBe(sum((run) => run.requests))
    expect(told.total.tokens.raw).toBe(sum((run) => run.tokens.raw))
    expect(told.total.tokens.governed).toBe(sum((run) => run.tokens.governed))
    expect(told.total.cost.governed).toBeCloseTo(
      sum((run) => run.cost.governed),
      6
    )
    expect(told.total.peakTokens).toBe(Math.max(...told.runs.map((run) => run.peakTokens)))
  })

  it("the audit is whole, and its head is the run's, or the digest of the runs' heads in order", () => {
    const { differ, head, requests } = told.audit
    const heads = told.runs.map((run) => run.head)
    const together = createHash("sha256").update(heads.join("")).digest("hex")
    expect({ differ, requests }).toEqual({ differ: 0, requests: told.total.requests - told.total.refused })
    expect(head).toBe(heads.length === 1 ? heads[0] : together)
  })

  it("a second import under the same configuration says 0 new, and prints the same figures", async () => {
    const shown = await printed(["govern", file, "--db", copyOf(db), "--preset", preset])
    expect(shown).toMatch(/\b0 new events$/m)
    const audit = AUDIT_LINE.exec(shown)
    expect(audit?.slice(1)).toEqual(
      Object.values(told.audit).map((value) => (typeof value === "number" ? value.toLocaleString("en-US") : value))
    )
  })
})

describe("several presets in one database", () => {
  it.each(NAMES)("%s: each preset is a run of its own, and the bodies are shared", async (name) => {
    const { db, report } = governed(name)
    const { runs } = await json<{ readonly runs: ReadonlyArray<{ readonly run: string; readonly preset: string }> }>([
      "runs",
      "--db",
      db
    ])
    const expected = PRESETS.flatMap((preset) => report(preset).runs.map(({ run }) => `${preset} ${run}`))
    expect(runs.map(({ preset, run }) => `${preset} ${run}`).sort()).toEqual(expected.sort())
    expect(new Set(runs.map(({ run }) => run)).size).toBe(runs.length)
  })

  it("a run's name comes from source and configuration: line, ceiling and preset, not from prices or fixed part", async () => {
    const { file } = governed("anthropic-messages.json")
    const db = newDatabase()
    const runOf = async (...options: ReadonlyArray<string>) => {
      const report = await json<Report>(["govern", file, "--db", db, ...options])
      return report.runs[0]?.run
    }
    const runs = await Promise.all([
      runOf(),
      runOf("--line", "40000"),
      runOf("--ceiling", "90000"),
      runOf("--preset", "raw")
    ])
    expect(new Set(runs).size).toBe(4)
    expect(await runOf("--fixed", "5000")).toBe(runs[0])
    expect(await runOf("--line", "50000")).toBe(runs[0])
  })
})

describe("what else govern prints", () => {
  it("the table ends with the audit's line, and no progress where standard error is no terminal", async () => {
    const { file } = governed("claude-code.jsonl")
    const { code, stderr, stdout } = await palimpsest(["govern", file, "--db", newDatabase(), "--preset", "raw"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout.toString("utf8").trimEnd().split("\n").at(-1)).toMatch(AUDIT_LINE)
  })

  it("the recorded usage stands beside the raw estimate where the source has it", () => {
    const { recorded } = governed("claude-code.jsonl").report("balanced").total
    expect(recorded?.requests).toBe(governed("claude-code.jsonl").report("balanced").total.requests)
    expect(governed("openai-chat.json").report("balanced").total.recorded).toBeUndefined()
  })

  it("--fixed is in tokens and cost, and not in the peak; --prices are those of the cost", async () => {
    const { file, report } = governed("openai-chat-rows.jsonl")
    const { total } = report("balanced")
    const db = newDatabase()
    const bare = await json<Report>(["govern", file, "--db", db, "--fixed", "0"])
    expect(bare.total.tokens.governed).toBe(total.tokens.governed - 3_000 * total.requests)
    expect(bare.total.peakTokens).toBe(total.peakTokens)
    expect(bare.total.cost.governed).toBeLessThan(total.cost.governed)
  })
})

/** `compare`: one file and several, as tables and as JSON, beside what `govern` says; and what it is told wrongly. */
import { beforeAll, describe, expect, it } from "vitest"
import type { Table, Tables } from "@palimpsest/governor/compare/Compare"
import { PRESETS } from "../src/Presets.ts"
import { Conversation } from "./support/claude.ts"
import { fileOfExample } from "./support/examples.ts"
import { fileOf } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"

const GOVERNED = PRESETS.filter((preset) => preset !== "raw")
const KEYS = ["asSentRatio", "openRatio", "closedRatio", "loss", "cachedShare", "peakTokens", "rewrites"]

const file = fileOfExample("openai-chat.json")

describe("one file", () => {
  let table: Table

  beforeAll(async () => {
    table = await json<Table>(["compare", file])
  })

  it("has a row for each preset, raw beside them, and the lower bound", () => {
    expect(Object.keys(table)).toEqual(["presets", "raw", "lowerBound"])
    expect(table.presets.map(({ preset }) => preset)).toEqual(GOVERNED)
    for (const row of [...table.presets, table.raw]) {
      for (const key of [...KEYS, "worstTurnRatio"]) expect(row, key).toHaveProperty(key, expect.any(Number))
    }
    expect(table.raw).toMatchObject({ openRatio: 1, closedRatio: 1, asSentRatio: 1, loss: 0, rewrites: 0 })
    expect(table.lowerBound).toBeGreaterThan(0)
    expect(table.lowerBound).toBeLessThanOrEqual(1)
  })

  it("asSentRatio is the ratio of govern", () => {
    const { report } = governed("openai-chat.json")
    for (const preset of ["balanced", "io-harness"] as const) {
      const row = table.presets.find((one) => one.preset === preset)
      expect(row?.asSentRatio).toBeCloseTo(report(preset).total.cost.ratio, 9)
    }
  })

  it("is printed as one table that says its accounting", async () => {
    const text = await printed(["compare", file, "--fast"])
    for (const preset of PRESETS) expect(text).toMatch(new RegExp(`^${preset} `, "m"))
    expect(text).toContain("client's own compactions undone")
    expect(text).toContain("lower bound")
  })
})

describe("several files", () => {
  const small = fileOf(new Conversation().user("go").answer("done").text())

  it("are summed, listed, and the worst is named", async () => {
    const tables = await json<Tables>(["compare", file, small, "--fast"])
    expect(Object.keys(tables)).toEqual(["presets", "raw", "lowerBound", "sessions", "worst"])
    expect(tables.sessions.map(({ session }) => session)).toEqual([file, small])
    expect(tables.raw.cost).toBeCloseTo(
      tables.sessions.reduce((sum, { raw }) => sum + raw.cost, 0),
      6
    )
    expect(tables.worst.map(({ preset }) => preset)).toEqual(GOVERNED)
    for (const { openRatio, preset, session } of tables.worst) {
      const ratios = tables.sessions.map(
        (one) => [one.session, one.presets.find((row) => row.preset === preset)?.openRatio ?? 0] as const
      )
      expect(ratios).toContainEqual([session, openRatio])
      expect(openRatio).toBe(Math.max(...ratios.map(([, ratio]) => ratio)))
    }
  })

  it("are printed one behind the other, then together", async () => {
    const text = await printed(["compare", file, small, "--fast", "--recall", "slice:1500"])
    expect(text).toContain(small)
    expect(text).toContain("all 2 sessions")
    expect(text).toContain("worst session of balanced")
  })
})

describe("bad usage exits 2 and says what was expected", () => {
  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["no file", [], "FILE"],
    ["a file that is not there", ["/no/such/file"], "/no/such/file: no such file"],
    ["a file in no format", [fileOf("hello")], "unknown format"],
    ["an unknown recall", [file, "--recall", "half"], "--recall: expected whole or slice:N, found half"],
    ["a slice of nothing", [file, "--recall", "slice:0"], "--recall: expected whole or slice:N"],
    ["a negative fixed part", [file, "--fixed", "-1"], "--fixed"]
  ])("%s", async (_, args, expected) => {
    const { code, stderr, stdout } = await palimpsest(["compare", ...args])
    expect({ code, stdout: stdout.toString("utf8") }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(expected)
  })
})

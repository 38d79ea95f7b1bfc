/** How commands are called wrongly, and where the database is when nobody says. */
import * as Either from "effect/Either"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { FORMATS } from "@palimpsest/transcript/Format"
import * as SourceFormat from "../src/SourceFormat.ts"
import { smallSession } from "./support/claude.ts"
import { fileOfExample, NAMES, formatOf } from "./support/examples.ts"
import { fileOf, newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

const file = fileOf(smallSession().text())
const wrong = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await palimpsest(args)
  expect({ args, code, stdout: stdout.toString("utf8") }).toEqual({ args, code: 2, stdout: "" })
  return stderr
}

describe("bad usage exits 2 and says what was expected", () => {
  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["a missing FILE", ["govern"], "FILE"],
    ["an unknown command", ["compress", "x"], "'govern'"],
    ["an unknown option", ["govern", file, "--shrink"], "--shrink"],
    ["an unknown preset", ["govern", file, "--preset", "best"], "balanced, frugal, io-harness, codeaf, harn, raw"],
    ["an unknown format", ["govern", file, "--format", "xml"], "claude-code"],
    ["a line that is no number", ["govern", file, "--line", "many"], "'many'"],
    ["a line of nothing", ["govern", file, "--line", "0"], "--line"],
    ["a ceiling of nothing", ["govern", file, "--ceiling", "0"], "--ceiling"],
    ["a negative fixed part", ["govern", file, "--fixed", "-1"], "--fixed"],
    [
      "--line with io-harness",
      ["govern", file, "--preset", "io-harness", "--line", "9"],
      "--line: the preset io-harness"
    ],
    ["--line with raw", ["govern", file, "--preset", "raw", "--line", "9"], "--line: the preset raw"],
    ["--ceiling with raw", ["govern", file, "--preset", "raw", "--ceiling", "9"], "--ceiling: the preset raw"],
    ["no request number", ["view", "some-run"], "--request"],
    ["no act", ["policy", "check"], "ACT"],
    ["an unknown act", ["policy", "check", "fly", "x"], "read, write, exec, net"]
  ])("%s", async (_, args, expected) => {
    expect(await wrong(...args, ...(args[0] === "policy" || args.length < 2 ? [] : ["--db", newDatabase()]))).toContain(
      expected
    )
  })

  it("a requests file that cannot be written", async () => {
    const out = join(temporaryFolder(), "no", "such", "folder.jsonl")
    expect(await wrong("govern", file, "--db", newDatabase(), "--requests", out)).toContain(`${out}: cannot be written`)
  })

  it.each(NAMES)("a format that %s is not in", async (name) => {
    const given = fileOfExample(name)
    const others = NAMES.filter((other) => other !== name).map(formatOf)
    for (const format of FORMATS.filter((format) => others.includes(format))) {
      expect(Either.flip(SourceFormat.of(given, readFileSync(given), format))).toMatchObject({
        right: { code: 2, message: `${given}: --format says ${format}, but what stands in it is ${formatOf(name)}` }
      })
    }
    expect(await wrong("govern", given, "--format", others[0]!, "--db", newDatabase())).toContain("--format says")
  })

  it("a format that fits as well as another is taken at its word", async () => {
    const texts = fileOf(
      JSON.stringify([
        { role: "user", content: "hi" },
        { role: "assistant", content: "ho" }
      ])
    )
    const runOf = async (format: string) =>
      (await json<Report>(["govern", texts, "--format", format, "--db", newDatabase()])).runs[0]?.run
    expect(await runOf("anthropic-messages")).toMatch(/^msgs-/)
    expect(await runOf("openai-chat")).toMatch(/^chat-/)
  })
})

describe("prices are read strictly", () => {
  it.each<readonly [string, string, string]>([
    ["a missing price", '{"uncached":1,"cacheRead":0.1}', "cacheWrite"],
    ["a negative price", '{"uncached":1,"cacheRead":0.1,"cacheWrite":-1}', "cacheWrite"],
    ["a price that is text", '{"uncached":1,"cacheRead":"0.1","cacheWrite":1}', "cacheRead"],
    ["an unknown price", '{"uncached":1,"cacheRead":0.1,"cacheWrite":1,"output":5}', "output"],
    ["no JSON", "cheap", "not JSON"]
  ])("%s", async (_, content, expected) => {
    const prices = fileOf(content, "prices.json")
    const said = await wrong("govern", file, "--db", newDatabase(), "--prices", prices)
    expect(said).toContain(prices)
    expect(said).toContain(expected)
  })

  it("a missing file", async () => {
    const prices = join(temporaryFolder(), "prices.json")
    expect(await wrong("govern", file, "--db", newDatabase(), "--prices", prices)).toContain(`${prices}: no such file`)
  })

  it("the standard table given as a file changes nothing, twice its prices cost twice as much", async () => {
    const db = newDatabase()
    const costOf = async (...given: ReadonlyArray<string>) =>
      (await json<Report>(["govern", file, "--db", db, ...given])).total.cost.governed
    const table = (factor: number) =>
      fileOf(JSON.stringify({ uncached: factor, cacheRead: 0.1 * factor, cacheWrite: 1.25 * factor }), "prices.json")
    const cost = await costOf()
    expect(await costOf("--prices", table(1))).toBe(cost)
    expect(await costOf("--prices", table(2))).toBeCloseTo(2 * cost, 6)
  })
})

describe("the database", () => {
  const listed = async (env: Readonly<Record<string, string>>) =>
    (await json<{ readonly runs: ReadonlyArray<unknown> }>(["runs"], { env })).runs.length

  it("is the one that --db names, before PALIMPSEST_DB", async () => {
    const [named, other] = [newDatabase(), newDatabase()]
    await json(["govern", file, "--db", named], { env: { PALIMPSEST_DB: other } })
    expect([existsSync(named), existsSync(other)]).toEqual([true, false])
  })

  it("is PALIMPSEST_DB where nothing is named, and its folder is made", async () => {
    const db = join(temporaryFolder(), "a", "b", "runs.db")
    await json(["govern", file], { env: { PALIMPSEST_DB: db } })
    expect(existsSync(db)).toBe(true)
    expect(await listed({ PALIMPSEST_DB: db })).toBe(1)
  })

  it("is in the platform's data folder where nothing is named at all", async () => {
    const home = temporaryFolder()
    const env = { XDG_DATA_HOME: join(home, "data"), HOME: home, LOCALAPPDATA: join(home, "data") }
    await json(["govern", file], { env })
    expect(await listed(env)).toBe(1)
    const folder = process.platform === "darwin" ? join(home, "Library", "Application Support") : join(home, "data")
    expect(existsSync(join(folder, "palimpsest", "palimpsest.db"))).toBe(true)
  })
})

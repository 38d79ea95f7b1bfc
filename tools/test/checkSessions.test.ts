import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { SESSIONS } from "../examples/generate.mjs"
import { economics } from "../independent/economics.mjs"
import { accountFaults } from "../src/account.mjs"
import { growingFiles } from "../src/checkGrowth.mjs"
import { changedResults, requestPairs } from "../src/requestLines.mjs"
import { formatOf, sessionFiles } from "../src/sessionFiles.mjs"

const folder = mkdtempSync(join(tmpdir(), "sessions-"))
afterAll(() => rmSync(folder, { recursive: true }))
const put = (name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const rows = (...values: ReadonlyArray<unknown>) => values.map((value) => `${JSON.stringify(value)}\n`).join("")

describe("which files are sessions", () => {
  it("the examples, by what they hold", () => {
    expect(sessionFiles(SESSIONS).map(({ file, format }) => [basename(file), format])).toEqual([
      ["claude-code.jsonl", "claude-code"],
      ["openai-chat-rows.jsonl", "openai-chat"],
      ["openai-chat.json", "openai-chat"]
    ])
  })

  it.each([
    [
      "lines of another client in a chain",
      rows({ sessionId: "s", uuid: "u", parentUuid: null, type: "user", message: { role: "user", parts: [] } })
    ],
    ["messages with other parts", JSON.stringify([{ role: "user", content: [{ type: "tool-call" }] }])],
    ["no messages", JSON.stringify({ messages: [] })],
    ["no JSON", "role: user\n"],
    ["nothing", ""]
  ])("not %s", (_, text) => {
    expect(formatOf(text)).toBeUndefined()
  })
})

describe("which files are one growing session", () => {
  it("those of which each is a byte prefix of the next", () => {
    mkdirSync(join(folder, "growth"))
    const [two, other, one] = [put("growth/a", "1\n2\n3\n"), put("growth/b", "1\n3\n"), put("growth/c", "1\n2\n")]
    expect(growingFiles([two, other, one])).toEqual([[one, two]])
  })
})

describe("the lines of two request files", () => {
  const result = (call: string, content: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: call, content }]
  })

  it("are read side by side, and a missing one is told of", async () => {
    const [a, b] = [put("a.jsonl", rows({ request: 1 }, { request: 2 })), put("b.jsonl", rows({ request: 1 }))]
    const pairs = []
    for await (const pair of requestPairs(a, a)) pairs.push(pair)
    expect(pairs).toHaveLength(2)
    const read = async (x: string, y: string) => {
      for await (const pair of requestPairs(x, y)) pairs.push(pair)
    }
    await expect(read(a, b)).rejects.toThrow("fewer requests")
    await expect(read(b, a)).rejects.toThrow("more requests")
  })

  it("differ in the results that were changed, and only in those that both hold", () => {
    const raw = {
      messages: [result("a", "x".repeat(40)), result("b", "y"), { role: "tool", tool_call_id: "c", content: "z" }]
    }
    const governed = {
      messages: [
        result("a", "short"),
        result("b", "y"),
        { role: "tool", tool_call_id: "c", content: "!" },
        result("d", "new")
      ]
    }
    expect(changedResults(governed, raw)).toBe(2)
    expect(changedResults(raw, raw)).toBe(0)
  })
})

describe("a report, against its requests", () => {
  const message = (text: string) => ({ role: "user", content: text })
  const governed = economics()
  const raw = economics()
  for (const [request, length] of [
    [1, 4_000],
    [2, 8_000]
  ] as const) {
    governed.add({ request, run: "g", rendering: "transcript", messages: [message("a".repeat(length / 2))] })
    raw.add({ request, run: "r", rendering: "transcript", messages: [message("a".repeat(length))] })
  }
  // 1: 3,500 and 4,000 new. 2: the fixed 3,000 cached, and the one message new.
  const figures = {
    requests: 2,
    refused: 0,
    tokens: { governed: 3_500 + 4_000, raw: 4_000 + 5_000 },
    cost: { governed: 3_500 + 300 + 1_250, raw: 4_000 + 300 + 2_500, ratio: 5_050 / 6_800 },
    cachedShare: 3_000 / 7_500,
    peakTokens: 1_000
  }
  const report = { runs: [{ run: "g", ...figures }], total: figures }

  it("agrees with a report that is right", () => {
    expect(accountFaults(report, governed.runs, raw.runs)).toEqual([])
  })

  it.each([
    ["tokens", { tokens: { governed: 7_501, raw: 9_000 } }],
    ["cost", { cost: { ...figures.cost, governed: 5_050.1 } }],
    ["cachedShare", { cachedShare: 0.41 }],
    ["peakTokens", { peakTokens: 4_000 }],
    ["refused", { refused: 1 }]
  ])("mutant: a wrong %s is told of", (what, wrong) => {
    const faults = accountFaults({ ...report, runs: [{ ...report.runs[0], ...wrong }] }, governed.runs, raw.runs)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(what)
  })
})

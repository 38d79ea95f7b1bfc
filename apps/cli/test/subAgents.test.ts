/** `govern` on a session whose sub-agents have files of their own beside it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

type Line = Readonly<Record<string, unknown>>

const SESSION = "5e551011-0000-4000-8000-000000000002"

const lines = (base: Line, said: ReadonlyArray<Line>): string =>
  said
    .map((line, n) => ({ sessionId: SESSION, uuid: `u${n}`, timestamp: "2026-05-01T10:00:00.000Z", ...base, ...line }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")
const asked = (content: unknown): Line => ({ type: "user", message: { role: "user", content } })
const answered = (id: string, block: unknown, tokens: number): Line => {
  const usage = { input_tokens: tokens, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  return { type: "assistant", message: { id, role: "assistant", model: "m", content: [block], usage } }
}

const session = lines({ isSidechain: false }, [
  asked("Begin."),
  answered("m1", { type: "tool_use", id: "call", name: "Task", input: { prompt: "look" } }, 100),
  asked([{ type: "tool_result", tool_use_id: "call", content: "seen" }]),
  answered("m2", { type: "text", text: "Done." }, 200)
])
const agent = (agentId: string, more: Line = {}): string =>
  lines({ isSidechain: true, agentId, ...more }, [
    asked("look"),
    answered(`${agentId}-1`, { type: "text", text: "seen" }, 7)
  ])

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(path, text)
  }
  return join(folder, "s.jsonl")
}

describe("shape 3: files of their own beside the session", () => {
  const files = {
    "s.jsonl": session,
    "s/subagents/agent-abc.jsonl": agent("abc"),
    "s/subagents/agent-abc.meta.json": JSON.stringify({ agentType: "explore", toolUseId: "call", spawnDepth: 1 }),
    "s/subagents/notes.txt": "no lines"
  }

  it("are children of the session's run, apart from it in every figure, and nothing is imported twice", async () => {
    const file = folderOf(files)
    const db = newDatabase()
    const told = await json<Report>(["govern", file, "--db", db])
    const [own, child] = told.runs
    expect(told.runs.map(({ recorded, requests }) => [requests, recorded])).toEqual([
      [2, { requests: 2, tokens: 300 }],
      [1, { requests: 1, tokens: 7 }]
    ])
    expect([own?.parent, child?.parent, child?.run]).toEqual([undefined, own?.run, `${own?.run}.abc`])
    expect(told.total.requests).toBe(3)
    expect((await json<Report>(["govern", file, "--db", db])).new).toBe(0)
    expect(await printed(["export", String(child?.run), "--db", db])).toBe(files["s/subagents/agent-abc.jsonl"])
    expect(await printed(["audit", String(child?.run), "--db", db])).toMatch(/^whole: /m)
  })

  it("a session alone, and one in whose folder nothing stands, is what it always was", async () => {
    for (const file of [folderOf({ "s.jsonl": session }), folderOf({ "s.jsonl": session, "s/tool-results/x": "y" })]) {
      const told = await json<Report>(["govern", file, "--db", newDatabase()])
      expect(told.runs.map(({ requests }) => requests)).toEqual([2])
    }
  })

  it("a stranger, a torn line and an agent that no call began are told on standard error and in the JSON, with the file's name", async () => {
    const file = folderOf({
      "s.jsonl": session,
      "s/subagents/agent-other.jsonl": agent("other", { sessionId: "another" }),
      "s/subagents/agent-torn.jsonl": `${agent("torn").replace("look", "who?")}{"type":`
    })
    const { code, stderr, stdout } = await palimpsest(["govern", file, "--db", newDatabase(), "--json"])
    expect(JSON.parse(stdout.toString("utf8")).notes).toEqual(stderr.trimEnd().split("\n"))
    expect([
      code,
      stderr
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(line.indexOf("agent-")))
    ]).toEqual([
      0,
      [
        "agent-other.jsonl: left out: a sub-agent of the session another",
        "agent-torn.jsonl: done in part; line 3: the last line is not whole: 8 bytes without a line break",
        "agent-torn.jsonl: no call of the session began it, as far as its files tell"
      ]
    ])
  })
})

/** `budget`: the tree of a run, children apart from their parents, and what is left of limits. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

interface Budget {
  readonly runs: ReadonlyArray<{
    readonly run: string
    readonly parent?: string
    readonly depth: number
    readonly requests: number
    readonly own: unknown
    readonly subtree: unknown
  }>
  readonly axes: ReadonlyArray<{ readonly axis: string; readonly limit?: number; readonly remaining?: number }>
}

const line = (fields: object, n: number): string =>
  `${JSON.stringify({ sessionId: "5e551011-0000-4000-8000-000000000003", uuid: `u${n}`, timestamp: "2026-05-01T10:00:00.000Z", ...fields })}\n`
const user = (content: unknown) => ({ type: "user", message: { role: "user", content } })
const model = (id: string, block: object, input: number) => ({
  type: "assistant",
  message: {
    id,
    role: "assistant",
    model: "m",
    content: [block],
    usage: { input_tokens: input, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  }
})

const tree = (): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, "s/subagents"), { recursive: true })
  const main = [
    user("Begin."),
    model("m1", { type: "tool_use", id: "call", name: "Task", input: { prompt: "look" } }, 100),
    user([{ type: "tool_result", tool_use_id: "call", content: "seen" }]),
    model("m2", { type: "text", text: "Done." }, 200)
  ].map((fields, n) => line({ isSidechain: false, ...fields }, n))
  const agent = [user("look"), model("a1", { type: "text", text: "seen" }, 7)].map((fields, n) =>
    line({ isSidechain: true, agentId: "abc", ...fields }, n + 10)
  )
  writeFileSync(join(folder, "s.jsonl"), main.join(""))
  writeFileSync(join(folder, "s/subagents/agent-abc.jsonl"), agent.join(""))
  writeFileSync(join(folder, "s/subagents/agent-abc.meta.json"), JSON.stringify({ toolUseId: "call" }))
  return join(folder, "s.jsonl")
}

describe("budget", () => {
  it("LE-03: prints the tree with what each run spent itself and with all below it", async () => {
    const db = newDatabase()
    const report = await json<Report>(["govern", tree(), "--db", db])
    const budget = await json<Budget>(["budget", report.runs[0]!.run, "--db", db])
    const [root, child] = budget.runs
    expect(budget.runs).toHaveLength(2)
    expect(root).toMatchObject({ depth: 0, requests: 2, own: { n: 320 }, subtree: { n: 337 } })
    expect(child).toMatchObject({ parent: root!.run, depth: 1, requests: 1, own: { n: 17 }, subtree: { n: 17 } })
    expect(await printed(["budget", root!.run, "--db", db])).toMatch(/tokens +none +337 +0/)
  })

  it("LE-01: limits of a file say what is left; a fault of the file is told with its line", async () => {
    const db = newDatabase()
    const { runs } = await json<Report>(["govern", tree(), "--db", db])
    const file = join(temporaryFolder(), "workflow.yaml")
    writeFileSync(file, "name: x\nbudgets:\n  max_total_tokens: 1000\n")
    const { axes } = await json<Budget>(["budget", runs[0]!.run, "--db", db, "--limits", file])
    expect(axes[0]).toMatchObject({ axis: "tokens", limit: 1_000, remaining: 663 })
    writeFileSync(file, "name: x\nbudgets:\n  max_total_tokens: -1\n")
    const { code, stderr } = await palimpsest(["budget", runs[0]!.run, "--db", db, "--limits", file])
    expect([code, stderr.includes("workflow.yaml:3:")]).toEqual([2, true])
  })
})

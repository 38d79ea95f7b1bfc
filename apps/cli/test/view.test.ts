/** `view`: a request as it was sent, and every difference from what happened, with its address. */
import { beforeAll, describe, expect, it } from "vitest"
import { permissive } from "@palimpsest/policy/Policy"
import { requestLines } from "../../../tools/src/requestLines.mjs"
import { NAMES } from "./support/examples.ts"
import { governed } from "./support/governed.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"
import { fileOf, newDatabase } from "./support/folder.ts"
import type { Report } from "./support/report.ts"

interface View {
  readonly run: string
  readonly request: number
  readonly rendering: string
  readonly estimatedTokens: number
  readonly entries: ReadonlyArray<{ readonly address: string; readonly form: string; readonly why?: string }>
  readonly messages: ReadonlyArray<unknown>
}

interface Line {
  readonly request: number
  readonly run: string
  readonly estimatedTokens: number
  readonly messages: ReadonlyArray<unknown>
}

/** The last line of a run in a file of requests. */
const lastOf = async (file: string, run: string): Promise<Line> => {
  let last: Line | undefined
  for await (const line of requestLines(file)) if (line.run === run) last = line
  if (last === undefined) throw new Error(`${file} has no request of ${run}`)
  return last
}

describe.each(NAMES.flatMap((name) => (["balanced", "io-harness"] as const).map((preset) => [name, preset] as const)))(
  "%s under %s",
  (name, preset) => {
    it("--json gives the messages of the line that govern wrote, and each changed entry with an address that resolves", async () => {
      const { db, report, requests } = governed(name)
      const { run } = report(preset).runs[0]!
      const line = await lastOf(requests(preset), run)
      const view = await json<View>(["view", run, "--request", String(line.request), "--db", db])
      expect(view).toMatchObject({ run, request: line.request, estimatedTokens: line.estimatedTokens })
      expect(view.messages).toEqual(line.messages)
      for (const { address, form, why } of view.entries) {
        expect(address.startsWith(`${run}@`)).toBe(true)
        expect([form, form === "Stub" ? why !== undefined : true]).toEqual([form, true])
      }
    })
  }
)

describe("--why", () => {
  const { db, report, requests } = governed("claude-code.jsonl")
  const { run } = report("balanced").runs[0]!
  let line: Line
  let view: View

  beforeAll(async () => {
    line = await lastOf(requests("balanced"), run)
    view = await json<View>(["view", run, "--request", String(line.request), "--db", db])
  })

  it("lists each changed entry of the request: address, message, form, reason and what it is of", async () => {
    const text = await printed(["view", run, "--request", String(line.request), "--why", "--db", db])
    const [heading, ...rows] = text.trimEnd().split("\n")
    const changed = view.entries.filter(({ form }) => form !== "Whole" && form !== "Framed")
    expect(heading?.split(/ {2,}/)).toEqual(["address", "message", "form", "why", "of"])
    expect(changed.length).toBeGreaterThan(20)
    expect(rows.map((row) => row.split(/ +/)[0])).toEqual(changed.map(({ address }) => address))
    expect(text).toMatch(/ stub +superseded by @\d+ /)
    expect(text).toMatch(/ collapse +aged /)
    expect(text).toMatch(/ stub +aged /)
  })

  it("every address that it lists gives bytes back that the request does not show", async () => {
    const policy = fileOf(JSON.stringify(permissive), "policy.json")
    const changed = view.entries.filter(({ form }) => form === "Stub")
    const shown = JSON.stringify(line.messages)
    for (const { address } of changed.slice(0, 3)) {
      const { code, stdout } = await palimpsest(["recall", address, "--policy", policy, "--db", db])
      expect([code, stdout.length > 0]).toEqual([0, true])
      expect(shown.includes(JSON.stringify(stdout.toString("utf8")))).toBe(false)
    }
  })

  it("of a request in which nothing is changed says so", async () => {
    expect(await printed(["view", run, "--request", "1", "--why", "--db", db])).toBe(
      "request 1: everything is shown whole\n"
    )
  })
})

describe("as text", () => {
  it("each message with its role and what it says", async () => {
    const { db, report } = governed("openai-chat-rows.jsonl")
    const text = await printed(["view", report("balanced").runs[0]!.run, "--request", "1", "--db", db])
    expect(text.split("\n").filter((line) => line.startsWith("--- "))).toEqual(["--- system", "--- user"])
    expect(text).toContain("What does packages/")
  })

  it("a request that was refused says what it would have needed", async () => {
    const { file } = governed("anthropic-messages.json")
    const db = newDatabase()
    const { runs } = await json<Report>(["govern", file, "--db", db, "--ceiling", "200"])
    const text = await printed(["view", runs[0]!.run, "--request", "2", "--db", db])
    expect(text).toMatch(/^request 2 was refused: ContextExhausted, it needs [\d,]+ tokens and has 200\n$/)
    expect(await json(["view", runs[0]!.run, "--request", "2", "--db", db])).toMatchObject({
      request: 2,
      why: "ContextExhausted",
      have: 200
    })
  })
})

describe("a number that is no request", () => {
  const { db, report } = governed("openai-chat.json")
  const { requests, run } = report("balanced").runs[0]!

  it("says how many there are", async () => {
    const { code, stderr } = await palimpsest(["view", run, "--request", String(requests + 1), "--db", db])
    expect([code, stderr]).toEqual([2, `palimpsest: ${run} has no request ${requests + 1}; it made ${requests}\n`])
  })

  it.each(["0", "-1", "1.5", "one"])("%s is refused", async (number) => {
    expect((await palimpsest(["view", run, "--request", number, "--db", db])).code).toBe(2)
  })
})

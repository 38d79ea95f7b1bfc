/** `govern --preset codeaf` and `--preset harn`: governed, audited, viewed and recalled, and the options that each takes. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"

const FILE = fileURLToPath(new URL("../../../examples/sessions/openai-chat.json", import.meta.url))

interface Line {
  readonly run: string
  readonly request: number
  readonly messages: ReadonlyArray<unknown>
}
interface View {
  readonly messages: ReadonlyArray<unknown>
  readonly entries: ReadonlyArray<{ readonly form: string; readonly address?: string }>
}

describe.each([
  ["codeaf", [], "Stub"],
  ["codeaf", ["--window", "100000"], "Stub"],
  ["harn", [], "Recap"],
  ["harn", ["--line", "8000", "--ceiling", "4000"], "Recap"]
] as const)("%s %j", (preset, options, form) => {
  it("CA-30 HA-22 law 7: cheaper, whole, viewed as it was sent, and everything left out recalled", async () => {
    const db = newDatabase()
    const requests = join(temporaryFolder(), "requests.jsonl")
    const args = ["govern", FILE, "--preset", preset, ...options, "--db", db, "--requests", requests]
    const report = await json<{ total: { cost: { ratio: number } }; audit: { differ: number } }>(args)
    expect(report.total.cost.ratio).toBeLessThan(1)
    expect(report.audit.differ).toBe(0)
    const lines: ReadonlyArray<Line> = readFileSync(requests, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const last = lines.at(-1)
    if (last === undefined) return expect.fail("no request")
    const view = await json<View>(["view", last.run, "--request", String(last.request), "--db", db])
    expect(view.messages).toEqual(last.messages)
    const gone = view.entries.filter((entry) => entry.form === form)
    expect(gone.length).toBeGreaterThan(0)
    const { code, stdout } = await palimpsest(["recall", gone[0]?.address ?? "", "--db", db])
    expect(code).toBe(0)
    expect(stdout.length).toBeGreaterThan(0)
    expect(await printed(["audit", last.run, "--db", db])).toContain(" 0 differ")
  })
})

it.each([
  ["codeaf", "--line", "9", "the preset codeaf has no line"],
  ["codeaf", "--ceiling", "9", "the preset codeaf has no ceiling"],
  ["codeaf", "--window", "0", "--window: expected the tokens of the model's window, at least 1"],
  ["harn", "--window", "9", "the preset harn takes no window"]
])("%s %s %s is refused in words", async (preset, option, n, says) => {
  const { code, stderr } = await palimpsest(["govern", FILE, "--preset", preset, option, n, "--db", newDatabase()])
  expect(code).not.toBe(0)
  expect(stderr).toContain(says)
})

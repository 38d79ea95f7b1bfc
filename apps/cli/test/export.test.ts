/** `export`: the file that a run came from, byte for byte, whichever of its runs is named. */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import * as Export from "@palimpsest/governor/Export"
import { LogId } from "@palimpsest/ledger/Ids"
import { smallSession } from "./support/claude.ts"
import { NAMES } from "./support/examples.ts"
import { fileOf, newDatabase } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"
import { hash, inStore } from "./support/store.ts"

describe.each(NAMES)("%s", (name) => {
  const { db, file, report } = governed(name)
  const original = readFileSync(file)

  it("comes back from every run, side chains and rows included", async () => {
    for (const { run } of report("balanced").runs) {
      const { code, stdout } = await palimpsest(["export", run, "--db", db])
      expect([run, code, stdout.equals(original)]).toEqual([run, 0, true])
    }
  })

  it.each(["raw", "io-harness"] as const)("comes back from every run of %s", async (preset) => {
    const runs = report(preset).runs.map(({ run }) => LogId.make(run))
    const sources = await inStore(
      db,
      Effect.forEach(runs, (run) => Export.source(hash, run))
    )
    for (const source of sources) expect(original.equals(source)).toBe(true)
  })
})

describe("a file that is written otherwise", () => {
  const lines = smallSession().text().trimEnd().split("\n")
  const chat = [
    { role: "user", content: "Where is it? 👍" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "ls", arguments: "{}" } }]
    },
    { role: "tool", tool_call_id: "c1", content: "here" },
    { role: "assistant", content: "Here." }
  ]
  const badByte = Buffer.concat([Buffer.from(`${lines.slice(0, 3).join("\n")}\n`), Buffer.from([0xff, 0xfe, 0x0a])])

  it.each<readonly [string, string | Uint8Array]>([
    ["with CRLF", `${lines.join("\r\n")}\r\n`],
    ["without a final newline", lines.join("\n")],
    ["with a byte order mark", `\ufeff${lines.join("\n")}\n`],
    ["with blank lines", `\n${lines.join("\n\n")}\n\n\n`],
    ["with bytes that are no UTF-8", badByte],
    ["as a document on one line", JSON.stringify(chat)],
    [
      "as a document over many lines, tabs and CRLF",
      JSON.stringify({ model: "m", messages: chat, n: 1 }, null, "\t").replaceAll("\n", "\r\n")
    ],
    ["as a document with a byte order mark and white space behind it", `\ufeff ${JSON.stringify(chat)}\n\n \n`],
    [
      "as rows without a final newline",
      `${JSON.stringify({ messages: chat })}\n${JSON.stringify({ messages: chat.slice(0, 1) })}`
    ]
  ])("%s", async (_, content) => {
    const [file, db] = [fileOf(content), newDatabase()]
    const { runs } = await json<Report>(["govern", file, "--db", db])
    expect(runs.length).toBeGreaterThan(0)
    for (const { run } of runs) {
      const { code, stdout } = await palimpsest(["export", run, "--db", db])
      expect([code, stdout.equals(readFileSync(file))]).toEqual([0, true])
    }
  })

  it("a torn end waits: what is exported ends before it, and is whole when it has come", async () => {
    const [whole, db] = [Buffer.from(smallSession().text()), newDatabase()]
    const exported = async (bytes: Uint8Array) => {
      const { runs } = await json<Report>(["govern", fileOf(bytes), "--db", db])
      return (await palimpsest(["export", runs[0]!.run, "--db", db])).stdout
    }
    const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
    const torn = await exported(whole.subarray(0, whole.length - 40))
    expect(torn.equals(whole.subarray(0, lastLine))).toBe(true)
    expect((await exported(whole)).equals(whole)).toBe(true)
  })
})

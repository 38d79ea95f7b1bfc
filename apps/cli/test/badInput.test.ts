/** Files that are not what they should be: an error that says where, or a part and said so; never a stack trace. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Conversation, smallSession } from "./support/claude.ts"
import { fileOf, newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

const whole = smallSession().text()
const lines = whole.trimEnd().split("\n")

/** Governs a file, and gives what it printed on both. */
const govern = async (file: string, db: string) => {
  const { code, stderr, stdout } = await palimpsest(["govern", file, "--db", db, "--json"])
  expect(code).toBe(0)
  const report: Report = JSON.parse(stdout.toString("utf8"))
  return { report, stderr }
}

const refused = async (file: string) => {
  const { code, stderr, stdout } = await palimpsest(["govern", file, "--db", newDatabase()])
  expect([code, stdout.length]).toEqual([2, 0])
  expect(stderr.startsWith(`palimpsest: ${file}: `)).toBe(true)
  return stderr
}

const exported = async (run: string, db: string) => (await palimpsest(["export", run, "--db", db])).stdout

describe("a source that ends in the middle of a line (B93)", () => {
  it("B93: what is whole is governed, the torn last line waits, and both outputs say so; completed, the same head", async () => {
    const [file, db] = [fileOf(whole.slice(0, -30)), newDatabase()]
    const torn = await govern(file, db)
    const partial = { line: lines.length, why: expect.stringContaining("the last line is not whole") }
    expect(torn.report.partial).toEqual(partial)
    expect(torn.stderr).toContain(`${file}: done in part; line ${lines.length}: the last line is not whole`)
    expect(torn.report.audit.differ).toBe(0)
    writeFileSync(file, whole)
    const complete = await govern(file, db)
    expect(complete.report).not.toHaveProperty("partial")
    expect(complete.stderr).toBe("")
    expect(complete.report.audit).toEqual((await govern(file, newDatabase())).report.audit)
  })

  it("B93: damage in the middle is loud, and nothing around it is lost", async () => {
    const damaged = lines.map((line, at) => (at === 2 ? line.slice(0, 60) : line))
    const [file, db] = [fileOf(`${damaged.join("\n")}\n`), newDatabase()]
    const { report, stderr } = await govern(file, db)
    expect(report.partial).toMatchObject({ line: 3, why: expect.stringContaining("not a record of this format") })
    expect(stderr).toContain(`${file}: done in part; line 3`)
    expect((await exported(report.runs[0]!.run, db)).equals(readFileSync(file))).toBe(true)
  })

  it("B94: a record written after a torn one is not glued to it: the fragment is neither read nor dropped", async () => {
    const [before, last] = [lines.slice(0, -1).join("\n"), lines.at(-1)!]
    const [file, db] = [fileOf(`${before}\n${last.slice(0, 50)}`), newDatabase()]
    const torn = await govern(file, db)
    expect(torn.report.partial?.line).toBe(lines.length)
    // The writer came back, left its fragment where it was, and went on behind it.
    writeFileSync(file, `${before}\n${last.slice(0, 50)}\n${last}\n`)
    const after = await govern(file, db)
    expect(after.report.partial).toMatchObject({ line: lines.length })
    expect(after.report.total.requests).toBe(torn.report.total.requests + 1)
    const bytes = await exported(after.report.runs[0]!.run, db)
    expect(bytes.equals(readFileSync(file))).toBe(true)
  })

  it("B96: two writers at once, and raw line breaks inside a string: kept as they came, counted, and said", async () => {
    const interleaved = [lines[0]!, lines[1]!.slice(0, 90) + lines[2]!, lines[1]!.slice(90), ...lines.slice(3)]
    const broken = lines.map((line) => line.replace("One counts, ", "One counts,\n"))
    for (const text of [interleaved, broken]) {
      const [file, db] = [fileOf(`${text.join("\n")}\n`), newDatabase()]
      const { report, stderr } = await govern(file, db)
      expect(report.partial?.why).toContain("not a record of this format")
      expect(stderr).toContain("done in part; line")
      expect(report.audit.differ).toBe(0)
      expect((await exported(report.runs[0]!.run, db)).equals(readFileSync(file))).toBe(true)
    }
  })

  it("a document that is torn waits too, and ends where the whole ends", async () => {
    const messages = [
      { role: "user", content: "Is it there?" },
      { role: "assistant", content: "It is." },
      { role: "user", content: "And now?" },
      { role: "assistant", content: "It still is." }
    ]
    const document = JSON.stringify(messages, null, 2)
    const [file, db] = [fileOf(document.slice(0, -30), "chat.json"), newDatabase()]
    const torn = await govern(file, db)
    expect(torn.report.partial?.why).toContain("the document ends before it is closed")
    writeFileSync(file, document)
    const { report } = await govern(file, db)
    expect(report.audit.head).toBe((await govern(file, newDatabase())).report.audit.head)
  })
})

describe("other bad input", () => {
  it("a line of binary: governed around it, and said", async () => {
    const binary = Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x07, 0x1b, 0x5b, 0x33, 0x0a])
    const bytes = Buffer.concat([
      Buffer.from(`${lines.slice(0, 4).join("\n")}\n`),
      binary,
      Buffer.from(lines.slice(4).join("\n"))
    ])
    const [file, db] = [fileOf(bytes), newDatabase()]
    const { report, stderr } = await govern(file, db)
    expect(report.partial?.line).toBe(5)
    expect(stderr).toContain(`${file}: done in part; line 5: not a record of this format; kept as it came`)
    expect(report.total.requests).toBe((await govern(fileOf(whole), newDatabase())).report.total.requests)
    expect((await exported(report.runs[0]!.run, db)).equals(bytes)).toBe(true)
  })

  it("a file of nothing but binary", async () => {
    const bytes = Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 256)
    expect(await refused(fileOf(bytes))).toMatch(/line 1: found .*, expected a Claude Code session/)
  })

  it("an empty file", async () => {
    expect(await refused(fileOf(""))).toContain("line 1: found an empty file, expected")
  })

  it("an unknown format", async () => {
    expect(await refused(fileOf("# Notes\n\nNothing else.\n"))).toContain(
      "found a line that is no JSON object, expected"
    )
    expect(await refused(fileOf('{"event":"start"}\n{"event":"end"}\n'))).toContain("an object with the keys event")
    expect(await refused(fileOf("[1, 2, 3]"))).toContain("a list of something else")
  })

  it("a folder, and a file that is not there", async () => {
    const folder = temporaryFolder()
    expect(await refused(folder)).toContain("it is a folder; expected a file")
    expect(await refused(join(folder, "none.jsonl"))).toContain("no such file")
  })

  it("a line of 5 MB: governed, recalled and exported like any other", async () => {
    const huge = "0123456789abcde\n".repeat(327_680)
    const session = new Conversation()
      .user("Read it.")
      .read("toolu_huge", "/srv/project/huge.log", huge)
      .answer("Long.")
    const [file, db] = [fileOf(session.text()), newDatabase()]
    const { report, stderr } = await govern(file, db)
    expect([stderr, report.audit.differ]).toEqual(["", 0])
    expect(report.total.elided["bounded"]).toBeGreaterThan(0)
    const { run } = report.runs[0]!
    const { entries } = await json<{
      readonly entries: ReadonlyArray<{ readonly address: string; readonly part: string }>
    }>(["entries", run, "--db", db])
    const { address } = entries.find(({ part }) => part === "Result")!
    const { stdout } = await palimpsest(["recall", address, "--db", db])
    expect(stdout.equals(Buffer.from(huge))).toBe(true)
    expect((await exported(run, db)).equals(readFileSync(file))).toBe(true)
  })

  it("a session without tool calls: nothing is elided and nothing refused", async () => {
    const { report, stderr } = await govern(fileOf(new Conversation().user("Hi.").answer("Ho.").text()), newDatabase())
    expect(stderr).toBe("")
    expect(report.total).toMatchObject({ requests: 1, refused: 0, elided: {}, rewrites: 0, cost: { ratio: 1 } })
  })

  it("a session in which the model never answered: no requests, and its ratio is 1", async () => {
    const { report } = await govern(fileOf(new Conversation().user("Hello?").text()), newDatabase())
    expect(report.total).toMatchObject({ requests: 0, cost: { raw: 0, governed: 0, ratio: 1 }, cachedShare: 0 })
  })

  it("a call without its result, and a result without its call", async () => {
    const session = new Conversation()
      .user("Go.")
      .call("toolu_x", "Read", { file_path: "/x" })
      .user("Well?")
      .answer("No.")
    const { report } = await govern(fileOf(session.result("toolu_nobody", "lost").answer("Odd.").text()), newDatabase())
    expect(report.audit.differ).toBe(0)
  })
})

/** One source at several times: it grows, is read again from an older copy, or was changed behind our back. */
import { modelOf } from "@palimpsest/transcript/Model"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import * as Runs from "@palimpsest/governor/Runs"
import * as Import from "@palimpsest/governor/Import"
import { smallSession } from "./support/claude.ts"
import { fileOf, newDatabase } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"
import { hash, inStore } from "./support/store.ts"

const govern = (file: string, db: string): Promise<Report> => json(["govern", file, "--db", db])

describe("a file that grows", () => {
  const { file, report } = governed("claude-code.jsonl")
  const whole = readFileSync(file)
  const lines = whole.toString("utf8").split("\n")
  const upTo = (share: number) => `${lines.slice(0, Math.floor(lines.length * share)).join("\n")}\n`

  it("extends its log and ends where an import of the whole ends", async () => {
    const [growing, db] = [fileOf(upTo(0.4)), newDatabase()]
    const first = await govern(growing, db)
    writeFileSync(growing, upTo(0.7))
    const second = await govern(growing, db)
    writeFileSync(growing, whole)
    const third = await govern(growing, db)
    expect([first, second, third].map(({ runs }) => runs[0]?.run)).toEqual(
      Array(3).fill(report("balanced").runs[0]?.run)
    )
    expect(first.new + second.new + third.new).toBe(report("balanced").new)
    expect(third.audit).toEqual(report("balanced").audit)
    for (const { runs } of [first, second]) {
      const { code } = await palimpsest(["audit", runs[0]!.run, "--head", runs[0]!.head, "--db", db])
      expect(code).toBe(0)
    }
  })

  it("an older, shorter copy brings nothing new and takes nothing away", async () => {
    const [older, db] = [fileOf(upTo(0.5)), newDatabase()]
    await govern(file, db)
    const again = await govern(older, db)
    expect(again.new).toBe(0)
    expect(again.audit).toEqual(report("balanced").audit)
    const { runs } = again
    const { stdout } = await palimpsest(["export", runs[0]!.run, "--db", db])
    expect(stdout.equals(whole)).toBe(true)
  })

  it("changed in its middle it is refused with file and line, and the log stays as it was", async () => {
    const db = newDatabase()
    await govern(file, db)
    const middle = Math.floor(lines.length / 2)
    const other = lines.map((line, at) => (at === middle - 1 ? line.replace('"cwd":"', '"cwd":"/elsewhere') : line))
    const changed = fileOf(other.join("\n"))
    const { code, stderr, stdout } = await palimpsest(["govern", changed, "--db", db])
    expect({ code, stdout: stdout.toString("utf8") }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(`${changed}: line ${middle} is not the one that`)
    expect((await govern(file, db)).new).toBe(0)
  })

  it("a line dropped from its middle is a change too", async () => {
    const [db, text] = [newDatabase(), smallSession().text()]
    const dropped = text.split("\n")
    dropped.splice(3, 1)
    await govern(fileOf(text), db)
    const { code, stderr } = await palimpsest(["govern", fileOf(dropped.join("\n")), "--db", db])
    expect(code).toBe(2)
    expect(stderr).toContain("line 4 is not the one")
  })
})

describe("a file cut anywhere", () => {
  const bytes = Buffer.from(smallSession().text(), "utf8")
  const model = modelOf("claude-code", bytes)
  const config = {
    preset: "balanced",
    shape: "anthropic",
    line: 50_000,
    lowWater: 25_000,
    schedule: "investment",
    ...(model === undefined ? {} : { model })
  } as const
  const take = (db: string, part: Uint8Array) =>
    inStore(
      db,
      Effect.flatMap(Import.run(hash, { format: "claude-code", bytes: part }, config), ({ base }) =>
        Runs.find(hash, base)
      )
    )

  it("at every line, and at places within lines, reaches the head of the whole", async () => {
    const file = fileOf(bytes)
    const { head } = (await govern(file, newDatabase())).runs[0]!
    const ends = [...bytes.keys()].filter((at) => at > 200 && (bytes[at - 1] === 0x0a || at % 311 === 0))
    expect(ends.length).toBeGreaterThan(15)
    for (const end of ends) {
      const db = newDatabase()
      await take(db, bytes.subarray(0, end))
      expect([end, (await take(db, bytes)).head.digest]).toEqual([end, head])
    }
  })
})

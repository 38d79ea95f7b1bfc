/** `audit`: from the database alone, on any machine, and against a head that is known elsewhere. */
import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { smallSession } from "./support/claude.ts"
import { fileOfExample, NAMES, PRESETS } from "./support/examples.ts"
import { fileOf, newDatabase, temporaryFolder } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

interface Audited {
  readonly run: string
  readonly events: number
  readonly requests: number
  readonly differ: number
  readonly head: string
  readonly whole: boolean
  readonly findings: ReadonlyArray<unknown>
}

const ELSEWHERE = [
  { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
  { TZ: "America/Caracas", LANG: "C", LC_ALL: "C" }
]

describe("an audit needs nothing but the database", () => {
  it("a source that is deleted, another time zone, another locale, a database that was copied: the same head", async () => {
    const folder = temporaryFolder()
    const [source, db, copy] = ["session.jsonl", "first.db", "second.db"].map((name) => join(folder, name))
    copyFileSync(fileOfExample("anthropic-messages.json"), source!)
    const heads = new Map<string, string>()
    for (const preset of PRESETS) {
      const { runs } = await json<Report>(["govern", source!, "--db", db!, "--preset", preset])
      for (const { head, run } of runs) heads.set(run, head)
    }
    copyFileSync(db!, copy!)
    for (const gone of [source!, db!]) rmSync(gone)
    for (const [run, head] of heads) {
      for (const env of ELSEWHERE) {
        const audited = await json<Audited>(["audit", run, "--db", copy!], { env, cwd: temporaryFolder() })
        expect(audited).toMatchObject({ run, head, differ: 0, whole: true, findings: [] })
      }
    }
  })

  it.each(NAMES)(
    "%s: every run of balanced and io-harness renders again, in a process that governed nothing",
    async (name) => {
      const { db, report } = governed(name)
      for (const { head, requests, refused, run } of [...report("balanced").runs, ...report("io-harness").runs]) {
        const audited = await json<Audited>(["audit", run, "--db", db])
        expect(audited).toMatchObject({ head, differ: 0, requests: requests - refused, whole: true })
      }
    }
  )

  it("the same file on another machine, in another time zone and from another path, is the same run", async () => {
    const text = smallSession().text()
    const reports = await Promise.all(
      ELSEWHERE.map((env) => json<Report>(["govern", fileOf(text), "--db", newDatabase()], { env }))
    )
    expect(reports[0]).toEqual(reports[1])
  })

  it("the line that it prints is the one that govern ends with", async () => {
    const [file, db] = [fileOf(smallSession().text()), newDatabase()]
    const lines = (await printed(["govern", file, "--db", db])).trimEnd().split("\n")
    const { runs } = await json<Report>(["govern", file, "--db", db])
    expect(await printed(["audit", runs[0]!.run, "--db", db])).toBe(`${lines.at(-1)}\n`)
  })
})

describe("a head that is known elsewhere", () => {
  const [first, db] = [smallSession(), newDatabase()]
  const grown = smallSession().user("One more.").answer("And an answer.")

  it("right, an earlier one, a wrong one, and no head at all", async () => {
    const before = (await json<Report>(["govern", fileOf(first.text()), "--db", db])).runs[0]!
    const after = (await json<Report>(["govern", fileOf(grown.text()), "--db", db])).runs[0]!
    expect(after.run).toBe(before.run)
    expect(after.head).not.toBe(before.head)
    const audit = (head: string) => palimpsest(["audit", after.run, "--head", head, "--db", db])
    expect(await audit(after.head)).toMatchObject({ code: 0, stderr: "" })
    expect(await audit(before.head)).toMatchObject({ code: 0, stderr: "" })
    const wrong = await audit("ab".repeat(32))
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain(`no event has the known head ${"ab".repeat(32)}`)
    const none = await audit("abcd")
    expect(none.code).toBe(2)
    expect(none.stderr).toContain("64 hexadecimal digits")
  })

  it("a run that is not there", async () => {
    const { code, stderr } = await palimpsest(["audit", "no-such-run", "--db", governed("openai-chat.json").db])
    expect([code, stderr]).toEqual([2, "palimpsest: no-such-run: no run has this name\n"])
  })
})

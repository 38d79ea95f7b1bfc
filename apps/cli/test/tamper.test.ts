/** Changes by SQL, past every store of ours: an audit finds each, and names the event or the body (law 3). */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import * as Audit from "@palimpsest/governor/Audit"
import * as Runs from "@palimpsest/governor/Runs"
import { LogId } from "@palimpsest/ledger/Ids"
import { fromError } from "../src/Failure.ts"
import { findingLines } from "../src/Printed.ts"
import { fileOfExample } from "./support/examples.ts"
import { copyOf, fileOf, newDatabase } from "./support/folder.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"
import { hash, inStore } from "./support/store.ts"
import { withTables, type Tables } from "./support/tables.ts"
import { KINDS, tamper, TABLES, type Table, type Tampered } from "./support/tamper.ts"

const db = newDatabase()
let runs: ReadonlyArray<string> = []

beforeAll(async () => {
  // Read while it was written: a run of two appends, and a source that was noted twice.
  const file = fileOfExample("anthropic-messages.json")
  const half = fileOf(readFileSync(file).subarray(0, 9_000))
  for (const preset of ["balanced", "io-harness"]) {
    await json<Report>(["govern", half, "--db", db, "--preset", preset])
    const report = await json<Report>(["govern", file, "--db", db, "--preset", preset])
    runs = [...runs, ...report.runs.map(({ run }) => run)]
  }
})

/** What `audit RUN` says of each run: its exit code, and its words. */
const auditAll = (file: string): Promise<ReadonlyArray<{ readonly code: number; readonly said: string }>> =>
  inStore(
    file,
    Effect.forEach(runs, (run) =>
      Effect.flatMap(Runs.find(hash, LogId.make(run)), (found) => Audit.audit(hash, found, undefined)).pipe(
        Effect.match({
          onFailure: (error) => ({ code: fromError(error).code as number, said: error.message }),
          onSuccess: (audited) => ({
            code: audited.findings.length === 0 ? 0 : 1,
            said: findingLines(run, audited).join("\n")
          })
        })
      )
    )
  )

const TABLE_NAMES = Object.keys(TABLES) as ReadonlyArray<Table>

/** Whether an event or body that was tampered with is named. */
const isNamed = ({ named }: Tampered, said: string): boolean => {
  const events = [...said.matchAll(/([\w.~-]+)@(-?\d+):|event (-?\d+) of ([\w.~-]+):/g)].map(
    ([, before, at, of, log]) => ({ log: before ?? log, seq: Number(at ?? of) })
  )
  return named.some((one) =>
    "digest" in one
      ? said.includes(`body ${one.digest} is`)
      : events.some(({ log, seq }) => log === one.log && (one.from === 0 || (seq >= one.from && seq <= one.to)))
  )
}

describe("200 random tampers, each found, and its event or body named", () => {
  it("the database that is tampered with is whole", async () => {
    expect(await auditAll(copyOf(db))).toEqual(runs.map(() => ({ code: 0, said: "" })))
  })

  const cases = Array.from({ length: 200 / 16 + 1 }, (_, round) =>
    TABLE_NAMES.flatMap((table) => KINDS.map((kind) => [table, kind, round] as const))
  ).flat()
  it.each(cases.slice(0, 200))("%s: %s (%i)", async (table, kind, round) => {
    const copy = copyOf(db)
    const done = tamper(copy, table, kind, 1_000 * round + table.length * 10 + kind.length)
    const answers = await auditAll(copy)
    const said = answers.map((answer) => answer.said).join("\n")
    const codes = answers.map(({ code }) => code)
    expect([done.what, Math.max(...codes)]).toEqual([done.what, 1])
    expect([done.what, said, isNamed(done, said)]).toEqual([done.what, said, true])
  })
})

describe("by the program", () => {
  const auditOf = async (file: string, ...options: ReadonlyArray<string>) => {
    const outcomes = await Promise.all(runs.map((run) => palimpsest(["audit", run, "--db", file, ...options])))
    const bad = outcomes.filter(({ code }) => code !== 0)
    return { codes: bad.map(({ code }) => code), said: bad.map(({ stderr }) => stderr).join("") }
  }

  it.each(TABLE_NAMES)("%s: exit 1, and the words name it", async (table) => {
    const copy = copyOf(db)
    const done = tamper(copy, table, "update", 7)
    const { codes, said } = await auditOf(copy)
    expect(codes).toContain(1)
    expect([done.what, said, isNamed(done, said)]).toEqual([done.what, said, true])
  })

  it("one flipped bit in a body: the body, and the events that hold it", async () => {
    const copy = copyOf(db)
    const { bytes, digest } = withTables(copy, (tables) =>
      tables.prepare("SELECT digest, bytes FROM bodies ORDER BY length(bytes) DESC LIMIT 1").all()
    )[0]!
    const flipped = Uint8Array.from(bytes as Uint8Array)
    flipped[flipped.length >> 1]! ^= 1
    withTables(copy, (tables) => tables.prepare("UPDATE bodies SET bytes = ? WHERE digest = ?").run(flipped, digest!))
    const { codes, said } = await auditOf(copy)
    expect(codes).toEqual(runs.map(() => 1))
    expect(said).toMatch(new RegExp(`@\\d+: body ${String(digest)} is changed`))
  })

  it("a list of migrations that is not ours: the database is not opened, exit 2", async () => {
    const copy = copyOf(db)
    withTables(copy, (tables) => tables.exec("UPDATE palimpsest_migrations SET name = 'other'"))
    const { codes, said } = await auditOf(copy)
    expect(codes).toEqual(runs.map(() => 2))
    expect(said).toContain(`${copy}: the database's list of migrations is damaged`)
  })

  it("a tail that was cut with every record of it: found only by a head that is known elsewhere", async () => {
    const copy = copyOf(db)
    const run = runs[0]!
    const head = withTables(copy, (tables) => cutTail(tables, run))
    expect(await palimpsest(["audit", run, "--db", copy])).toMatchObject({ code: 0 })
    const { code, stderr } = await palimpsest(["audit", run, "--db", copy, "--head", head])
    expect(code).toBe(1)
    expect(stderr).toContain(`no event has the known head ${head}`)
  })
})

/** Removes the last append of a run, and makes all records agree that it never was. Gives the head that was. */
const cutTail = (tables: Tables, run: string): string => {
  const [last] = tables.prepare("SELECT * FROM appends WHERE log = ? ORDER BY first DESC LIMIT 1").all(run)
  const keep = Number(last!["first"]) - 1
  tables.prepare("DELETE FROM events WHERE log = ? AND seq > ?").run(run, keep)
  tables.prepare("DELETE FROM appends WHERE log = ? AND first > ?").run(run, keep)
  const [head] = tables.prepare("SELECT digest FROM events WHERE log = ? AND seq = ?").all(run, keep)
  tables.prepare("UPDATE logs SET seq = ?, head = ? WHERE log = ?").run(keep, head!["digest"]!, run)
  return String(last!["head"])
}

/** Changes by SQL, past every store of ours: an audit finds each, and names the event or the body (law 3). */
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import * as Audit from "@palimpsest/governor/Audit"
import * as Runs from "@palimpsest/governor/Runs"
import { LogId } from "@palimpsest/ledger/Ids"
import { fromError } from "../src/Failure.ts"
import { findingLines } from "../src/Printed.ts"
import { fileOfExample } from "./support/examples.ts"
import { copyOf, newDatabase } from "./support/folder.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"
import { hash, inStore } from "./support/store.ts"
import { KINDS, tamper, TABLES, type Table, type Tampered } from "./support/tamper.ts"

const db = newDatabase()
let runs: ReadonlyArray<string> = []

beforeAll(async () => {
  for (const preset of ["balanced", "io-harness"]) {
    const file = fileOfExample("anthropic-messages.json")
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

const TAMPERS = Array.from({ length: 200 }, (_, seed) => seed)
const TABLE_NAMES = Object.keys(TABLES) as ReadonlyArray<Table>

describe("200 random tampers", () => {
  it.each(TAMPERS)("%i", async (seed) => {
    const copy = copyOf(db)
    const table = TABLE_NAMES[seed % 4]!
    const done = tamper(copy, table, KINDS[Math.floor(seed / 4) % 4]!, seed)
    const answers = await auditAll(copy)
    console.log(JSON.stringify({ seed, ...done, answers: answers.map(({ code, said }) => `${code} ${said.slice(0, 300)}`) }))
  })
})

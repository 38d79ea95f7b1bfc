/**
 * A database that an earlier version wrote, committed: every later version has to read it, find it whole, and render
 * every request of it to the bytes that were sent (law 7). It is never written anew to please a test; a new format gets a
 * database of its own beside it.
 */
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { temporaryFolder } from "./support/folder.ts"
import { palimpsest } from "./support/palimpsest.ts"

interface Known {
  readonly head: string
  readonly requests: number
  readonly events: number
}

const golden = (name: string): URL => new URL(`./golden/${name}`, import.meta.url)
const heads: Readonly<Record<string, Known>> = JSON.parse(readFileSync(golden("heads.json"), "utf8"))

describe("law 7: a database of an earlier version", () => {
  const db = join(temporaryFolder(), "golden.db")
  copyFileSync(golden("golden.db"), db)

  it.each(Object.entries(heads))("%s is whole, and renders as it was sent", async (run, known) => {
    const { code, stdout } = await palimpsest(["audit", run, "--db", db, "--head", known.head, "--json"])
    const audited = JSON.parse(stdout.toString("utf8"))
    assert.deepStrictEqual([code, audited.differ, audited.findings], [0, 0, []])
    assert.deepStrictEqual([audited.head, audited.requests, audited.events], [known.head, known.requests, known.events])
  })
})

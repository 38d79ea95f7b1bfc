/** Databases that cannot be used: refused by name, with exit 2, and left as they were. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { smallSession } from "./support/claude.ts"
import { copyOf, fileOf, newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import { withTables } from "./support/tables.ts"

const file = fileOf(smallSession().text())

/** Both a command that writes and one that only reads are refused, in the same words. */
const refused = async (db: string, words: string) => {
  for (const args of [["govern", file], ["runs"]]) {
    const { code, stderr, stdout } = await palimpsest([...args, "--db", db])
    expect([args[0], code, stdout.length]).toEqual([args[0], 2, 0])
    expect(stderr).toBe(`palimpsest: ${db}: ${words}\n`)
  }
}

const made = async (): Promise<string> => {
  const db = newDatabase()
  await json(["govern", file, "--db", db])
  return db
}

describe("a database that cannot be used", () => {
  it("of a newer version", async () => {
    const db = copyOf(await made())
    withTables(db, (tables) =>
      tables.exec("INSERT INTO palimpsest_migrations (migration_id, name) VALUES (99, 'later')")
    )
    const before = readFileSync(db)
    const newest = await palimpsest(["runs", "--db", db])
    const known = /this program knows (\d+)/.exec(newest.stderr)?.[1]
    await refused(db, `the database is of a newer version (99); this program knows ${known}`)
    expect(readFileSync(db).equals(before)).toBe(true)
  })

  it.each<readonly [string, string | Uint8Array]>([
    ["a text", "This is no database, but it is longer than the header of one. ".repeat(20)],
    ["bytes", Uint8Array.from({ length: 8_192 }, (_, at) => (at * 31) % 251)]
  ])("that is %s", async (_, content) => {
    const db = fileOf(content, "runs.db")
    await refused(db, "it is not a database")
    expect(readFileSync(db).equals(Buffer.from(content))).toBe(true)
  })

  it("of another program", async () => {
    const db = newDatabase()
    withTables(db, (tables) => tables.exec("CREATE TABLE notes (text TEXT)"))
    await refused(db, "the database belongs to another program")
  })

  it("that is a folder", async () => {
    await refused(temporaryFolder(), "it is a directory")
  })

  it("whose folder is a file", async () => {
    const db = join(fileOf("in the way", "data"), "runs.db")
    const { code, stderr } = await palimpsest(["govern", file, "--db", db])
    expect(code).toBe(2)
    expect(stderr).toContain(`palimpsest: ${db}: `)
  })

  it("that nobody made: a command that only reads makes none", async () => {
    const db = join(temporaryFolder(), "none.db")
    for (const args of [
      ["runs"],
      ["audit", "a-run"],
      ["export", "a-run"],
      ["recall", "a-run@1"],
      ["view", "a-run", "--request", "1"]
    ]) {
      const { code, stderr } = await palimpsest([...args, "--db", db])
      expect([code, stderr]).toEqual([2, `palimpsest: ${db}: no such database; \`palimpsest govern FILE\` makes one\n`])
    }
  })

  it("that was cut short: said, and not read past its end", async () => {
    const db = await made()
    const short = join(temporaryFolder(), "short.db")
    writeFileSync(short, readFileSync(db).subarray(0, 20_000))
    const { code, stderr } = await palimpsest(["runs", "--db", short])
    expect(code).toBe(2)
    expect(stderr).toContain(short)
  })
})

describe("where nothing can be written", () => {
  it("a folder that cannot be made", async () => {
    const db = join(fileOf("in the way", "data"), "deep", "runs.db")
    const { code, stderr } = await palimpsest(["govern", file, "--db", db])
    expect(code).toBe(2)
    expect(stderr).toContain(`palimpsest: ${db}: its folder cannot be made`)
  })
})

/** Notes from the command line: what a person lists, writes and deletes of what agents wrote down over a workspace. */
import { mkdirSync, realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { MOST_NOTES } from "@palimpsest/compaction/Notes"
import * as Effect from "effect/Effect"
import * as NoteBook from "@palimpsest/governor/NoteBook"
import { LogId, Step } from "@palimpsest/ledger/Ids"
import { newDatabase, temporaryFolder } from "./support/folder.ts"
import { json, palimpsest, printed } from "./support/palimpsest.ts"
import { hash, inStore } from "./support/store.ts"

interface Listed {
  readonly workspace: string
  readonly notes: ReadonlyArray<{ readonly key: string; readonly value: string; readonly cut: boolean }>
}

const keysOf = ({ notes }: Listed) => notes.map(({ key }) => key)

describe("IO-42 palimpsest notes", () => {
  it("put, list, get, delete and clear, and what was deleted is still read by its place", async () => {
    const [db, folder] = [newDatabase(), temporaryFolder()]
    const on = ["--db", db, "--workspace", folder]
    await printed(["notes", "put", "build", "make\ntest", ...on])
    await printed(["notes", "put", "lint", "make lint", ...on])
    expect(await json(["notes", "list", ...on])).toMatchObject({
      workspace: realpathSync(folder),
      notes: [
        { key: "build", value: "make\ntest", step: 0, seq: 1, cut: false },
        { key: "lint", value: "make lint" }
      ]
    })
    expect(await printed(["notes", "list", ...on])).toMatch(/^ +1 +\S+Z +0 +"build" +"make\\ntest"$/m)
    expect(await printed(["notes", "get", "build", ...on])).toBe("make\ntest")
    expect(await json(["notes", "delete", "build", ...on])).toMatchObject({ deleted: true })
    expect(await json(["notes", "delete", "build", ...on])).toMatchObject({ deleted: false })
    expect(await palimpsest(["notes", "get", "build", ...on])).toMatchObject({
      code: 1,
      stderr: 'palimpsest: no note has the key "build"\n'
    })
    expect(await printed(["notes", "get", "--at", "1", ...on])).toBe("make\ntest")
    expect(await json(["notes", "clear", ...on])).toMatchObject({ deleted: 1 })
    expect(keysOf(await json(["notes", "list", ...on]))).toEqual([])
    expect(await json(["runs", "--db", db])).toEqual({ runs: [] })
  })

  it("a workspace is the folder that one stands in, by its real path, however one came there", async () => {
    const [db, folder] = [newDatabase(), temporaryFolder()]
    mkdirSync(join(folder, "app"))
    symlinkSync(join(folder, "app"), join(folder, "link"))
    await printed(["notes", "put", "k", "v", "--db", db], { cwd: join(folder, "app") })
    expect(keysOf(await json(["notes", "list", "--db", db], { cwd: join(folder, "link") }))).toEqual(["k"])
    expect(keysOf(await json(["notes", "list", "--db", db, "--workspace", join(folder, "link/")]))).toEqual(["k"])
    expect(keysOf(await json(["notes", "list", "--db", db], { cwd: folder }))).toEqual([])
    expect(keysOf(await json(["notes", "list", "--db", db, "--workspace", "no folder, a key"]))).toEqual([])
  })

  it("what an agent wrote is listed with its run; a long value is cut in the list and whole by its key", async () => {
    const [db, long] = [newDatabase(), "日".repeat(3_000)]
    const by = { step: Step.make(4), run: LogId.make("run-1") }
    await inStore(db, NoteBook.put(hash, "ws", { key: "log", value: long, ...by }))
    const listed = await json<Listed>(["notes", "list", "--db", db, "--workspace", "ws"])
    expect(listed.notes).toMatchObject([{ key: "log", run: "run-1", step: 4, cut: true }])
    expect(listed.notes[0]?.value).toBe(`${"日".repeat(1_988)}…[truncated]`)
    expect((await printed(["notes", "get", "log", "--db", db, "--workspace", "ws"])) === long).toBe(true)
  })

  it("a write past the cap names what it evicted", async () => {
    const db = newDatabase()
    const fill = Effect.forEach(
      Array.from({ length: MOST_NOTES }, (_, i) => i),
      (i) => NoteBook.put(hash, "ws", { key: `k${i}`, value: "v", step: Step.make(1) })
    )
    await inStore(db, fill)
    const { code, stderr, stdout } = await palimpsest(["notes", "put", "new", "v", "--db", db, "--workspace", "ws"])
    expect([code, stdout.toString("utf8"), stderr]).toEqual([0, 'noted "new"\n', 'evicted, as the oldest: "k0"\n'])
  })

  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["neither a key nor a place", ["get"], "expected KEY, or --at SEQ"],
    ["a key and a place", ["get", "k", "--at", "1"], "expected KEY, or --at SEQ"],
    ["a place before the first", ["get", "--at", "0"], "--at: expected a number from 1 on"],
    ["an empty key", ["put", "", "v"], "the key of a note"],
    ["a database that is not there", ["list"], "no such database"]
  ])("bad usage exits 2: %s", async (_, args, words) => {
    const db = newDatabase()
    if (args[0] === "get") await printed(["notes", "put", "k", "v", "--db", db])
    const { code, stderr } = await palimpsest(["notes", ...args, "--db", db])
    expect([code, stderr.includes(words)]).toEqual([2, true])
  })
})

/** The commands of a person, through the built program: a session that grows, a command, and what is sent from then on. */
import { describe, expect, it } from "vitest"
import { type Asked, Growing } from "./support/growing.ts"
import { palimpsest } from "./support/palimpsest.ts"

const shows = (asked: Asked | undefined, text: string): boolean =>
  JSON.stringify(asked?.messages ?? []).includes(JSON.stringify(text).slice(1, -1))
const epochOf = (all: ReadonlyArray<Asked>): number => all.at(-1)?.epoch ?? 0
const out = ({ stdout }: { readonly stdout: Buffer }): string => stdout.toString("utf8")

describe("pin, unpin and why", () => {
  it("an entry that is pinned stays in all later requests, and may leave once it is unpinned", async () => {
    const session = new Growing("--line", "6000")
    await session.grow(5)
    const address = await session.result(2)
    expect(out(await session.tell("pin", address))).toMatch(/@\d+: pinned; it stays whole\n$/)
    const pinned = await session.grow(24)
    expect(epochOf(pinned)).toBeGreaterThan(1)
    expect(pinned.slice(5).every((asked) => shows(asked, session.content(2)))).toBe(true)
    expect(shows(pinned.at(-1), session.content(3))).toBe(false)
    expect(out(await session.tell("why", address))).toMatch(/ is whole\n {2}pinned {3}by the command .*@\d+\n$/)
    const gone = out(await session.tell("why", await session.result(3)))
    for (const row of [
      /is not shown whole$/m,
      /^ {2}form {5}collapse$/m,
      /^ {2}class {4}needed: aged$/m,
      /^ {2}decided {2}.*@\d+, before request \d+, which began epoch \d+$/m,
      /^ {2}cause {4}schedule$/m,
      /^ {2}worth {4}frees [\d,]+ tokens of every request, bills [\d,]+ again once, saves -?[\d,]+$/m,
      /^ {2}put {6}\[@\d+-@\d+ left out: \d+ calls.*\] \(for \d+ entries\)$/m,
      /^ {2}recall {3}palimpsest recall .*@\d+$/m
    ]) {
      expect(gone).toMatch(row)
    }
    const recalled = await session.tell("recall", (/recall (\S+@\d+)$/m.exec(gone) ?? [])[1] ?? "")
    expect(out(recalled)).toBe(session.content(3))
    await session.tell("unpin", address)
    expect(shows((await session.grow(14)).at(-1), session.content(2))).toBe(false)
    expect(await session.isWhole()).toBe(true)
  })

  it("one that has left comes back at a price that is told first", async () => {
    const session = new Growing("--line", "6000")
    await session.grow(26)
    const address = await session.result(3)
    const priced = out(await session.tell("pin", address))
    expect(priced).toMatch(
      /is left out now\. \d+ entr(y comes|ies come) back: [\d,]+ tokens more .*\.\nNothing was done/s
    )
    expect(shows((await session.grow(1)).at(-1), session.content(3))).toBe(false)
    expect(await session.told("pin", address, "--yes")).toMatchObject({ given: true })
    expect(shows((await session.grow(1)).at(-1), session.content(3))).toBe(true)
    expect(await session.isWhole()).toBe(true)
  })
})

describe("off, on, hold", () => {
  it("off: the bytes of every request begin with those of the one before; on: it is governed again", async () => {
    const session = new Growing("--line", "6000")
    const before = await session.grow(16)
    await session.tell("off", session.run)
    const off = await session.grow(14)
    off.slice(before.length).forEach((asked, i) => {
      const last = off[before.length + i - 1]?.messages ?? []
      expect(JSON.stringify(asked.messages.slice(0, last.length))).toBe(JSON.stringify(last))
    })
    expect(epochOf(off)).toBe(epochOf(before))
    expect(out(await session.tell("off", session.run))).toContain("it is so already")
    await session.tell("on", session.run)
    expect(epochOf(await session.grow(1))).toBeGreaterThan(epochOf(off))
    expect(await session.isWhole()).toBe(true)
  })

  it("hold: no rewrite until it is released", async () => {
    const session = new Growing("--line", "6000")
    await session.grow(4)
    await session.tell("hold", session.run)
    expect(epochOf(await session.grow(18))).toBe(0)
    await session.tell("hold", session.run, "--release")
    expect(epochOf(await session.grow(1))).toBe(1)
    expect(await session.isWhole()).toBe(true)
  })
})

describe("ask", () => {
  it("a dear rewrite waits under its price until a person allows it", async () => {
    const session = new Growing("--line", "6000")
    await session.grow(4)
    await session.tell("ask", session.run, "--above", "500")
    expect((await session.tell("ask", session.run, "--allow")).code).toBe(1)
    expect(epochOf(await session.grow(12))).toBe(0)
    expect(out(await session.tell("ask", session.run))).toMatch(
      /@\d+: a rewrite that bills more than 500 tokens again waits, and one does: it frees [\d,]+ tokens/
    )
    expect(await session.told("ask", session.run, "--allow")).toMatchObject({ given: true })
    expect(epochOf(await session.grow(1))).toBe(1)
    expect(await session.isWhole()).toBe(true)
  })
})

describe("undo", () => {
  it("lists the epochs, tells the price, and with --yes has it all back byte for byte", async () => {
    const session = new Growing("--line", "6000")
    await session.grow(14)
    expect(out(await session.tell("undo", session.run))).toMatch(/^epoch +request +cause .*\n +1 +\d+ +schedule/)
    expect(out(await session.tell("undo", session.run, "1"))).toMatch(/^epoch 1: \d+ entries come back: .*\nNothing/s)
    expect((await session.tell("undo", session.run, "7")).code).toBe(2)
    expect(await session.told("undo", session.run, "1", "--yes")).toMatchObject({ given: true })
    const undone = (await session.grow(1)).at(-1)
    for (let n = 1; n <= 14; n++) expect(shows(undone, session.content(n))).toBe(true)
    expect(out(await session.tell("why", await session.result(1)))).toMatch(
      /is whole: the decision .*@\d+ brought it back\n {2}kept {5}by the undo .*@\d+; only the ceiling/
    )
    expect(await session.isWhole()).toBe(true)
  })
})

describe("protect", () => {
  it("what the configuration protects stays; a malformed pattern is bad input", async () => {
    const session = new Growing("--line", "6000", "--protect-path", "file-2.txt")
    const all = await session.grow(20)
    expect(epochOf(all)).toBeGreaterThan(0)
    expect([shows(all.at(-1), session.content(2)), shows(all.at(-1), session.content(3))]).toEqual([true, false])
    expect(out(await session.tell("why", await session.result(2)))).toContain("by the configuration of the run")
    const { code, stderr } = await palimpsest(["govern", session.file, "--db", session.db, "--protect-path", "a[b]"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("--protect: ")])
  })
})

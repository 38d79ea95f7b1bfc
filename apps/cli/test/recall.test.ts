/** `recall`: every byte that a tool ever gave, by its address, whole or in part. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { beforeAll, describe, expect, it } from "vitest"
import * as Entries from "@palimpsest/governor/Entries"
import * as Recall from "@palimpsest/governor/Recall"
import * as Runs from "@palimpsest/governor/Runs"
import * as Address from "@palimpsest/ledger/Address"
import { LogId } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import { permissive } from "@palimpsest/policy/Policy"
import { toolResults } from "../../../tools/independent/toolResults.mjs"
import { Conversation, smallSession } from "./support/claude.ts"
import { NAMES, PRESETS, type Preset } from "./support/examples.ts"
import { fileOf, newDatabase } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"
import { hash, inStore } from "./support/store.ts"

type Block = { readonly text: string } | { readonly base64: string }

const policy = Either.getOrThrow(compile(permissive))

/** The addresses of the results of some runs, by call, in the order of the log. */
const addressesOf = (runs: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(runs, (run) =>
      Effect.flatMap(Runs.find(hash, LogId.make(run)), (found) => Entries.list(hash, found))
    ),
    (lists) => {
      const addresses = new Map<string, Array<Entries.EntryRow>>()
      for (const row of lists.flat()) {
        if (row.part !== "Result") continue
        addresses.set(row.call ?? "", [...(addresses.get(row.call ?? "") ?? []), row])
      }
      return addresses
    }
  )

const isTorn = (text: string): boolean => /\p{Surrogate}/u.test(text)

const recallOne = (address: string) =>
  Effect.map(Recall.recall(hash, policy, Option.getOrThrow(Address.parse(address))), ({ bytes }) => Buffer.from(bytes))

/** Ill-formed text comes back as JSON; a picture as its bytes; a block that is no text as its own JSON. */
const isSame = (block: Block, bytes: Buffer): boolean => {
  if ("base64" in block) return bytes.equals(Buffer.from(block.base64, "base64"))
  if (!isTorn(block.text)) {
    return bytes.equals(Buffer.from(block.text)) || JSON.stringify(JSON.parse(bytes.toString("utf8"))) === block.text
  }
  return JSON.parse(bytes.toString("utf8")) === block.text
}

describe.each(NAMES.flatMap((name) => PRESETS.map((preset) => [name, preset] as const)))(
  "%s under %s",
  (name, preset) => {
    it("every tool result comes back, block by block, and no other is there", async () => {
      const { db, file, report } = governed(name)
      const results: ReadonlyArray<{ readonly call: string; readonly blocks: ReadonlyArray<Block> }> = toolResults(file)
      expect(results.length).toBeGreaterThan(4)
      const wrong = await inStore(
        db,
        Effect.gen(function* () {
          const found = yield* addressesOf(report(preset).runs.map(({ run }) => run))
          expect([...found.values()].flat()).toHaveLength(results.length)
          return yield* Effect.forEach(results, ({ blocks, call }) =>
            Effect.gen(function* () {
              const row = found.get(call)?.shift()
              if (row === undefined || row.blocks !== blocks.length)
                return [`${call}: ${row?.address} has other blocks`]
              const some = yield* Effect.forEach(blocks, (block, at) =>
                Effect.map(recallOne(`${row.address}.${at + 1}`), (bytes) =>
                  isSame(block, bytes) ? [] : [`${row.address}.${at + 1}`]
                )
              )
              return some.flat()
            })
          )
        })
      )
      expect(wrong.flat()).toEqual([])
    })
  }
)

describe("by the program", () => {
  const { db, file, report } = governed("claude-code.jsonl")
  const asked: Array<{ readonly address: string; readonly block: Block }> = []

  beforeAll(async () => {
    const runs = (preset: Preset) => report(preset).runs.map(({ run }) => run)
    const found = await inStore(db, addressesOf(runs("balanced")))
    const results: ReadonlyArray<{ readonly call: string; readonly blocks: ReadonlyArray<Block> }> = toolResults(file)
    for (const { blocks, call } of results) {
      const address = found.get(call)?.shift()?.address ?? ""
      blocks.forEach((block, at) =>
        asked.push({ address: blocks.length > 1 ? `${address}.${at + 1}` : address, block })
      )
    }
  })

  const recalled = (address: string, ...options: ReadonlyArray<string>) =>
    palimpsest(["recall", address, "--db", db, ...options])

  it("a text, a picture, and the largest of all", async () => {
    const sizeOf = (block: Block) => ("text" in block ? block.text.length : 0)
    const largest = asked.reduce((most, one) => (sizeOf(one.block) > sizeOf(most.block) ? one : most))
    const picture = asked.find(({ block }) => "base64" in block)
    const error = asked.find(({ block }) => "text" in block && block.text.includes("FAIL"))
    for (const one of [largest, picture, error]) {
      const { code, stderr, stdout } = await recalled(one!.address)
      expect([one!.address, code, stderr, isSame(one!.block, stdout)]).toEqual([one!.address, 0, "", true])
    }
  })

  it("a text that is not well-formed comes as a JSON string, and the program says so", async () => {
    const torn = asked.find(({ block }) => "text" in block && isTorn(block.text))!
    const { code, stderr, stdout } = await recalled(torn.address)
    expect([code, stderr]).toEqual([0, "this text is not well-formed Unicode; it is given as a JSON string\n"])
    expect(isSame(torn.block, stdout)).toBe(true)
  })
})

describe("parts of an entry", () => {
  const db = newDatabase()
  const blocks = [
    { type: "text", text: "first\nblock\n" },
    { type: "text", text: "second 👍\nblock" }
  ]
  let run = ""
  const calls = new Map<string, string>()

  beforeAll(async () => {
    const session = smallSession().call("toolu_c", "Probe", {}).result("toolu_c", blocks).answer("Done.")
    const report = await json<Report>(["govern", fileOf(session.text()), "--db", db])
    run = report.runs[0]!.run
    const { entries } = await json<{ readonly entries: ReadonlyArray<Entries.EntryRow> }>(["entries", run, "--db", db])
    for (const { address, call, part } of entries) if (part === "Result") calls.set(call ?? "", address)
  })

  const part = async (call: string, suffix: string, ...options: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await palimpsest(["recall", `${calls.get(call)}${suffix}`, "--db", db, ...options])
    return code === 0 ? stdout.toString("utf8") : `${code}: ${stderr}`
  }

  it.each<readonly [string, string, ReadonlyArray<string>, string]>([
    ["the whole", "", [], "alpha\nbeta\ngamma\n"],
    ["lines of it", "", ["--lines", "2-3"], "beta\ngamma\n"],
    ["lines past its end", "", ["--lines", "3-90"], "gamma\n"],
    ["lines by the address", ":1-2", [], "alpha\nbeta\n"],
    ["bytes of it", "", ["--bytes", "6-10"], "beta"],
    ["bytes past its end", "", ["--bytes", "11-900"], "gamma\n"],
    ["bytes of lines", ":2-3", ["--bytes", "0-4"], "beta"]
  ])("%s", async (_, suffix, options, expected) => {
    expect(await part("toolu_a", suffix, ...options)).toBe(expected)
  })

  it("lines keep their ends as they were", async () => {
    expect(await part("toolu_b", ":1-2")).toBe("one\r\ntwo 👍\r\n")
  })

  it("one block, and all of them one behind the other", async () => {
    expect(await part("toolu_c", ".1")).toBe("first\nblock\n")
    expect(await part("toolu_c", ".2")).toBe("second 👍\nblock")
    expect(await part("toolu_c", ".2:1-1")).toBe("second 👍\n")
    expect(await part("toolu_c", "")).toBe("first\nblock\nsecond 👍\nblock")
  })

  it.each<readonly [string, string, ReadonlyArray<string>, RegExp]>([
    ["a block that is not there", ".3", [], /^2: .*the entry has 1 block/],
    ["lines the wrong way round", "", ["--lines", "3-2"], /^2: .*--lines: expected A-B/],
    ["line 0", "", ["--lines", "0-2"], /^2: .*1 <= A <= B/],
    ["bytes that are words", "", ["--bytes", "all"], /^2: .*--bytes: expected A-B/],
    ["lines and bytes at once", "", ["--lines", "1-2", "--bytes", "1-2"], /^2: .*one at a time/],
    ["a range of nothing", ":4-3", [], /^2: .*not an address; expected RUN@SEQ/]
  ])("%s", async (_, suffix, options, expected) => {
    expect(await part("toolu_a", suffix, ...options)).toMatch(expected)
  })

  it.each<readonly [string, (run: string) => string, string]>([
    ["an unknown run", () => "no-such-run@2", "no-such-run: no run has this name"],
    ["an unknown event", (run) => `${run}@4000`, "has no event 4000"],
    ["an event that is no entry", (run) => `${run}@1`, "event 1 is Began, not an entry"],
    ["a word that is no address", () => "somewhere", "somewhere: not an address; expected RUN@SEQ[.BLOCK][:A-B]"]
  ])("%s", async (_, addressOf, expected) => {
    const { code, stderr } = await palimpsest(["recall", addressOf(run), "--db", db])
    expect(code).toBe(2)
    expect(stderr).toContain(expected)
  })

  it("what the user said and what the model said are entries too", async () => {
    const text = new Conversation().user("Only this.").answer("And that.").text()
    const { runs } = await json<Report>(["govern", fileOf(text), "--db", newDatabase()])
    expect(runs).toHaveLength(1)
    expect((await palimpsest(["recall", `${run}@2`, "--db", db])).stdout.toString("utf8")).toBe(
      "What do these two files say?"
    )
  })
})

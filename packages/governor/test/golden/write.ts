/**
 * Writes the golden logs, once: `vite-node test/golden/write.ts` in this package. Every later version must render their
 * requests as they were sent; when it does not, it is that version that is wrong, and not these files.
 */
import { existsSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestContext from "effect/TestContext"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../../src/Audit.ts"
import type { Config } from "../../src/Config.ts"
import * as Draft from "../../src/Draft.ts"
import * as Governor from "../../src/Governor.ts"
import * as Log from "../../src/Log.ts"
import * as Runs from "../../src/Runs.ts"
import * as Workspace from "../../src/Workspace.ts"
import { imported, memory } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"
import { balanced, section } from "../support/Presets.ts"
import { abridged, claude, example, joined } from "../support/Sessions.ts"
import { dump } from "../support/Store.ts"
import { read, user, write } from "../support/Turns.ts"
import { pathOf, text } from "./Golden.ts"

/** A few lines of the helper, of the compaction and of what is around them, and one row. */
const sessions = Effect.gen(function* () {
  const lines = abridged().filter((line) => line.length < 1_700)
  const near = (words: string, before: number, after: number) => {
    const at = lines.findIndex((line) => line.includes(words))
    return lines.slice(at - before, at + after)
  }
  const part = claude(
    joined([...lines.slice(1, 6), ...near('"isSidechain":true', 2, 4), ...near("compact_boundary", 2, 7)])
  )
  const rows = example("openai-chat-rows.jsonl")
  const row = { ...rows, bytes: rows.bytes.subarray(0, rows.bytes.indexOf(10) + 1) }
  yield* imported(part, balanced("anthropic", 500))
  yield* imported(part, section("anthropic", 400))
  yield* imported(example("anthropic-messages.json"), balanced("anthropic", 900, 4_000))
  yield* imported(example("anthropic-messages.json"), section("anthropic", 700))
  yield* imported(row, balanced("openai-chat", 1_200))
  yield* imported(row, section("openai-chat", 1_000))
})

/** Reads, writes, a file that may not be read again, one that is gone, a call without result, a turn that does not fit. */
const live = (name: string, config: Config) =>
  Effect.gen(function* () {
    const policy = yield* compile(Policy.deny(Policy.layer(Policy.builtin, "house"), "read", "private/*"))
    const files = yield* Workspace.MemoryFiles
    const run = yield* Governor.begin({ tree: TreeId.make("golden"), log: LogId.make(name), config, policy, hash })
    yield* Governor.observe(run, [user("Mend the files. 修理 🛠️")])
    for (const file of ["a.ts", "private/b.ts", "gone.ts", "c.ts"]) {
      yield* Governor.observe(run, read(`r-${file}`, file, `${file} as it was, é 😀\n`.repeat(12)))
      yield* Governor.prepare(run)
    }
    yield* Governor.check(run, "exec", "make")
    for (const file of ["a.ts", "private/b.ts", "gone.ts"]) {
      yield* Governor.observe(run, [
        ...write(`w-${file}`, file),
        Draft.said("assistant", `s-${file}`, `${file} is done.`)
      ])
      yield* Governor.observe(run, [user("Go on.", `u-${file}`)])
      yield* Governor.prepare(run)
      yield* files.set(file === "gone.ts" ? "c.ts" : file, `${file} anew\n`.repeat(8))
    }
    yield* Governor.observe(run, [Draft.called("open", "open", "Bash", { command: "sleep" }), user("Now?", "u-late")])
    yield* Governor.prepare(run)
    yield* Governor.observe(run, read("r-big", "big.ts", "a long line of a large file\n".repeat(400)))
    yield* Governor.prepare(run)
    yield* Governor.observe(run, [user("word ".repeat(1_400), "u-big")])
    yield* Governor.prepare(run)
  })

const both = Effect.gen(function* () {
  yield* live("live-balanced", balanced("anthropic", 700, 1_600))
  yield* live("live-section", section("anthropic", 700))
}).pipe(Effect.provide(Workspace.memory({ "a.ts": "a.ts of now\n", "private/b.ts": "secret\n", "c.ts": "c\n" })))

/** Nothing in these files may depend on when they were written: the clock stands still. */
const written = <E, R>(name: string, fill: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    yield* fill
    const requests: Record<string, number> = {}
    for (const { log } of yield* Log.allOf()) {
      if (Log.isSourceLog(log)) continue
      const audit = yield* Audit.audit(hash, yield* Runs.find(hash, log), undefined)
      if (audit.findings.length > 0) return yield* Effect.dieMessage(`${log} is not whole`)
      requests[log] = audit.requests
    }
    if (existsSync(pathOf(name))) return yield* Effect.dieMessage(`${name} is there already, and stays as it is`)
    writeFileSync(pathOf(name), text(yield* dump, requests))
  }).pipe(Effect.provide(Layer.fresh(memory)), Effect.provide(TestContext.TestContext))

await Effect.runPromise(Effect.zipRight(written("sessions.jsonl", sessions), written("live.jsonl", both)))

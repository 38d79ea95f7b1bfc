/**
 * A steady turn of the preset `balanced` in a long run: a call and its result enter, and the next request is planned,
 * decided, rendered and digested, at 1k and 10k messages. Printed as one JSON line: the median and the 99th percentile of
 * the last turns (ms), those of turns that rewrote, how many messages stood in the view, and the heap per entry.
 */
import { performance } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import { ownText, type Stored } from "@palimpsest/ledger/Body"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { LogId, Step, TreeId } from "@palimpsest/ledger/Ids"
import { prepare } from "@palimpsest/governor/Prepare"
import * as Session from "@palimpsest/governor/Session"
import * as Texts from "@palimpsest/governor/Texts"
import { hash } from "@palimpsest/store-sql/NodeHasher"

const MEASURED = 500
const FILES = 40

const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

const at = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const run = (messages: number) => {
  const stored = new Map<string, Stored>()
  const keep = (text: string) => {
    const { body, stored: one } = ownText(hash, text)
    stored.set(one.digest, one)
    return body
  }
  const reader = Texts.make(hash, (digest) => Effect.succeed(stored.get(digest)!.bytes))
  const before = heap()
  let session = Session.make("tree" as TreeId, "run" as LogId, {
    preset: "balanced",
    shape: "anthropic",
    line: 50_000,
    lowWater: 25_000,
    schedule: "investment",
    model: "claude-sonnet-4-5"
  })
  const enter = (entry: Omit<Entered, "_tag" | "step" | "origin">): void => {
    const step = session.requests as Step
    session = Session.record(session, { _tag: "Entered", step, ...entry, origin: { _tag: "Made" } })
  }
  enter({ message: "u", role: "user", part: { _tag: "Text", body: keep("Make the tests pass.") } })
  const steady: Array<number> = []
  const rewriting: Array<number> = []
  let peak = 0
  const turns = messages / 2
  for (let turn = 1; turn <= turns; turn++) {
    const file = `src/file${(turn * 7919) % FILES}.ts`
    const write = turn % 5 === 0
    const lines = `export const value${turn} = compute(${turn % 97})\n`.repeat(10 + ((turn * 31) % 60))
    const start = performance.now()
    const { facts, session: next } = Effect.runSync(prepare(session, reader))
    session = next
    const ms = performance.now() - start
    if (turn > turns - MEASURED) {
      const epoch = facts.some((fact) => fact._tag === "Decided" && fact.epoch !== undefined)
      ;(epoch ? rewriting : steady).push(ms)
      if (session.view._tag === "Transcript") peak = Math.max(peak, session.view.transcript.messages.length)
    }
    const call = `call-${turn}`
    const args = JSON.stringify(write ? { file_path: file, content: lines } : { file_path: file })
    const name = write ? "Write" : "Read"
    enter({ message: `a${turn}`, role: "assistant", part: { _tag: "Call", call, name, args: keep(args) } })
    const body = keep(write ? `The file ${file} has been updated.` : lines)
    enter({
      message: `r${turn}`,
      role: "user",
      part: { _tag: "Result", call, status: "ok", blocks: [body] },
      observation: {
        kind: write ? "write" : "read",
        target: file,
        subject: `file:${file}`,
        covers: { _tag: "All" },
        classifier: "1"
      }
    })
    // Bodies are the store's: what has left the reader's caches is not counted here.
    if (stored.size > 2_000) stored.delete(stored.keys().next().value as string)
  }
  stored.clear()
  const heapPerEntry = Math.round((heap() - before) / (turns * 2))
  return {
    messages,
    steadyMs: at(steady, 0.5),
    steadyP99Ms: at(steady, 0.99),
    rewriteMs: at(rewriting, 0.5),
    rewriteMaxMs: at(rewriting, 1),
    rewrites: rewriting.length,
    shown: peak,
    heapPerEntry,
    events: session.seq
  }
}

run(400)
process.stdout.write(`${JSON.stringify([run(1_000), run(10_000)])}\n`)

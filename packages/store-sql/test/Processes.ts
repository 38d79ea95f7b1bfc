import { EMPTY, open, type Event, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type Appended } from "@palimpsest/ledger/EventStore"
import type { LogId } from "@palimpsest/ledger/Ids"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { build } from "esbuild"
import { spawn } from "node:child_process"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { hash } from "../src/NodeHasher.ts"
import { ACCOUNT, idsOf, RUN } from "./race.ts"

/** Bundles the worker to a file that any Node runs: sources are TypeScript, and processes of a race are plain ones. */
export const bundleWorker = async (directory: string): Promise<string> => {
  const here = fileURLToPath(import.meta.url)
  const outfile = path.join(directory, "worker.cjs")
  await build({
    entryPoints: [path.join(path.dirname(here), "worker.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    conditions: ["@palimpsest/source"],
    external: ["better-sqlite3", "pg-native"],
    // The native module is found from here, not from the directory of the bundle.
    banner: { js: `require = require("node:module").createRequire(${JSON.stringify(here)})` },
    logLevel: "error"
  })
  return outfile
}

export interface Ended {
  readonly acknowledged: ReadonlyArray<{ readonly name: string; readonly i: number; readonly answer: Appended }>
  readonly said: string
  readonly code: number | null
}

/** Runs a worker to its end, or kills it with SIGKILL so many milliseconds after its first answer. */
export const run = (worker: string, args: ReadonlyArray<string>, killAfter?: number): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [worker, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let [out, said] = ["", ""]
    let timer: NodeJS.Timeout | undefined
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString()
      if (killAfter !== undefined) timer ??= setTimeout(() => child.kill("SIGKILL"), killAfter)
    })
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
    child.on("error", reject)
    child.on("close", (code) => {
      clearTimeout(timer)
      const lines = out.split("\n").slice(0, -1)
      resolve({ acknowledged: lines.map((line) => JSON.parse(line)), said, code })
    })
  })

/** What has been read of a log so far. */
export interface Verified {
  readonly events: ReadonlyArray<Event>
  readonly head: Head
}

export const NOTHING: Verified = { events: [], head: EMPTY }

/** The events behind those that were verified before, verified; nothing may be said against the log. */
export const readOn = (log: LogId, before: Verified): Effect.Effect<Verified, unknown, EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const events = [...before.events]
    let { head } = before
    for (const sealed of yield* store.read(log, head.seq, 1_000_000)) {
      const event: Event = yield* Either.match(open(hash, log, head, sealed), {
        onLeft: (broken) => Effect.fail(broken),
        onRight: (opened) => Effect.succeed(opened)
      })
      events.push(event)
      head = { seq: sealed.seq, digest: sealed.digest }
    }
    expect(yield* store.inspect(log)).toEqual([])
    return { events, head }
  })

/** All events of a log, verified; nothing may be said against it. */
export const wholeLog = (log: LogId): Effect.Effect<ReadonlyArray<Event>, unknown, EventStore> =>
  Effect.map(readOn(log, NOTHING), ({ events }) => events)

/** Every acknowledged batch stands whole where its answer says, and nothing is there twice or in part. */
export const judge = ({ acknowledged }: Pick<Ended, "acknowledged">, events: ReadonlyArray<Event>): void => {
  for (const { answer, i, name } of acknowledged) {
    const write = answer.writes.find(({ log }) => log === RUN)!
    expect(events.slice(write.first - 1, write.head.seq).map(({ id }) => id)).toEqual(idsOf(name, i))
  }
}

export const judgeAll = (events: ReadonlyArray<Event>, account: ReadonlyArray<Event>): void => {
  const ids = events.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  // What the account says was written is what the run holds: neither log without the other.
  const wanted = account.flatMap(({ id }) => {
    const [name = "", i] = id.split("/")
    return idsOf(name, Number(i))
  })
  expect(ids).toEqual(wanted)
}

export { ACCOUNT, RUN }

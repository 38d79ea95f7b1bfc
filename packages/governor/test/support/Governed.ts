/** A session governed in memory: imported, and its requests as the report writes them, read back with JSON.parse. */
import * as Effect from "effect/Effect"
import type { LogId } from "@palimpsest/ledger/Ids"
import * as Memory from "@palimpsest/ledger/Memory"
import { standard } from "@palimpsest/budget/Price"
import type { Config } from "../../src/Config.ts"
import * as Import from "../../src/Import.ts"
import * as Log from "../../src/Log.ts"
import * as Report from "../../src/Report.ts"
import * as Runs from "../../src/Runs.ts"
import { hash } from "./Hash.ts"
import { listOf, objectOf, type Json } from "./Json.ts"

export const memory = Memory.layer(hash)

/** A line of requests: sent with messages, or refused. */
export interface Line {
  readonly run: string
  readonly request: number
  readonly epoch: number
  readonly estimate: number
  readonly messages: ReadonlyArray<Json>
  readonly refused: { readonly need: number; readonly have: number } | undefined
}

export const imported = (source: Import.Source, config: Config) => Import.run(hash, source, config)

export const runsOf = ({ base, tree }: Pick<Import.Imported, "base" | "tree">) =>
  Effect.flatMap(
    Log.runsOf(tree, base),
    Effect.forEach(({ log }) => Runs.find(hash, log))
  )

export const reported = (run: Runs.Run, fixed = 0) =>
  Effect.gen(function* () {
    const lines: Array<Line> = []
    const report = yield* Report.report(hash, run, {
      fixed,
      prices: standard,
      line: (text) => Effect.sync(() => void lines.push(lineOf(objectOf(JSON.parse(text)))))
    })
    return { lines, report }
  })

/** All runs of a source under a configuration, with their requests. */
export const govern = (source: Import.Source, config: Config, fixed = 0) =>
  Effect.gen(function* () {
    const { base, tree } = yield* imported(source, config)
    const runs = yield* runsOf({ base, tree })
    return yield* Effect.forEach(runs, (run) => reported(run, fixed))
  })

/** The events of a run as JSON, in order. */
export const eventsOf = (log: LogId) =>
  Effect.suspend(() => {
    const all: Array<Log.Read> = []
    return Effect.as(
      Log.fold(hash, log, undefined, (_, read) => Effect.sync(() => void all.push(read))),
      all
    )
  })

const lineOf = (line: Json): Line => ({
  run: String(line["run"]),
  request: Number(line["request"]),
  epoch: Number(line["epoch"] ?? 0),
  estimate: Number(line["estimatedTokens"] ?? 0),
  messages: listOf(line["messages"]).map(objectOf),
  refused: line["refused"] === undefined ? undefined : { need: Number(line["need"]), have: Number(line["have"]) }
})

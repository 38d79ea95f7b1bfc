/** `compare FILE…`: presets and raw side by side over recorded sessions, in memory; no database is opened. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Compare from "@palimpsest/governor/compare/Compare"
import type { Figures } from "@palimpsest/governor/compare/Figures"
import * as Restore from "@palimpsest/governor/compare/Restore"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import { FORMATS } from "@palimpsest/transcript/Format"
import { modelOf } from "@palimpsest/transcript/Model"
import { shapeOf } from "@palimpsest/transcript/Shape"
import * as AgentFiles from "../AgentFiles.ts"
import { fromError, unusable, type Failure } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"
import { configOf, PRESETS, type Asked } from "../Presets.ts"
import * as SourceFormat from "../SourceFormat.ts"

export const command = Command.make(
  "compare",
  {
    files: Args.text({ name: "FILE" }).pipe(Args.withDescription("recorded sessions"), Args.atLeast(1)),
    json: Output.json,
    format: Options.choice("format", ["auto", ...FORMATS]).pipe(Options.withDefault("auto" as const)),
    recall: Options.text("recall").pipe(
      Options.withDescription("what a miss brings back: whole, or slice:N (so many characters around what is missed)"),
      Options.withDefault("whole")
    ),
    fixed: Options.integer("fixed").pipe(
      Options.withDescription("tokens of system prompt and tools in every request"),
      Options.withDefault(3_000)
    ),
    fast: Options.boolean("fast").pipe(
      Options.withDescription("leave out the ratio as sent, which takes most of the time")
    ),
    prices: Options.text("prices").pipe(
      Options.withDescription('a JSON file: {"uncached":1,"cacheRead":0.1,"cacheWrite":1.25}'),
      Options.optional
    )
  },
  ({ fast, files, fixed, format, json, prices, recall }) =>
    Effect.gen(function* () {
      if (fixed < 0) return yield* unusable("--fixed: expected a number of tokens, 0 or more")
      const options = { fixed, prices: yield* Inputs.prices(prices), recall: yield* recallOf(recall), asSent: !fast }
      const [first, ...rest] = yield* Effect.forEach(files, (file) =>
        Effect.gen(function* () {
          const bytes = yield* Inputs.bytes(file)
          const found = yield* SourceFormat.of(file, bytes, format)
          const agents = yield* AgentFiles.beside(file, found)
          const named = yield* presetsOf({ model: modelOf(found, bytes) }, shapeOf(found))
          return yield* Compare.compare(hash, file, { format: found, bytes, agents }, named, options)
        })
      )
      if (first === undefined) return
      if (rest.length === 0) {
        const table = Compare.tableOf(first)
        yield* Output.line(json ? JSON.stringify(table) : `${first.session}\n${shown(table)}\n${ACCOUNTING}`)
        return
      }
      const tables = Compare.tablesOf([first, ...rest])
      yield* Output.line(json ? JSON.stringify(tables) : `${shownAll(tables)}\n${ACCOUNTING}`)
    }).pipe(Effect.catchAll((error) => Effect.fail(fromError(error))))
).pipe(Command.withDescription("price the presets and raw side by side over recorded sessions, with what each loses"))

/** The presets that are compared, each with its defaults; raw stands beside them. */
export const presetsOf = (
  asked: Omit<Asked, "preset">,
  shape: ReturnType<typeof shapeOf>
): Effect.Effect<ReadonlyArray<Compare.Named>, Failure> =>
  Effect.forEach(
    PRESETS.filter((preset) => preset !== "raw"),
    (preset) => Effect.map(configOf({ ...asked, preset }, shape), (config) => ({ name: preset, config }))
  )

const recallOf = (text: string): Effect.Effect<Restore.Recall, Failure> => {
  if (text === "whole") return Effect.succeed(Restore.whole)
  const chars = Number(/^slice:([1-9][0-9]{0,8})$/.exec(text)?.[1])
  return Number.isNaN(chars)
    ? Effect.fail(unusable(`--recall: expected whole or slice:N, found ${text}`))
    : Effect.succeed({ _tag: "Slice", chars })
}

const shown = ({ lowerBound, presets, raw }: Compare.Table): string =>
  [
    Output.table(HEADING, [...presets, raw].map(row)),
    `raw: ${Output.count(raw.requests)} requests, ${Output.count(raw.tokens)} tokens, cost ${Output.count(raw.cost)}; ` +
      `lower bound without loss: ${lowerBound.toFixed(3)} of it`
  ].join("\n")

const shownAll = (tables: Compare.Tables): string =>
  [
    ...tables.sessions.flatMap((one) => [one.session, shown(one), ""]),
    `all ${tables.sessions.length} sessions`,
    shown(tables),
    ...tables.worst.map(
      ({ openRatio, preset, session }) => `worst session of ${preset}: ${openRatio.toFixed(3)} (${session})`
    )
  ].join("\n")

const row = (figures: Figures): ReadonlyArray<string> => [
  figures.preset,
  figures.openRatio.toFixed(3),
  figures.closedRatio.toFixed(3),
  Output.percent(figures.loss),
  Output.percent(figures.cachedShare),
  Output.count(figures.peakTokens),
  Output.count(figures.rewrites),
  Output.count(figures.refused),
  figures.worstTurnRatio.toFixed(2),
  figures.asSentRatio === null ? "" : figures.asSentRatio.toFixed(3)
]

const HEADING = ["preset", "open", "closed", "loss", "cached", "peak", "rewrites", "refused", "worst turn", "as sent"]

const ACCOUNTING =
  "ratios to raw, the client's own compactions undone, text and arguments only; as sent: as `govern` counts"

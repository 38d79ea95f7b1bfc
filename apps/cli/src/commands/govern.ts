/** `govern FILE`: a recorded session is imported, replayed under a preset, priced, and audited. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { closeSync, openSync, writeSync } from "node:fs"
import * as ContextBudget from "@palimpsest/budget/ContextBudget"
import * as Line from "@palimpsest/budget/Line"
import type { Config } from "@palimpsest/governor/Config"
import * as Import from "@palimpsest/governor/Import"
import * as Log from "@palimpsest/governor/Log"
import * as Report from "@palimpsest/governor/Report"
import * as Runs from "@palimpsest/governor/Runs"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import { FORMATS, type Format } from "@palimpsest/transcript/Format"
import { shapeOf } from "@palimpsest/transcript/Shape"
import * as Database from "../Database.ts"
import { failed, fromError, unusable, type Failure } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"
import * as Printed from "../Printed.ts"
import * as SourceFormat from "../SourceFormat.ts"

export const command = Command.make(
  "govern",
  {
    file: Args.text({ name: "FILE" }).pipe(Args.withDescription("a recorded session")),
    db: Database.option,
    json: Output.json,
    format: Options.choice("format", ["auto", ...FORMATS]).pipe(Options.withDefault("auto" as const)),
    preset: Options.choice("preset", ["balanced", "io-harness", "raw"]).pipe(Options.withDefault("balanced" as const)),
    line: Options.integer("line").pipe(
      Options.withDescription("managed tokens above which a rewrite is considered (balanced; 50,000)"),
      Options.optional
    ),
    ceiling: Options.integer("ceiling").pipe(
      Options.withDescription("the most managed tokens of one request (io-harness: max_tokens, 24,000)"),
      Options.optional
    ),
    fixed: Options.integer("fixed").pipe(
      Options.withDescription("tokens of system prompt and tools in every request"),
      Options.withDefault(3_000)
    ),
    prices: Options.text("prices").pipe(
      Options.withDescription('a JSON file: {"uncached":1,"cacheRead":0.1,"cacheWrite":1.25}'),
      Options.optional
    ),
    requests: Options.text("requests").pipe(
      Options.withDescription("write each request as one JSON line to this file"),
      Options.optional
    )
  },
  (given) =>
    Effect.flatMap(read(given), (job) => Effect.provide(govern(given, job), Database.layer(given.db, "write"))).pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error)))
    )
).pipe(Command.withDescription("import a session, govern it, report what that does, and audit the log"))

type Given = Command.Command.ParseConfig<{
  readonly file: Args.Args<string>
  readonly db: typeof Database.option
  readonly json: typeof Output.json
  readonly format: Options.Options<"auto" | Format>
  readonly preset: Options.Options<Config["preset"]>
  readonly line: Options.Options<Option.Option<number>>
  readonly ceiling: Options.Options<Option.Option<number>>
  readonly fixed: Options.Options<number>
  readonly prices: Options.Options<Option.Option<string>>
  readonly requests: Options.Options<Option.Option<string>>
}>

/** Everything that is given, read and checked: only then is a database opened, or made. */
const read = (given: Given) =>
  Effect.gen(function* () {
    const prices = yield* Inputs.prices(given.prices)
    if (given.fixed < 0) return yield* unusable("--fixed: expected a number of tokens, 0 or more")
    const bytes = yield* Inputs.bytes(given.file)
    const format = yield* SourceFormat.of(given.file, bytes, given.format)
    const config = yield* configOf(given, shapeOf(format))
    return { bytes, config, format, prices }
  })

const govern = (given: Given, { bytes, config, format, prices }: Effect.Effect.Success<ReturnType<typeof read>>) =>
  Effect.gen(function* () {
    const progress = Output.progress(bytes.length)
    const imported = yield* Import.run(hash, { format, bytes, progress: progress.at }, config).pipe(
      Effect.mapError((error) =>
        error._tag === "ChangedSource" ? unusable(`${given.file}: ${error.message}`) : fromError(error)
      ),
      Effect.ensuring(progress.end)
    )
    const reports = yield* Effect.acquireUseRelease(
      openRequests(given.requests),
      (file) =>
        reportAll(imported, {
          fixed: given.fixed,
          prices,
          checked: new Set(),
          ...(file === undefined ? {} : { line: file.line })
        }),
      (file) => file?.close ?? Effect.void
    )
    const { findings, value } = Printed.governed(reports, imported, hash)
    yield* Output.line(given.json ? JSON.stringify(value) : Printed.governedTable(reports, imported, hash, given.file))
    if (imported.partial !== undefined) {
      yield* Output.note(`${given.file}: done in part; line ${imported.partial.line}: ${imported.partial.why}`)
    }
    if (findings.length > 0) return yield* failed(`the audit failed:\n${findings.join("\n")}`)
  })

const reportAll = (imported: Import.Imported, options: Report.Options) =>
  Effect.gen(function* () {
    const logs = yield* Log.runsOf(imported.tree, imported.base)
    return yield* Effect.forEach(logs, ({ log }) =>
      Effect.flatMap(Runs.find(hash, log), (found) => Report.report(hash, found, options))
    )
  })

const configOf = ({ ceiling, line, preset }: Given, shape: Config["shape"]): Effect.Effect<Config, Failure> =>
  Effect.gen(function* () {
    if (preset !== "balanced" && Option.isSome(line)) {
      return yield* unusable(
        `--line: the preset ${preset} has no line; it rewrites ${preset === "raw" ? "nothing" : "every turn"}`
      )
    }
    switch (preset) {
      case "raw":
        if (Option.isSome(ceiling)) return yield* unusable("--ceiling: the preset raw has no ceiling")
        return { preset, shape }
      case "io-harness": {
        const maxTokens = Option.getOrElse(ceiling, () => ContextBudget.standard.maxTokens)
        if (maxTokens < 1) return yield* unusable("--ceiling: expected a number of tokens, at least 1")
        return { preset, shape, maxTokens }
      }
      case "balanced": {
        const window = yield* Either.mapLeft(
          Line.make({
            ...(Option.isNone(line) ? {} : { line: line.value }),
            ...(Option.isNone(ceiling) ? {} : { ceiling: ceiling.value })
          }),
          (error) => unusable(`--${error.field}: ${error.message}`)
        )
        return { preset, shape, ...window }
      }
    }
  })

interface RequestsFile {
  readonly line: (text: string) => Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

const openRequests = (file: Option.Option<string>): Effect.Effect<RequestsFile | undefined, Failure> =>
  Option.isNone(file)
    ? Effect.succeed(undefined)
    : Effect.try({
        try: () => {
          const descriptor = openSync(file.value, "w", 0o600)
          return {
            line: (text: string) => Effect.sync(() => void writeSync(descriptor, text)),
            close: Effect.sync(() => closeSync(descriptor))
          }
        },
        catch: (cause) => unusable(`${file.value}: cannot be written (${String(cause)})`)
      })

/** `govern FILE`: a recorded session is imported, replayed under a preset, priced, and audited. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { closeSync, openSync, writeSync } from "node:fs"
import * as ImportTree from "@palimpsest/governor/ImportTree"
import * as Report from "@palimpsest/governor/Report"
import * as Runs from "@palimpsest/governor/Runs"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import { FORMATS, type Format } from "@palimpsest/transcript/Format"
import { modelOf } from "@palimpsest/transcript/Model"
import { shapeOf } from "@palimpsest/transcript/Shape"
import * as AgentFiles from "../AgentFiles.ts"
import * as Database from "../Database.ts"
import { failed, fromError, unusable, type Failure } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"
import { configOf, PRESETS, protectOf, SCHEDULES } from "../Presets.ts"
import * as Printed from "../Printed.ts"
import * as SourceFormat from "../SourceFormat.ts"

export const command = Command.make(
  "govern",
  {
    file: Args.text({ name: "FILE" }).pipe(Args.withDescription("a recorded session")),
    db: Database.option,
    json: Output.json,
    format: Options.choice("format", ["auto", ...FORMATS]).pipe(Options.withDefault("auto" as const)),
    preset: Options.choice("preset", PRESETS).pipe(Options.withDefault("balanced" as const)),
    line: Options.integer("line").pipe(
      Options.withDescription("managed tokens above which a rewrite is considered (balanced: 50,000; harn: 48,000)"),
      Options.optional
    ),
    ceiling: Options.integer("ceiling").pipe(
      Options.withDescription(
        "the most managed tokens of one request (io-harness: max_tokens, 24,000; harn: its hard limit)"
      ),
      Options.optional
    ),
    schedule: Options.choice("schedule", SCHEDULES).pipe(
      Options.withDescription("when a rewrite is made (balanced, frugal; investment)"),
      Options.optional
    ),
    window: Options.integer("window").pipe(
      Options.withDescription(
        "the model's window in tokens: line and ceiling by the window law (codeaf: unknown, if not given)"
      ),
      Options.optional
    ),
    model: Options.text("model").pipe(
      Options.withDescription("the model, which says what a rewrite does to reasoning (else as the session names it)"),
      Options.optional
    ),
    protectTool: Options.text("protect-tool").pipe(
      Options.withDescription("never leave out what this tool gave (`*` and `?`; may be given again)"),
      Options.repeated
    ),
    protectPath: Options.text("protect-path").pipe(
      Options.withDescription("never leave out what is of this path (`*` and `?`; may be given again)"),
      Options.repeated
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
  readonly preset: Options.Options<(typeof PRESETS)[number]>
  readonly line: Options.Options<Option.Option<number>>
  readonly ceiling: Options.Options<Option.Option<number>>
  readonly schedule: Options.Options<Option.Option<(typeof SCHEDULES)[number]>>
  readonly window: Options.Options<Option.Option<number>>
  readonly model: Options.Options<Option.Option<string>>
  readonly protectTool: Options.Options<ReadonlyArray<string>>
  readonly protectPath: Options.Options<ReadonlyArray<string>>
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
    const config = yield* configOf(
      {
        preset: given.preset,
        line: Option.getOrUndefined(given.line),
        ceiling: Option.getOrUndefined(given.ceiling),
        window: Option.getOrUndefined(given.window),
        schedule: Option.getOrUndefined(given.schedule),
        model: Option.getOrElse(given.model, () => modelOf(format, bytes)),
        protect: yield* protectOf(given.protectTool, given.protectPath)
      },
      shapeOf(format)
    )
    const agents = yield* AgentFiles.beside(given.file, format)
    return { agents, bytes, config, format, prices }
  })

const govern = (
  given: Given,
  { agents, bytes, config, format, prices }: Effect.Effect.Success<ReturnType<typeof read>>
) =>
  Effect.gen(function* () {
    const progress = Output.progress(bytes.length)
    const imported = yield* ImportTree.run(hash, { format, bytes, progress: progress.at }, agents, config).pipe(
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
    const notes = AgentFiles.notes(agents, imported)
    const told = notes.length === 0 ? value : { ...value, notes }
    yield* Output.line(given.json ? JSON.stringify(told) : Printed.governedTable(reports, imported, hash, given.file))
    if (imported.partial !== undefined) {
      yield* Output.note(`${given.file}: done in part; line ${imported.partial.line}: ${imported.partial.why}`)
    }
    for (const note of notes) yield* Output.note(note)
    if (findings.length > 0) return yield* failed(`the audit failed:\n${findings.join("\n")}`)
  })

const reportAll = (imported: ImportTree.ImportedTree, options: Report.Options) =>
  Effect.gen(function* () {
    const logs = yield* ImportTree.runsOf(imported.tree, imported.base)
    return yield* Effect.forEach(logs, ({ log }) =>
      Effect.flatMap(Runs.find(hash, log), (found) => Report.report(hash, found, options))
    )
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

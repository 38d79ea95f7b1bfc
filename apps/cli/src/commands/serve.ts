/** `serve`: the HTTP API over a database, until it is told to stop; `serve token` makes a token for it. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { standard } from "@palimpsest/budget/Price"
import type { Token } from "@palimpsest/server/Tokens"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { failed, fromError, unusable, type Failure } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"
import { policyOption } from "./recall.ts"

const tokensOption = Options.text("tokens").pipe(
  Options.withPseudoName("FILE"),
  Options.withDescription("the file of tokens; with it, every request takes one. Default PALIMPSEST_TOKENS"),
  Options.optional
)

const token = Command.make(
  "token",
  {
    name: Options.text("name").pipe(Options.withDescription("whose it is: the log names it")),
    scope: Options.choice("scope", ["read", "write", "admin"]).pipe(
      Options.withDescription("write may also read; admin may also answer for others")
    ),
    tokens: tokensOption
  },
  ({ name, scope, tokens }) =>
    Effect.gen(function* () {
      const file = yield* fileOf(tokens)
      const Tokens = yield* Effect.promise(() => import("@palimpsest/server/Tokens"))
      const known = existsSync(file) ? yield* tokensOf(file) : []
      if (known.some((one) => one.name === name)) return yield* unusable(`${file}: it has a token ${name} already`)
      const made = Tokens.make(name, scope)
      const text = Tokens.encode([...known, made.token])
      yield* Either.mapLeft(Tokens.decode(text), () => unusable(`--name: expected letters, digits, . _ -, got ${name}`))
      yield* written(file, text)
      yield* Output.line(Redacted.value(made.secret))
      yield* Output.note(`it is shown this once; ${file} keeps its digest alone`)
    })
).pipe(Command.withDescription("make a token, show it once, and keep its digest"))

const serve = Command.make(
  "serve",
  {
    host: Options.text("host").pipe(
      Options.withDescription("the address to listen on; any but loopback takes tokens"),
      Options.withDefault("127.0.0.1")
    ),
    port: Options.integer("port").pipe(
      Options.withDescription("the port; 0 takes a free one"),
      Options.withDefault(7373)
    ),
    db: Database.option,
    database: Options.text("database").pipe(
      Options.withPseudoName("URL"),
      Options.withDescription("postgres://…, instead of a file. Default PALIMPSEST_DATABASE"),
      Options.optional
    ),
    tokens: tokensOption,
    allowHost: Options.text("allow-host").pipe(
      Options.withDescription("a name that the server may be called by"),
      Options.repeated
    ),
    allowOrigin: Options.text("allow-origin").pipe(
      Options.withDescription("an origin whose pages may call it"),
      Options.repeated
    ),
    policy: policyOption,
    otlp: Options.text("otlp").pipe(
      Options.withPseudoName("URL"),
      Options.withDescription("an OpenTelemetry collector. Default OTEL_EXPORTER_OTLP_ENDPOINT"),
      Options.optional
    ),
    logLevel: Options.choice("log-level", ["debug", "info", "warning", "error"]).pipe(
      Options.withDefault("info" as const)
    )
  },
  (given) =>
    Effect.gen(function* () {
      if (given.port < 0 || given.port > 65_535) return yield* unusable("--port: expected 0 to 65535")
      const policy = yield* Inputs.policy(given.policy)
      const tokens = yield* Option.match(named(given.tokens, "PALIMPSEST_TOKENS"), {
        onNone: () => Effect.succeed(undefined),
        onSome: tokensOf
      })
      const [Server, { LIMITS }, Export] = yield* Effect.promise(() =>
        Promise.all([
          import("@palimpsest/server/Server"),
          import("@palimpsest/server/Settings"),
          import("@palimpsest/server/Export")
        ])
      )
      const options = {
        host: given.host,
        port: given.port,
        hosts: given.allowHost,
        origins: given.allowOrigin,
        tokens,
        policy,
        hash,
        prices: standard,
        limits: LIMITS
      }
      const { over, store } = yield* storeOf(given.db, named(given.database, "PALIMPSEST_DATABASE"))
      const collector = Export.fromEnvironment(process.env, Option.getOrUndefined(given.otlp))
      const telemetry = Layer.mergeAll(
        Export.logs(LogLevel.fromLiteral(LEVELS[given.logLevel])),
        Export.layer(collector)
      )
      yield* Effect.gen(function* () {
        const { url } = yield* Server.start(options, store)
        yield* Output.line(`palimpsest serves ${url} over ${over}`)
        yield* Effect.never
      }).pipe(
        Effect.scoped,
        // Whoever ends a server by a signal has been obeyed.
        Effect.onInterrupt(() => Effect.sync(() => process.once("exit", () => (process.exitCode = 0)))),
        Effect.provide(telemetry),
        Effect.catchAll((error) => Effect.fail(error._tag === "NotStarted" ? failed(error.message) : fromError(error)))
      )
    })
).pipe(Command.withDescription("serve the HTTP API: SQLite by default, PostgreSQL by --database"))

export const command = serve.pipe(Command.withSubcommands([token]))

/** The store that is served, and what it is called where no secret may stand. */
const storeOf = (db: Option.Option<string>, database: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isNone(database)) return { over: "SQLite", store: Database.layer(db, "write") }
    if (Option.isSome(db)) return yield* unusable("--db and --database: one at a time")
    if (!/^postgres(?:ql)?:\/\//.test(database.value)) return yield* unusable("--database: expected postgres://…")
    const PostgresStore = yield* Effect.promise(() => import("@palimpsest/store-sql/PostgresStore"))
    const store = PostgresStore.layer({ url: Redacted.make(database.value), hash })
    return { over: "PostgreSQL", store: Layer.mapError(store, (error) => unusable(error.message)) }
  })

const named = (given: Option.Option<string>, variable: string): Option.Option<string> =>
  Option.orElse(given, () => Option.filter(Option.fromNullable(process.env[variable]), (value) => value !== ""))

const fileOf = (given: Option.Option<string>): Effect.Effect<string, Failure> =>
  Option.match(named(given, "PALIMPSEST_TOKENS"), {
    onNone: () => Effect.fail(unusable("--tokens: expected the file that keeps the digests")),
    onSome: Effect.succeed
  })

/** Read strictly, and only where nobody but its owner may write it: whoever can add a line can let himself in. */
const tokensOf = (file: string): Effect.Effect<ReadonlyArray<Token>, Failure> =>
  Effect.gen(function* () {
    const Tokens = yield* Effect.promise(() => import("@palimpsest/server/Tokens"))
    const text = yield* Effect.try({
      try: () => {
        if (process.platform !== "win32" && (statSync(file).mode & 0o022) !== 0) throw new Error("others may write it")
        return readFileSync(file, "utf8")
      },
      catch: (cause) => unusable(`${file}: it cannot be used (${cause instanceof Error ? cause.message : "?"})`)
    })
    return yield* Either.mapLeft(Tokens.decode(text), (why) => unusable(`${file}: ${why}`))
  })

const written = (file: string, text: string): Effect.Effect<void, Failure> =>
  Effect.try({
    try: () => {
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    catch: (cause) => unusable(`${file}: it cannot be written (${cause instanceof Error ? cause.message : "?"})`)
  })

const LEVELS = { debug: "Debug", info: "Info", warning: "Warning", error: "Error" } as const

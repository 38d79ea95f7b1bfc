import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Client from "@palimpsest/api/Client"
import { standard } from "@palimpsest/budget/Price"
import { EventStore } from "@palimpsest/ledger/EventStore"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"
import * as Server from "../../src/Server.ts"
import { LIMITS, type Limits, type Options } from "../../src/Settings.ts"

/** A database file in a folder that lives as long as the scope. */
export const temporaryFile: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => path.join(fs.mkdtempSync(path.join(os.tmpdir(), "palimpsest-server-")), "store.db")),
  (file) => Effect.sync(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }))
)

export type Given = Partial<Omit<Options, "limits" | "policy">> & {
  readonly limits?: Partial<Limits>
  readonly policy?: Policy.Policy
}

export const optionsOf = ({ limits, policy, ...given }: Given = {}): Options => ({
  host: "127.0.0.1",
  port: 0,
  hosts: [],
  origins: [],
  tokens: undefined,
  policy: Effect.runSync(compile(policy ?? Policy.permissive)),
  hash,
  prices: standard,
  limits: { ...LIMITS, ...limits },
  ...given
})

/** A server over a file, on a free port of loopback. */
export const serve = (filename: string, given: Given = {}) =>
  Server.start(optionsOf(given), SqliteStore.layer({ filename, hash }))

/** A server over a file of its own, and a client of it. */
export const fresh = (given: Given = {}, token?: string) =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const server = yield* serve(filename, given)
    return { filename, server, client: yield* clientOf(server, token) }
  })

export const clientOf = (server: Server.Started, token?: string) =>
  Effect.provide(
    Client.make({ baseUrl: server.url, ...(token === undefined ? {} : { token: Redacted.make(token) }) }),
    FetchHttpClient.layer
  )

/** Keeps what is logged, as text. */
export const logged = (): { readonly lines: Array<string>; readonly layer: Layer.Layer<never> } => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.jsonLogger, (line) => void lines.push(line))
  return {
    lines,
    layer: Logger.replace(Logger.defaultLogger, logger)
  }
}

/** No log at all. */
export const quiet = Logger.remove(Logger.defaultLogger)

/** A statement on a database file, as another program would send it. */
export const sqlOn = (filename: string, statement: string) =>
  Effect.scoped(Effect.flatMap(SqliteClient.make({ filename, disableWAL: true }), (sql) => sql.unsafe(statement))).pipe(
    Effect.provide(Reactivity.layer),
    Effect.orDie
  )

/** A store that lists no log, ever. */
export const stalled = (filename: string) =>
  Layer.flatMap(SqliteStore.layer({ filename, hash }), (context) =>
    Layer.merge(
      Layer.succeedContext(context),
      Layer.effect(
        EventStore,
        Effect.map(EventStore, (store) => ({ ...store, logs: () => Effect.never }))
      ).pipe(Layer.provide(Layer.succeedContext(context)))
    )
  )

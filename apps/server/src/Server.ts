/**
 * The server: the contract over the governor and a store, behind the guard, for as long as a scope.
 *
 *     listen ─> answer … ─> the scope closes ─> not ready, streams end ─> no new connection ─> answers end ─> the store closes
 *
 * It keeps nothing that the store does not hold, so any number of servers may stand over one database.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Http from "node:http"
import { Api } from "@palimpsest/api/Api"
import type { Tails } from "@palimpsest/store-sql/Tails"
import * as ApprovalsLive from "./ApprovalsLive.ts"
import * as Authorize from "./Authorize.ts"
import * as BudgetsLive from "./BudgetsLive.ts"
import * as Closing from "./Closing.ts"
import * as Docs from "./Docs.ts"
import * as Guard from "./Guard.ts"
import * as HealthLive from "./HealthLive.ts"
import * as LiveRuns from "./LiveRuns.ts"
import * as NotesLive from "./NotesLive.ts"
import * as Observing from "./Observing.ts"
import * as ReadingLive from "./ReadingLive.ts"
import * as RunsLive from "./RunsLive.ts"
import { complaint, NotStarted, Settings, type Limits, type Options } from "./Settings.ts"

/**
 * A server that listens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Started {
  readonly host: string
  readonly port: number
  readonly url: string
}

/**
 * Starts a server over a store, until the scope closes.
 *
 * @since 0.1.0
 * @category starting
 */
export const start = <E>(
  options: Options,
  store: Layer.Layer<LiveRuns.Stores | Tails, E>
): Effect.Effect<Started, E | NotStarted, Scope.Scope> =>
  Effect.gen(function* () {
    const why = complaint(options)
    if (why !== undefined) return yield* new NotStarted({ why })
    const node = Http.createServer(limitsOf(options.limits))
    node.setTimeout(options.limits.idle)
    const listening = Layer.mapError(
      NodeHttpServer.layer(() => node, { host: options.host, port: options.port }),
      ({ cause }) => new NotStarted({ why: `${options.host}:${options.port} cannot be listened on (${codeOf(cause)})` })
    )
    const app = Layer.unwrapEffect(
      Effect.map(Closing.Closing, (closing) => HttpApiBuilder.serve(Observing.make(closing)))
    ).pipe(
      Layer.provide(Docs.layer),
      Layer.provide(Guard.layer),
      Layer.provide(HttpApiBuilder.api(Api)),
      Layer.provide([
        RunsLive.layer,
        ReadingLive.layer,
        NotesLive.layer,
        ApprovalsLive.layer,
        BudgetsLive.layer,
        HealthLive.layer
      ]),
      Layer.provide([Authorize.layer, LiveRuns.layer]),
      Layer.provideMerge(Closing.layer),
      Layer.provideMerge(listening),
      Layer.provide(store),
      Layer.provide(Layer.succeed(Settings, options)),
      // Its spans hold whole URLs and headers; ours stand in `Observing`.
      HttpMiddleware.withTracerDisabledWhen(() => true)
    )
    const context = yield* Layer.build(app)
    yield* Effect.addFinalizer(() => close(node, Context.get(context, Closing.Closing), options.limits))
    const { address } = Context.get(context, HttpServer.HttpServer)
    const port = address._tag === "TcpAddress" ? address.port : options.port
    const host = options.host.includes(":") ? `[${options.host}]` : options.host
    return { host: options.host, port, url: `http://${host}:${port}` }
  })

const close = (node: Http.Server, closing: Context.Tag.Service<Closing.Closing>, { drain }: Limits) =>
  Effect.gen(function* () {
    yield* closing.begin
    yield* Effect.sync(() => {
      node.close()
      node.closeIdleConnections()
    })
    // A finalizer cannot be interrupted, so what it waits for has to be.
    const waited = yield* Effect.timeoutOption(Effect.disconnect(Effect.interruptible(closing.idle)), drain)
    if (Option.isNone(waited)) yield* Effect.logWarning("closing with answers not given")
    yield* Effect.sync(() => node.closeAllConnections())
  })

const limitsOf = ({ bodyWithin, headers, headersWithin }: Limits): Http.ServerOptions => ({
  maxHeaderSize: headers,
  headersTimeout: headersWithin,
  requestTimeout: headersWithin + bodyWithin,
  connectionsCheckingInterval: Math.min(1_000, headersWithin),
  keepAliveTimeout: 5_000,
  requireHostHeader: true,
  insecureHTTPParser: false
})

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)

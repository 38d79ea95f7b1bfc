/**
 * What is seen of every request: a span, a duration, and a line in the log. None holds a query, a header or a body, so no
 * secret that somebody put there gets out by these ways.
 *
 * @since 0.1.0
 */
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Closing } from "./Closing.ts"
import * as Telemetry from "./Telemetry.ts"

/**
 * Watches the answers of an app.
 *
 * @since 0.1.0
 * @category middleware
 */
export const make = ({ answering }: Context.Tag.Service<Closing>) =>
  HttpMiddleware.make((app) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { headers, method, url } = request
      const path = (url.split("?")[0] ?? "/").replace(/plt_[A-Za-z0-9_-]+/g, "plt_REDACTED")
      const began = yield* Clock.currentTimeMillis
      const answered = Effect.flatMap(Effect.exit(app), (exit) =>
        Effect.gen(function* () {
          const { status } = HttpServerError.exitResponse(exit)
          const millis = (yield* Clock.currentTimeMillis) - began
          yield* Effect.annotateCurrentSpan("http.response.status_code", status)
          yield* Telemetry.answered(method, status, millis / 1_000)
          const log = status >= 500 && status !== 503 ? Effect.logError("answered") : Effect.logDebug("answered")
          yield* Effect.annotateLogs(log, { method, path, status, millis })
          return yield* exit
        })
      )
      return yield* Effect.withSpan(answering(answered), `http.server ${method}`, {
        kind: "server",
        captureStackTrace: false,
        attributes: { "http.request.method": method, "url.path": path },
        ...Option.match(HttpTraceContext.fromHeaders(headers), {
          onNone: () => ({ root: true }),
          onSome: (parent) => ({ parent })
        })
      })
    })
  )

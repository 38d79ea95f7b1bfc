/**
 * What every request is held against before anything else looks at it: by which name it came, from which page, with how
 * large a body of what type, and how long an answer may take. Whatever goes wrong behind it is answered without a stack.
 *
 *     Host, Origin ─ 403 │ length ─ 411, 413 │ type ─ 415 │ token (docs) ─ 401, 403 │ ─> the router │ time ─ 503
 *
 * 1. A page that a browser was led to under another name (DNS rebinding) says that name in `Host`, and is refused. A plain
 *    address is no name, so it cannot be rebound.
 * 2. A page of another origin is refused, unless its origin was let in by name.
 * 3. A body says how long it is, and no more than that is read of it; one that does not say is not read at all.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import * as Failures from "@palimpsest/api/Failures"
import { admit } from "./Authorize.ts"
import { DOCS, OPENAPI } from "./Docs.ts"
import { isLoopback, Settings, type Options } from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never, never, Settings> = HttpApiBuilder.middleware(
  Effect.map(Settings, (settings) => {
    const cors = HttpMiddleware.cors({
      allowedOrigins: settings.origins,
      allowedMethods: ["GET", "POST", "PUT", "DELETE"],
      allowedHeaders: ["authorization", "content-type", "last-event-id"],
      maxAge: 600
    })
    return (app: HttpApp.Default) => {
      const checked = guarded(settings, settings.origins.length === 0 ? app : cors(app))
      // Appended, not wrapped around: failures of the contract become answers outside of here.
      return Effect.zipRight(
        HttpApp.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, { ...HEADERS, ...kept(response) }))
        ),
        checked
      )
    }
  })
)

/**
 * Why a request is not let in by its headers; undefined where it is.
 *
 * @since 0.1.0
 * @category checks
 */
export const complaint = (
  { host, hosts, origins }: Pick<Options, "host" | "hosts" | "origins">,
  headers: { readonly [name: string]: string | undefined }
): { readonly by: "host" | "origin"; readonly why: string } | undefined => {
  const name = nameOf(headers["host"] ?? "")
  const isAddress = !isLoopback(host) && isIP(name) !== 0
  if (!isLoopback(name) && !isAddress && name !== host && !hosts.includes(name)) {
    return { by: "host", why: "this server is not known by the name in `Host`; start it with --allow-host" }
  }
  const origin = headers["origin"]
  if (origin !== undefined) {
    const isOwn = origin === `http://${headers["host"] ?? ""}` || origin === `https://${headers["host"] ?? ""}`
    if (isOwn || origins.includes(origin)) return undefined
    return { by: "origin", why: "pages of this `Origin` are not let in; start the server with --allow-origin" }
  }
  return headers["sec-fetch-site"] === "cross-site"
    ? { by: "origin", why: "pages of other sites are not let in" }
    : undefined
}

const guarded = (settings: Options, app: HttpApp.Default) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, url } = request
    const refusal = complaint(settings, headers)
    if (refusal !== undefined) {
      yield* Telemetry.refused(refusal.by)
      return failure(Failures.Forbidden, new Failures.Forbidden({ why: refusal.why }))
    }
    const length = Number(headers["content-length"] ?? 0)
    if (headers["transfer-encoding"] !== undefined) {
      const error = new Failures.Invalid({ field: "content-length", why: "a body has to say how long it is" })
      return HttpServerResponse.setHeader(
        HttpServerResponse.setStatus(failure(Failures.Invalid, error), 411),
        "connection",
        "close"
      )
    }
    if (length > 0 && !/^application\/json(?:\s*;|$)/i.test(headers["content-type"] ?? "")) {
      const why = new Failures.Invalid({ field: "content-type", why: "expected application/json" })
      return HttpServerResponse.setStatus(failure(Failures.Invalid, why), 415)
    }
    if (length > settings.limits.body) return tooLarge(settings)
    const [path = ""] = url.split("?")
    if (path === DOCS || path === OPENAPI) {
      const secret = Redacted.make((headers["authorization"] ?? "").slice("Bearer ".length))
      const admitted = yield* Effect.either(admit(settings, "read", secret))
      if (admitted._tag === "Left") {
        return admitted.left._tag === "Unauthorized"
          ? failure(Failures.Unauthorized, admitted.left)
          : failure(Failures.Forbidden, admitted.left)
      }
    }
    return yield* app.pipe(
      HttpIncomingMessage.withMaxBodySize(Option.some(settings.limits.body)),
      Effect.catchAllCause((cause) => fault(settings, cause)),
      Effect.timeoutTo({
        duration: settings.limits.answerWithin,
        onSuccess: (response) => response,
        onTimeout: () =>
          failure(Failures.Unavailable, new Failures.Unavailable({ why: "the answer took too long; ask for less" }))
      })
    )
  })

/** What the contract knows goes on, to be encoded by it; everything else is answered here. */
const fault = (settings: Options, cause: Cause.Cause<never>): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
  const error: unknown = Cause.squash(cause)
  if (HttpServerError.isServerError(error)) {
    if (error._tag === "RouteNotFound") return Effect.succeed(missing)
    if (error._tag === "RequestError") {
      return Effect.succeed(isTooLong(error.cause) ? tooLarge(settings) : unreadable)
    }
  }
  const isKnown = Cause.isFailure(cause)
  if (isKnown) return Effect.failCause(cause)
  return Effect.as(Effect.logError("this is a fault of the server", cause), broken)
}

const failure = <A, I>(schema: Schema.Schema<A, I>, error: A & { readonly _tag: string }) =>
  HttpServerResponse.unsafeJson(Schema.encodeSync(schema)(error), { status: STATUS[error._tag] ?? 500 })

const tooLarge = ({ limits }: Options) =>
  HttpServerResponse.setHeader(
    failure(
      Failures.TooLarge,
      new Failures.TooLarge({ most: limits.body, why: `a request has at most ${limits.body} bytes; send it in parts` })
    ),
    "connection",
    "close"
  )

const isTooLong = (cause: unknown): boolean => cause instanceof Error && cause.message === "maxBytes exceeded"

const kept = ({ headers }: HttpServerResponse.HttpServerResponse) => ({
  "cache-control": headers["cache-control"] ?? HEADERS["cache-control"],
  "content-security-policy": headers["content-security-policy"] ?? HEADERS["content-security-policy"]
})

/** The name in a `Host` header, without its port. */
const nameOf = (host: string): string => {
  const bracketed = /^\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?$/.exec(host)
  return (bracketed?.[1] ?? host.replace(/:[0-9]*$/, "")).toLowerCase()
}

const HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
}

const STATUS: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 400,
  TooLarge: 413,
  Unavailable: 503
}

const missing = HttpServerResponse.unsafeJson(
  { _tag: "NoSuchPath", why: "no endpoint has this path and method; /openapi.json lists them" },
  { status: 404 }
)

const unreadable = HttpServerResponse.unsafeJson(
  { _tag: "Invalid", field: "body", why: "it cannot be read as JSON" },
  { status: 400 }
)

const broken = HttpServerResponse.unsafeJson(
  { _tag: "Fault", why: "this is a fault of the server; its log says more" },
  { status: 500 }
)

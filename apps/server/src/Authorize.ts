/**
 * Who is let in: the caller's token, held against the scope that an endpoint needs. A server without tokens, which only
 * listens on loopback, lets everybody in.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { MayAnswer, MayRead, MayWrite } from "@palimpsest/api/Authorization"
import { Forbidden, Unauthorized, type Scope } from "@palimpsest/api/Failures"
import { Settings, type Options } from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"
import * as Tokens from "./Tokens.ts"

/**
 * Lets a caller in, or says why not.
 *
 * @since 0.1.0
 * @category checks
 */
export const admit = (
  { tokens }: Pick<Options, "tokens">,
  scope: Scope,
  secret: Redacted.Redacted
): Effect.Effect<void, Unauthorized | Forbidden> => {
  if (tokens === undefined) return Effect.void
  const token = Tokens.find(tokens, secret)
  if (token === undefined) return Effect.zipRight(Telemetry.refused("token"), Effect.fail(new Unauthorized()))
  if (Tokens.reaches(token.scope, scope)) return Effect.annotateCurrentSpan("enduser.id", token.name)
  const why = `the token ${token.name} has the scope ${token.scope}; this takes ${scope}`
  return Effect.zipRight(Telemetry.refused("scope"), Effect.fail(new Forbidden({ why })))
}

const bearer = (scope: Scope) =>
  Effect.map(Settings, (settings) => ({ bearer: (secret: Redacted.Redacted) => admit(settings, scope, secret) }))

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<MayRead | MayWrite | MayAnswer, never, Settings> = Layer.mergeAll(
  Layer.effect(MayRead, bearer("read")),
  Layer.effect(MayWrite, bearer("write")),
  Layer.effect(MayAnswer, bearer("admin"))
)

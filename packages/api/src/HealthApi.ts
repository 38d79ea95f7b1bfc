/**
 * Whether the server lives, and whether it can be sent work. Neither says more than that, so neither takes a token.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Unavailable } from "./Failures.ts"
import { struct } from "./internal/strict.ts"

const says = (description: string) => OpenApi.annotations({ description })

const health = HttpApiEndpoint.get("health", "/health")
  .addSuccess(struct({ status: Schema.Literal("ok"), version: Schema.String }))
  .annotateContext(says("The process answers"))

const ready = HttpApiEndpoint.get("ready", "/ready")
  .addSuccess(struct({ status: Schema.Literal("ok") }))
  .addError(Unavailable)
  .annotateContext(says("The database answers, and the server is not closing"))

/**
 * @since 0.1.0
 * @category groups
 */
export class HealthApi extends HttpApiGroup.make("health", { topLevel: true })
  .add(health)
  .add(ready)
  .annotateContext(says("Probes")) {}

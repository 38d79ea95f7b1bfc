/**
 * Who may do what: each endpoint names the scope that its caller needs. A server that listens on loopback alone may let
 * everybody in; on any other address it demands a token.
 *
 * @since 0.1.0
 */
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as Schema from "effect/Schema"
import { Forbidden, Unauthorized } from "./Failures.ts"

const failure = Schema.Union(Unauthorized, Forbidden)
const security = { bearer: HttpApiSecurity.bearer }

/**
 * The caller may read: a token of any scope.
 *
 * @since 0.1.0
 * @category tags
 */
export class MayRead extends HttpApiMiddleware.Tag<MayRead>()("@palimpsest/api/MayRead", { failure, security }) {}

/**
 * The caller may write: a token of the scope `write` or `admin`.
 *
 * @since 0.1.0
 * @category tags
 */
export class MayWrite extends HttpApiMiddleware.Tag<MayWrite>()("@palimpsest/api/MayWrite", { failure, security }) {}

/**
 * The caller may answer for others: a token of the scope `admin`.
 *
 * @since 0.1.0
 * @category tags
 */
export class MayAnswer extends HttpApiMiddleware.Tag<MayAnswer>()("@palimpsest/api/MayAnswer", {
  failure,
  security
}) {}

/**
 * Budgets over HTTP: what a tree may spend, what it has, and what calls in flight hold. Ids are the caller's, so each write
 * can be repeated. Raising a limit takes a token of another scope than spending under it.
 *
 *     PUT budget ─> PUT reservations/R ─┬─ Held ─> (the call) ─> PUT reservations/R/spend | DELETE reservations/R
 *                                       └─ LimitReached, with the whole reading ─> POST grants
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Granted } from "@palimpsest/budget/AccountFact"
import { Hold } from "@palimpsest/budget/Hold"
import { AccountId, ReservationId, RunId } from "@palimpsest/budget/Ids"
import { Limits } from "@palimpsest/budget/Limits"
import { Reading } from "@palimpsest/budget/Reading"
import { Rules } from "@palimpsest/budget/Rules"
import { Spend } from "@palimpsest/budget/Spend"
import { MayAnswer, MayRead, MayWrite } from "./Authorization.ts"
import * as Failures from "./Failures.ts"
import { optional, struct } from "./internal/strict.ts"

/**
 * A limit would be passed, or its axis cannot be checked. `reading` tells every axis of every scope, where there is one;
 * `waits` whether the same may be asked again when what is reserved is settled.
 *
 * @since 0.1.0
 * @category errors
 */
export class LimitReached extends Schema.TaggedError<LimitReached>()(
  "LimitReached",
  { run: RunId, why: Schema.String, waits: Schema.Boolean, reading: optional(Reading) },
  HttpApiSchema.annotations({ status: 402, description: "A limit stops it; nothing was held" })
) {
  override get message(): string {
    return this.why
  }
}

/**
 * What a call of an account can come to.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Accounting = Schema.Union(
  LimitReached,
  Failures.NotFound,
  Failures.Invalid,
  Failures.Reused,
  Failures.Damaged,
  Failures.Unavailable,
  Failures.NotOffered
)
/** @since 0.1.0 */
export type Accounting = typeof Accounting.Type

const ofTree = Schema.Struct({ tree: AccountId })
const ofReservation = Schema.Struct({ tree: AccountId, reservation: ReservationId })
const says = (description: string) => OpenApi.annotations({ description })

const reading = HttpApiEndpoint.get("reading", "/trees/:tree/budget")
  .setPath(ofTree)
  .setUrlParams(struct({ run: optional(RunId) }))
  .addSuccess(Reading)
  .addError(Accounting)
  .middleware(MayRead)
  .annotateContext(says("Where a run of the tree stands on every axis of every scope; the root where none is named"))

const open = HttpApiEndpoint.put("open", "/trees/:tree/budget")
  .setPath(ofTree)
  .setPayload(struct({ root: RunId, limits: Limits, rules: optional(Rules) }))
  .addSuccess(Reading)
  .addError(Accounting)
  .middleware(MayAnswer)
  .annotateContext(says("Begins the account of a tree under limits; the same again only reads"))

const grant = HttpApiEndpoint.post("grant", "/trees/:tree/grants")
  .setPath(ofTree)
  .setPayload(
    struct({
      grant: ReservationId,
      scope: RunId,
      raise: Limits,
      accepts: optional(Granted.fields.accepts),
      resumes: optional(Granted.fields.resumes),
      by: Schema.NonEmptyString,
      why: Schema.NonEmptyString
    })
  )
  .addSuccess(struct({ limits: Limits }))
  .addError(Accounting)
  .middleware(MayAnswer)
  .annotateContext(says("Raises limits, and says by whom and why"))

const reserve = HttpApiEndpoint.put("reserve", "/trees/:tree/reservations/:reservation")
  .setPath(ofReservation)
  .setPayload(struct({ run: RunId, hold: Hold, leaseMs: optional(Schema.Int.pipe(Schema.positive())) }))
  .addSuccess(
    struct({
      run: RunId,
      until: Schema.Number,
      leaseMs: Schema.Number,
      deadlineMs: optional(Schema.Number),
      landingLeft: optional(Schema.Number)
    })
  )
  .addError(Accounting)
  .middleware(MayWrite)
  .annotateContext(says("Checks every limit of every scope and holds, in one act"))

const spend = HttpApiEndpoint.put("spend", "/trees/:tree/reservations/:reservation/spend")
  .setPath(ofReservation)
  .setPayload(struct({ spend: Spend }))
  .addSuccess(struct({ charged: struct({ tokens: Schema.Number, micros: Schema.Number }), late: Schema.Boolean }))
  .addError(Accounting)
  .middleware(MayWrite)
  .annotateContext(says("Puts what the call cost in place of what it held"))

const release = HttpApiEndpoint.del("release", "/trees/:tree/reservations/:reservation")
  .setPath(ofReservation)
  .addSuccess(struct({ freed: Schema.Literal(true) }))
  .addError(Accounting)
  .middleware(MayWrite)
  .annotateContext(says("Gives a hold back, as the call was not made"))

/**
 * @since 0.1.0
 * @category groups
 */
export class BudgetsApi extends HttpApiGroup.make("budgets")
  .add(reading)
  .add(open)
  .add(grant)
  .add(reserve)
  .add(spend)
  .add(release)
  .annotateContext(says("What a tree may spend, and what calls in flight hold")) {}

/**
 * The facts of an account: all that can stand in the log of a tree's spending.
 *
 * ```
 * Opened ─┬─ ChildOpened ─ ... ─ RunEnded                        runs
 *         ├─ Reserved ─ Renewed* ─┬─ Settled                     calls
 *         │                       ├─ Released
 *         │                       └─ LeaseExpired ─ (Settled, late)
 *         └─ Warned, Exhausted, Granted                          limits
 * ```
 *
 * Each says all that folding it needs, its time included, so that the account is a function of its facts alone. How a run
 * ended is in `RunEnded`; what lands in its parent's inbox is `Deposited`, written in the same transaction.
 *
 * Laws kept here: 1, 10, 11, 14 (unknown kinds, keys and values do not decode). Source: LE-03, LE-15 to LE-20, mending
 * LE-W8, LE-W9, LE-W14.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Axis, COUNTED } from "./Axis.ts"
import { Epitaph } from "./Epitaph.ts"
import { Hold } from "./Hold.ts"
import { ReservationId, RunId } from "./Ids.ts"
import { Limits } from "./Limits.ts"
import { Reading } from "./Reading.ts"
import { Rules } from "./Rules.ts"
import { Spend } from "./Spend.ts"
import { Stamp } from "./Timeline.ts"

const strict = { parseOptions: { onExcessProperty: "error" } } as const
const count = Schema.NonNegativeInt

/**
 * What is set aside for a child out of what its parent has left: spent or not, no sibling gets it before the child ends.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Allotment = Schema.Struct({
  tokens: Schema.optionalWith(Schema.Positive.pipe(Schema.int()), { exact: true }),
  micros: Schema.optionalWith(Schema.Positive.pipe(Schema.int()), { exact: true }),
  calls: Schema.optionalWith(Schema.Positive.pipe(Schema.int()), { exact: true })
}).annotations(strict)
/** @since 0.1.0 */
export type Allotment = typeof Allotment.Type

/**
 * The account of a tree begins: its root, limits and rules, frozen but for grants.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Opened = Schema.TaggedStruct("Opened", {
  root: RunId,
  limits: Limits,
  rules: Rules,
  time: Stamp
}).annotations(strict)

/**
 * A run below another. `limits` are as narrowed by those above, the allotment among them. Source: LE-19.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChildOpened = Schema.TaggedStruct("ChildOpened", {
  run: RunId,
  parent: RunId,
  limits: Limits,
  allotment: Allotment,
  time: Stamp
}).annotations(strict)

/**
 * A call was let through and its hold taken, until `until` unless renewed. `landing`: it may use what is kept to land on.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reserved = Schema.TaggedStruct("Reserved", {
  reservation: ReservationId,
  run: RunId,
  hold: Hold,
  landing: Schema.Boolean,
  until: count,
  time: Stamp
}).annotations(strict)

/**
 * Whoever made the call is alive: the lease goes on until `until`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Renewed = Schema.TaggedStruct("Renewed", {
  reservation: ReservationId,
  until: count,
  time: Stamp
}).annotations(strict)

/**
 * What the call cost, in place of its hold. `charged` is what counts against limits: the measured, or the reservation
 * where it was not. `was`: whether the hold was still there; spending is counted once either way. `unreserved`: the call
 * was made without one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Settled = Schema.TaggedStruct("Settled", {
  reservation: ReservationId,
  run: RunId,
  spend: Spend,
  charged: Schema.Struct({ tokens: count, micros: count }).annotations(strict),
  was: Schema.Literal("open", "expired", "released", "unreserved"),
  time: Stamp
}).annotations(strict)

/**
 * The call was not made, or spent nothing: its hold is free again.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Released = Schema.TaggedStruct("Released", {
  reservation: ReservationId,
  why: Schema.NonEmptyString,
  time: Stamp
}).annotations(strict)

/**
 * Nobody renewed or settled in time. `charged`: whether the hold counts as spent until a late settlement, or is free.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LeaseExpired = Schema.TaggedStruct("LeaseExpired", {
  reservation: ReservationId,
  charged: Schema.Boolean,
  time: Stamp
}).annotations(strict)

/**
 * A scope passed the share of a limit at which it is warned, once. Source: LE-W10.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Warned = Schema.TaggedStruct("Warned", {
  scope: RunId,
  axis: Axis,
  limit: count,
  actual: count,
  time: Stamp
}).annotations(strict)

/**
 * A run has run out: the whole reading, at the place in the account where it did. Source: LE-15, LE-W8.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Exhausted = Schema.TaggedStruct("Exhausted", { run: RunId, reading: Reading, time: Stamp }).annotations(
  strict
)

/**
 * A run has ended. Source: LE-17.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RunEnded = Schema.TaggedStruct("RunEnded", {
  run: RunId,
  epitaph: Epitaph,
  result: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  time: Stamp
}).annotations(strict)

/**
 * Somebody raised the limits of a scope by these amounts, and why. `grant` is an id that the caller made. `accepts`: axes on which what was not measured is
 * taken as charged. `resumes`: runs that had run out and may go on; nobody is woken by it. Source: LE-W14.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Granted = Schema.TaggedStruct("Granted", {
  grant: ReservationId,
  scope: RunId,
  raise: Limits,
  accepts: Schema.Array(Schema.Literal(...COUNTED)),
  resumes: Schema.Array(RunId),
  by: Schema.NonEmptyString,
  why: Schema.NonEmptyString,
  time: Stamp
}).annotations(strict)

/**
 * Every kind of fact of an account.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AccountFact = Schema.Union(
  Opened,
  ChildOpened,
  Reserved,
  Renewed,
  Settled,
  Released,
  LeaseExpired,
  Warned,
  Exhausted,
  RunEnded,
  Granted
)

/**
 * @since 0.1.0
 * @category models
 */
export type AccountFact = typeof AccountFact.Type

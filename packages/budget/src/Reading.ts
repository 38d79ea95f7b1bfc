/**
 * Readings: where a run stands on every axis of every scope that it is in, at one moment and one place of the account.
 *
 * ```
 * scopes, from the run up to the root:   run ── parent ── ... ── root
 *   each: axis, limit, actual, charged, reserved, remaining, crossed?
 * ```
 *
 * All axes are told, not the first that was crossed; the first, in the order of axes and from the root down, is what a
 * message names.
 *
 * Laws kept here: 11 (an actual that has an unmeasured part is unmeasured, beside the charge that stands for it), 14.
 * Source: LE-07, LE-08, mending LE-W8.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Axis, NAME, ORDER, UNIT } from "./Axis.ts"
import { RunId } from "./Ids.ts"
import { Measure } from "./Measure.ts"

/**
 * One axis of one scope, in the unit of the axis. `actual`: what was measured. `charged`: that, with reservations standing
 * for what was not; what limits are checked against. `reserved`: held by calls in flight and set aside for children (but
 * not what is set aside for the run itself). `remaining`: what a limit leaves the run, absent without one. `asked`: what was asked for on top. `crossed`: whether it stops the
 * run; `waits`: whether it would not once what is reserved were given back.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AxisReading = Schema.Struct({
  axis: Axis,
  limit: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }),
  actual: Measure,
  charged: Schema.NonNegativeInt,
  reserved: Schema.NonNegativeInt,
  asked: Schema.NonNegativeInt,
  remaining: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }),
  crossed: Schema.Boolean,
  waits: Schema.Boolean
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type AxisReading = typeof AxisReading.Type

/**
 * `position` is the number of facts of the account that the reading is of, `at` its moment in milliseconds of account
 * time. `scopes` begin with the run's own (its parent's, for a child that does not exist yet) and end with the tree's.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reading = Schema.Struct({
  run: RunId,
  at: Schema.NonNegativeInt,
  position: Schema.NonNegativeInt,
  scopes: Schema.NonEmptyArray(
    Schema.Struct({ scope: RunId, axes: Schema.Array(AxisReading) }).annotations({
      parseOptions: { onExcessProperty: "error" }
    })
  )
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Reading = typeof Reading.Type

/**
 * An axis that stops the run, and the scope that it does so in.
 *
 * @since 0.1.0
 * @category models
 */
export interface Crossing {
  readonly scope: RunId
  readonly reading: AxisReading
}

/**
 * All that stops the run: by axis in their order, for one axis from the root down. Source: LE-07.
 *
 * @since 0.1.0
 * @category accessors
 */
export const crossings = (reading: Reading): ReadonlyArray<Crossing> => {
  const down = reading.scopes.toReversed()
  return ORDER.flatMap((axis) =>
    down.flatMap(({ axes, scope }) =>
      axes.filter((one) => one.axis === axis && one.crossed).map((one) => ({ scope, reading: one }))
    )
  )
}

/**
 * The reading of an axis in a scope: the tree's, unless another is named.
 *
 * @since 0.1.0
 * @category accessors
 */
export const on = (reading: Reading, axis: Axis, scope?: RunId): AxisReading | undefined =>
  (scope === undefined ? reading.scopes.at(-1) : reading.scopes.find((one) => one.scope === scope))?.axes.find(
    (one) => one.axis === axis
  )

/**
 * What is left for the run on an axis: the least that any scope leaves; nothing where none has a limit. On `tokens` it is
 * what a context budget takes a share of. Source: IO-47.
 *
 * @since 0.1.0
 * @category accessors
 */
export const remaining = (reading: Reading, axis: Axis): number | undefined => {
  const left = reading.scopes.flatMap(({ axes }) =>
    axes.flatMap((one) => (one.axis === axis && one.remaining !== undefined ? [one.remaining] : []))
  )
  return left.length === 0 ? undefined : Math.min(...left)
}

/**
 * A crossing as lernie prints it: `max_total_tokens exhausted (8/8)`. What calls in flight hold counts as used. Source:
 * LE-08.
 *
 * @since 0.1.0
 * @category words
 */
export const display = ({ reading }: Crossing): string =>
  `${NAME[reading.axis]} exhausted (${used(reading)}/${reading.limit ?? "unbounded"})`

/**
 * A crossing in words for the person who runs it: what, where, how far, and what can be done.
 *
 * @since 0.1.0
 * @category words
 */
export const words = (crossing: Crossing): string => {
  const { reading, scope } = crossing
  const limit = reading.limit ?? 0
  const isUp = reading.axis === "depth" || (reading.axis !== "contextBytes" && used(reading) >= limit)
  const what = isUp
    ? display(crossing)
    : `${NAME[reading.axis]}: ${reading.asked} ${UNIT[reading.axis]} asked, ${reading.remaining ?? 0} of ${limit} left`
  const how = reading.waits ? "wait for calls in flight to settle" : "raise the limit with a grant, or end the run"
  return `${what} in ${scope}; ${how}`
}

const used = ({ charged, reserved }: AxisReading): number => charged + reserved

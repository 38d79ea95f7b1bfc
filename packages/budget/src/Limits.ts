/**
 * Limits: the most that a scope (a run and all below it) may spend. What is left out is unbounded.
 *
 * A limit of 0 on an axis that every call takes from would end the run before its first call, and is refused when it is
 * read; on `depth`, `children` and `liveChildren` a 0 says "no sub-agents" and is a limit like any other.
 *
 * Laws kept here: 13 (a child's limits only narrow its parent's), 14 (strict). Source: LE-01, LE-20, mending LE-W11, LE-W12.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Axis from "./Axis.ts"

const most = Schema.Int.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER))
const some = Schema.Int.pipe(Schema.between(1, Number.MAX_SAFE_INTEGER))

/**
 * JSON: each axis a whole number in its own unit. `tokens` in and out together; `micros` millionths of the currency;
 * `elapsed`, `busy`, `inFlight` whole seconds by that clock; `depth` the deepest level allowed, the root's being 0;
 * `calls` attempts; `children` descendants ever, `liveChildren` at once; `contextBytes` of one request.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Limits = Schema.Struct({
  tokens: Schema.optionalWith(some, { exact: true }),
  elapsed: Schema.optionalWith(some, { exact: true }),
  busy: Schema.optionalWith(some, { exact: true }),
  inFlight: Schema.optionalWith(some, { exact: true }),
  depth: Schema.optionalWith(most, { exact: true }),
  micros: Schema.optionalWith(some, { exact: true }),
  calls: Schema.optionalWith(some, { exact: true }),
  children: Schema.optionalWith(most, { exact: true }),
  liveChildren: Schema.optionalWith(most, { exact: true }),
  contextBytes: Schema.optionalWith(some, { exact: true })
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Limits = typeof Limits.Type

/**
 * No limit on any axis. Source: LE-01.
 *
 * @since 0.1.0
 * @category constants
 */
export const unbounded: Limits = {}

/**
 * What lernie ships: two million tokens, an hour of calls, four levels.
 *
 * @since 0.1.0
 * @category constants
 */
export const lernie: Limits = { tokens: 2_000_000, busy: 3_600, depth: 4 }

/**
 * The asked limits, none of them above the limit over it on the same axis. Axes that were not asked for stay out: the
 * scopes above are checked as well, so nothing is handed down. Source: law 13, LE-05.
 *
 * @since 0.1.0
 * @category combining
 */
export const narrow = (above: Limits, asked: Limits): Limits => pick((axis) => least(asked[axis], above[axis]), asked)

/**
 * The tighter of two limits on each axis.
 *
 * @since 0.1.0
 * @category combining
 */
export const tighter = (self: Limits, that: Limits): Limits =>
  pick((axis) => least(self[axis], that[axis]), { ...self, ...that })

/**
 * The limits with some raised by an amount. An axis without a limit has nothing to raise and stays unbounded; a sum
 * beyond the safe integers stops there. Source: LE-W14.
 *
 * @since 0.1.0
 * @category combining
 */
export const raise = (limits: Limits, by: Limits): Limits =>
  pick((axis) => Math.min(Number.MAX_SAFE_INTEGER, (limits[axis] ?? 0) + (by[axis] ?? 0)), limits)

const least = (a: number | undefined, b: number | undefined): number =>
  Math.min(a ?? Number.MAX_SAFE_INTEGER, b ?? Number.MAX_SAFE_INTEGER)

const pick = (value: (axis: Axis.Axis) => number, axes: Limits): Limits => {
  const picked: { [A in Axis.Axis]?: number } = {}
  for (const axis of Axis.ORDER) if (axes[axis] !== undefined) picked[axis] = value(axis)
  return picked
}

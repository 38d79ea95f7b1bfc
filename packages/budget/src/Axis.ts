/**
 * Axes: what a run tree can run out of, in the order in which they are told.
 *
 * ```
 * counted     tokens, micros, calls        spent by calls, and held while they are in flight
 * clocks      elapsed, busy, inFlight      checked, never held: they bound a call by a deadline
 * children    children, liveChildren       taken by a dispatch
 * positional  depth, contextBytes          of one run or one request, not a sum
 * ```
 *
 * A counted axis and a clock are used up when the actual reaches the limit; a positional one is broken only above it
 * (LE-06). Children are counted as descendants of the scope, so that a cap on a tree bounds the tree and not each fan-out.
 *
 * Laws kept here: 10, 14. Source: LE-01, LE-06 to LE-08, mending LE-W6 and LE-W11.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * lernie's three in its order (tokens, wall by whichever clock, depth), then the others.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Axis = Schema.Literal(
  "tokens",
  "elapsed",
  "busy",
  "inFlight",
  "depth",
  "micros",
  "calls",
  "children",
  "liveChildren",
  "contextBytes"
)

/**
 * @since 0.1.0
 * @category models
 */
export type Axis = typeof Axis.Type

/**
 * Every axis, in order. Source: LE-07.
 *
 * @since 0.1.0
 * @category constants
 */
export const ORDER: ReadonlyArray<Axis> = Axis.literals

/**
 * The axes that calls spend and reservations hold.
 *
 * @since 0.1.0
 * @category constants
 */
export const COUNTED = ["tokens", "micros", "calls"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Counted = (typeof COUNTED)[number]

/**
 * The clocks. `elapsed`: since the scope's run was opened. `busy`: the spans of all calls of the scope added up, those in
 * flight up to now included, so that parallel calls add up beyond real time. `inFlight`: how long the oldest call now in
 * flight has been so.
 *
 * @since 0.1.0
 * @category constants
 */
export const CLOCKS = ["elapsed", "busy", "inFlight"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Clock = (typeof CLOCKS)[number]

/**
 * The name of an axis in a document and to an operator. A bare `max_wall_seconds` is the busy sum, as lernie has it.
 * Source: LE-08.
 *
 * @since 0.1.0
 * @category constants
 */
export const NAME: { readonly [A in Axis]: string } = {
  tokens: "max_total_tokens",
  elapsed: "max_wall_seconds.elapsed",
  busy: "max_wall_seconds",
  inFlight: "max_wall_seconds.in-flight",
  depth: "max_depth",
  micros: "max_cost_micros",
  calls: "max_calls",
  children: "max_children",
  liveChildren: "max_live_children",
  contextBytes: "max_context_bytes"
}

/**
 * The unit of an axis, in words.
 *
 * @since 0.1.0
 * @category constants
 */
export const UNIT: { readonly [A in Axis]: string } = {
  tokens: "tokens",
  elapsed: "seconds",
  busy: "seconds",
  inFlight: "seconds",
  depth: "levels",
  micros: "millionths of the currency",
  calls: "calls",
  children: "runs",
  liveChildren: "live runs",
  contextBytes: "bytes"
}

/**
 * Whether a value of an axis has run into its limit before anything more is asked. Source: LE-06.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isReached = (axis: Axis, limit: number, actual: number): boolean =>
  axis === "depth" || axis === "contextBytes" ? actual > limit : actual >= limit

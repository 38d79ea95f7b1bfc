/**
 * Time in an account: milliseconds since it was opened, made from the readings of clocks that may jump, run backwards or
 * belong to processes that are gone. Account time never decreases.
 *
 * ```
 * instant {clock, mono, wall} ──advance──> stamp {at, clock, mono, wall} ──note──> timeline
 *   a clock seen before:  at = its anchor + what its monotonic reading moved since      (a wall clock may say what it likes)
 *   a clock seen first:   at = the last stamp + what the wall moved since, never less   (a restart, another machine)
 * ```
 *
 * An anchor is set once, so one jump of the wall at a first contact shifts time until the older clocks have caught up, and
 * not for good. A monotonic reading that falls back stands still. A reading that is no number is the last one again.
 *
 * Laws kept here: 7 (a stamp says all that its time was made from), 10 and 11 (no clock can end a lease twice or make a
 * span negative). Source: mending LE-W6, LE-13.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * A reading of a clock. `clock` names the origin of `mono`: another for each start of a process. Both in milliseconds,
 * `wall` since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface Instant {
  readonly clock: string
  readonly mono: number
  readonly wall: number
}

/**
 * A moment of an account and the reading that it was made from.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Stamp = Schema.Struct({
  at: Schema.NonNegativeInt,
  clock: Schema.String,
  mono: Schema.Int,
  wall: Schema.Int
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Stamp = typeof Stamp.Type

/**
 * What is known of the clocks: the last stamp, and for each of the clocks met last where its origin lies.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Timeline = Schema.Struct({
  at: Schema.NonNegativeInt,
  wall: Schema.Int,
  anchors: Schema.Array(
    Schema.Struct({ clock: Schema.String, mono: Schema.Int, at: Schema.NonNegativeInt }).annotations({
      parseOptions: { onExcessProperty: "error" }
    })
  )
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Timeline = typeof Timeline.Type

/**
 * How many clocks are remembered; the one that was met first goes first, and is met anew if it comes back.
 *
 * @since 0.1.0
 * @category constants
 */
export const CLOCKS = 16

/**
 * The stamp of a reading, against what is known. Without a timeline it is the opening of the account: moment 0.
 *
 * @since 0.1.0
 * @category advancing
 */
export const advance = (timeline: Timeline | undefined, instant: Instant): Stamp => {
  const anchor = timeline?.anchors.find(({ clock }) => clock === instant.clock)
  const mono = whole(instant.mono, anchor?.mono ?? 0)
  const wall = whole(instant.wall, timeline?.wall ?? 0)
  const { clock } = instant
  if (timeline === undefined) return { at: 0, clock, mono, wall }
  const moved = anchor === undefined ? timeline.at + (wall - timeline.wall) : anchor.at + (mono - anchor.mono)
  return { at: Math.min(Number.MAX_SAFE_INTEGER, Math.max(timeline.at, moved)), clock, mono, wall }
}

/**
 * What is known after a stamp.
 *
 * @since 0.1.0
 * @category advancing
 */
export const note = (timeline: Timeline | undefined, { at, clock, mono, wall }: Stamp): Timeline => {
  if (timeline === undefined) return { at, wall, anchors: [{ clock, mono, at }] }
  const isKnown = timeline.anchors.some((anchor) => anchor.clock === clock)
  return {
    at: Math.max(timeline.at, at),
    wall,
    anchors: isKnown ? timeline.anchors : [...timeline.anchors.slice(1 - CLOCKS), { clock, mono, at }]
  }
}

/** Within what a sum of two cannot leave the safe integers. */
const whole = (n: number, last: number): number => (Number.isFinite(n) && Math.abs(n) < MOST ? Math.floor(n) : last)

const MOST = 2 ** 51

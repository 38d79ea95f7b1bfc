/**
 * Laws 10 and 11, of clocks: account time never runs back, follows a monotonic clock exactly whatever the wall says, and is
 * a count whatever a clock says.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Instant, Timeline } from "../Timeline.ts"
import { ours, type AccountImplementation } from "./AccountImplementation.ts"
import * as Arbitraries from "./Arbitraries.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const clocks: Law<AccountImplementation> = {
  number: 10,
  name: "account time never runs back, is a count, and one monotonic clock is believed to the millisecond",
  property: ({ advance, note }) =>
    FastCheck.property(FastCheck.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      let timeline: Timeline | undefined
      let [last, passed, isAlone] = [0, 0, true]
      for (const { clock, passes, wild, wall } of steps) {
        passed += passes
        isAlone = isAlone && clock === 0 && wild === undefined
        const instant: Instant = {
          clock: `process ${clock}`,
          mono: wild ?? passed,
          wall: wild ?? EPOCH + passed + wall
        }
        const stamp = advance(timeline, instant)
        const first = timeline === undefined
        if (first) passed = 0
        const starts = first && wild === undefined ? passes : 0
        if (!Number.isSafeInteger(stamp.at) || stamp.at < last) return false
        if (![stamp.mono, stamp.wall].every(Number.isSafeInteger)) return false
        if (isAlone && first && stamp.at !== 0) return false
        if (isAlone && !first && stamp.at !== passed) return false
        timeline = note(timeline, stamp)
        if (first) timeline = rebase(timeline, starts)
        if (timeline.anchors.length > 16) return false
        last = stamp.at
      }
      return true
    }),
  mutants: [
    {
      name: "the wall is believed",
      implementation: {
        ...ours,
        advance: (timeline, instant) => {
          const stamp = ours.advance(timeline, instant)
          return timeline === undefined ? stamp : { ...stamp, at: timeline.at + (stamp.wall - timeline.wall) }
        }
      }
    },
    {
      name: "a clock that falls back turns time back",
      implementation: {
        ...ours,
        advance: (timeline, instant) => {
          const stamp = ours.advance(timeline, instant)
          const anchor = timeline?.anchors.find(({ clock }) => clock === instant.clock)
          return anchor === undefined ? stamp : { ...stamp, at: Math.abs(anchor.at + stamp.mono - anchor.mono) }
        }
      }
    },
    {
      name: "a clock that was met before is met anew",
      implementation: { ...ours, note: (timeline, stamp) => ({ ...ours.note(timeline, stamp), anchors: [] }) }
    }
  ]
}

/** As if the first reading had been 0: the property counts what passes from there. */
const rebase = (timeline: Timeline, by: number): Timeline => ({
  ...timeline,
  anchors: timeline.anchors.map((anchor) => ({ ...anchor, mono: anchor.mono - by }))
})

const step = FastCheck.record({
  clock: FastCheck.oneof({ weight: 6, arbitrary: FastCheck.constant(0) }, { weight: 1, arbitrary: FastCheck.nat(30) }),
  passes: FastCheck.nat(100_000),
  wall: FastCheck.integer({ min: -60_000, max: 60_000 }),
  wild: FastCheck.option(Arbitraries.anyNumber, { freq: 8, nil: undefined })
})

const EPOCH = 1_700_000_000_000

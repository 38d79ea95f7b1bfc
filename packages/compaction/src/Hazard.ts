/**
 * How likely the model is to use an entry again, by what it is and how long it has been idle.
 *
 *     chance of a use on the next request │\
 *                                         │ \__           about 1/age: no class is ever safe, none stays hot
 *                                         │    \______
 *                                         └──────────── requests since it was last of use
 *
 * Measured over recorded sessions of coding agents (pooled; a use is a passage of at least 40 characters quoted again, or
 * the same result fetched again). A table of a prior, not of a run: what a run itself shows, it shows by resetting the
 * clock of an entry.
 *
 * @since 0.1.0
 */
import type { Kind } from "@palimpsest/ledger/Observation"

/**
 * What an entry is, as far as its use goes: a file that was read, a listing, a search, a command or another tool, or the
 * arguments and the words of the model itself.
 *
 * @since 0.1.0
 * @category models
 */
export type Class = "read" | "find" | "grep" | "tool" | "arguments" | "words"

/**
 * The class of an observed kind.
 *
 * @since 0.1.0
 * @category classes
 */
export const classOf = (kind: Kind | undefined): Class => {
  switch (kind) {
    case "read":
    case "skill":
      return "read"
    case "find":
      return "find"
    case "grep":
      return "grep"
    case "write":
      return "arguments"
    case "message":
      return "words"
    default:
      return "tool"
  }
}

/**
 * What is to be expected over the next requests: `use`, the chance of a use among them; `idle`, how many of them pass
 * before it (all of them, where none comes).
 *
 * @since 0.1.0
 * @category models
 */
export interface Outlook {
  readonly use: number
  readonly idle: number
}

/**
 * The outlook of an entry of a class that has been idle for `age` requests (1 or more), over `horizon` requests.
 *
 * @since 0.1.0
 * @category outlooks
 */
export const outlook = (of: Class, age: number, horizon: number): Outlook => {
  const { survival, sums } = CURVES[of]
  const from = Math.min(Math.max(1, age), LONGEST)
  const to = Math.min(from + Math.max(0, horizon), LONGEST)
  const now = survival[from - 1]!
  return { use: 1 - survival[to - 1]! / now, idle: (sums[to - 1]! - sums[from - 1]!) / now + (horizon - (to - from)) }
}

/**
 * Chances per request, in percent, in bands of ages that end at these. What the model wrote itself is scaled down: most of
 * what is quoted of it stands in a file or a result too, and it is not fetched again.
 */
const BANDS = [1, 2, 4, 8, 16, 32, 64, 128, 1_024] as const
const scaled = (percent: ReadonlyArray<number>, by: number): ReadonlyArray<number> => percent.map((n) => n * by)
const PERCENT: Readonly<Record<Class, ReadonlyArray<number>>> = {
  read: [7.4, 3.6, 3.0, 2.5, 1.4, 0.43, 0.3, 0.14, 0.05],
  find: [9.4, 6.4, 3.0, 2.1, 0.8, 0.5, 0.1, 0.2, 0.01],
  grep: [3.3, 2.7, 1.6, 0.6, 0.3, 0.06, 0.07, 0.05, 0.01],
  tool: [4.4, 2.2, 1.4, 0.6, 0.3, 0.14, 0.06, 0.03, 0.01],
  arguments: scaled([1.4, 0.9, 1.0, 0.8, 0.5, 0.1, 0.1, 0.04, 0.01], 0.1),
  words: scaled([1.4, 0.9, 1.0, 0.8, 0.5, 0.1, 0.1, 0.04, 0.01], 0.05)
}

const LONGEST = 1_024

interface Curve {
  /** `survival[a - 1]`: the share that is still unused after `a` idle requests. */
  readonly survival: Float64Array
  /** Running sums of the above. */
  readonly sums: Float64Array
}

const curveOf = (percent: ReadonlyArray<number>): Curve => {
  const survival = new Float64Array(LONGEST)
  const sums = new Float64Array(LONGEST)
  let left = 1
  let sum = 0
  let band = 0
  for (let age = 1; age <= LONGEST; age++) {
    if (age > BANDS[band]!) band++
    left *= 1 - percent[band]! / 100
    sum += left
    survival[age - 1] = left
    sums[age - 1] = sum
  }
  return { survival, sums }
}

const CURVES: Readonly<Record<Class, Curve>> = {
  read: curveOf(PERCENT.read),
  find: curveOf(PERCENT.find),
  grep: curveOf(PERCENT.grep),
  tool: curveOf(PERCENT.tool),
  arguments: curveOf(PERCENT.arguments),
  words: curveOf(PERCENT.words)
}

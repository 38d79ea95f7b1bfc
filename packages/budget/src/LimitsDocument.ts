/**
 * Limits and rules as people write them: the `budgets:` of a `workflow.yaml`, or the same as JSON, which somebody has
 * parsed already. Every fault is told, each at its exact place; whoever has the text turns a path into a line.
 *
 * ```
 * budgets:
 *   max_total_tokens: 2000000
 *   max_wall_seconds: { elapsed: 3600, in-flight: 300 }   # or a bare number: the busy sum, as lernie has it
 *   max_depth: 4
 *   landing: { calls: 2, share: 0.05 }
 * ```
 *
 * Laws kept here: 14 (unknown keys and malformed values are refused, and nothing defaults silently: what is left out is
 * unbounded, or the standard rule). Source: LE-01, LE-20, LE-W12.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { Limits } from "./Limits.ts"
import { standard, type Rules } from "./Rules.ts"
import { basisPointsOf } from "./ContextBudget.ts"

/**
 * One fault: its keys from the root of the document down, the same as text, and what is wrong there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fault {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  readonly why: string
}

/**
 * A document that is not limits and rules, with all its faults in the order of the document.
 *
 * @since 0.1.0
 * @category errors
 */
export class MalformedLimits extends Data.TaggedError("MalformedLimits")<{ readonly faults: ReadonlyArray<Fault> }> {
  override get message(): string {
    return this.faults.map(({ path, why }) => (path === "" ? why : `${path}: ${why}`)).join("\n")
  }
}

/**
 * What a document says.
 *
 * @since 0.1.0
 * @category models
 */
export interface Budgets {
  readonly limits: Limits
  readonly rules: Rules
}

/**
 * The `budgets` of a parsed workflow; its other keys belong to others. No `budgets` at all is no limit (LE-01).
 *
 * @since 0.1.0
 * @category codecs
 */
export const decodeWorkflow = (document: unknown): Either.Either<Budgets, MalformedLimits> => {
  if (!isRecord(document)) return failed([fault([], "an object", document)])
  return Object.hasOwn(document, "budgets")
    ? decodeAt(["budgets"], document["budgets"])
    : Either.right({ limits: {}, rules: standard })
}

/**
 * A parsed value that is the `budgets` themselves.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (budgets: unknown): Either.Either<Budgets, MalformedLimits> => decodeAt([], budgets)

const decodeAt = (root: ReadonlyArray<string>, budgets: unknown): Either.Either<Budgets, MalformedLimits> => {
  if (!isRecord(budgets)) return failed([fault(root, "an object", budgets)])
  const faults: Array<Fault> = []
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = {}
  const rules: { -readonly [K in keyof Rules]: Rules[K] } = { ...standard }
  const count = (keys: ReadonlyArray<string>, value: unknown, least: number): number => {
    const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= least
    if (!isCount) faults.push(fault(keys, `a whole number of at least ${least}`, value))
    return isCount ? value : least
  }
  const choice = <A extends string>(
    keys: ReadonlyArray<string>,
    value: unknown,
    choices: ReadonlyArray<A>,
    or: A
  ): A => {
    const found = choices.find((choice) => choice === value)
    if (found === undefined) faults.push(fault(keys, choices.map((c) => `"${c}"`).join(" or "), value))
    return found ?? or
  }
  const share = (keys: ReadonlyArray<string>, value: unknown, most: number): number => {
    const points = typeof value === "number" ? basisPointsOf(value) : undefined
    if (points !== undefined && Either.isRight(points) && points.right <= most) return points.right
    faults.push(fault(keys, `a share of at least 0.0001 and at most ${most / 10_000}`, value))
    return 1
  }
  for (const [key, value] of Object.entries(budgets)) {
    const at = [...root, key]
    const plain = plainOf(key)
    if (plain !== undefined) limits[plain.axis] = count(at, value, plain.least)
    else if (key === "max_wall_seconds") {
      if (!isRecord(value)) limits.busy = count(at, value, 1)
      else {
        if (Object.keys(value).length === 0) faults.push(fault(at, `a clock: ${CLOCK_NAMES.join(", ")}`, value))
        for (const [name, seconds] of Object.entries(value)) {
          const clock = clockOf(name)
          if (clock === undefined) faults.push(unknown([...at, name], CLOCK_NAMES))
          else limits[clock] = count([...at, name], seconds, 1)
        }
      }
    } else if (key === "unmeasured") rules.unmeasured = choice(at, value, ["charge", "refuse"], "charge")
    else if (key === "expiry") rules.expiry = choice(at, value, ["release", "charge"], "release")
    else if (key === "lease_seconds") rules.leaseMs = leaseOf(count(at, value, 1), at, value, faults)
    else if (key === "warn_at") {
      if (value === false) delete rules.warnAt
      else rules.warnAt = share(at, value, 10_000)
    } else if (key === "landing") {
      if (!isRecord(value)) faults.push(fault(at, "an object", value))
      else {
        for (const name of Object.keys(value)) {
          if (name !== "calls" && name !== "share") faults.push(unknown([...at, name], ["calls", "share"]))
        }
        const calls = count([...at, "calls"], value["calls"], 1)
        if (calls > 1_000) faults.push(fault([...at, "calls"], "at most 1000 calls", value["calls"]))
        rules.landing = { calls, basisPoints: share([...at, "share"], value["share"], 9_999) }
      }
    } else faults.push(unknown(at, KEYS))
  }
  return faults.length === 0 ? Either.right({ limits, rules }) : failed(faults)
}

const leaseOf = (seconds: number, at: ReadonlyArray<string>, value: unknown, faults: Array<Fault>): number => {
  if (seconds > 86_400) faults.push(fault(at, "at most 86400 seconds", value))
  return seconds * 1_000
}

const PLAIN = [
  ["max_total_tokens", { axis: "tokens", least: 1 }],
  ["max_cost_micros", { axis: "micros", least: 1 }],
  ["max_depth", { axis: "depth", least: 0 }],
  ["max_calls", { axis: "calls", least: 1 }],
  ["max_children", { axis: "children", least: 0 }],
  ["max_live_children", { axis: "liveChildren", least: 0 }],
  ["max_context_bytes", { axis: "contextBytes", least: 1 }]
] as const

const CLOCK = [
  ["elapsed", "elapsed"],
  ["busy", "busy"],
  ["in-flight", "inFlight"]
] as const

const plainOf = (key: string) => PLAIN.find(([name]) => name === key)?.[1]
const clockOf = (key: string) => CLOCK.find(([name]) => name === key)?.[1]

const CLOCK_NAMES = CLOCK.map(([name]) => name)
const KEYS = [
  ...PLAIN.map(([name]) => name),
  "max_wall_seconds",
  "unmeasured",
  "expiry",
  "lease_seconds",
  "warn_at",
  "landing"
]

const failed = (faults: ReadonlyArray<Fault>): Either.Either<never, MalformedLimits> =>
  Either.left(new MalformedLimits({ faults }))

const fault = (keys: ReadonlyArray<string>, expected: string, actual: unknown): Fault => ({
  keys,
  path: keys.join("."),
  why: `expected ${expected}, got ${shown(actual)}`
})

const unknown = (keys: ReadonlyArray<string>, known: Iterable<string>): Fault => ({
  keys,
  path: keys.join("."),
  why: `unknown key; known are ${[...known].join(", ")}`
})

const shown = (value: unknown): string => {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing")
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

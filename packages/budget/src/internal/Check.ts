/**
 * Checking a run against every limit of every scope that it is in: one walk up its path, whatever the tree's size.
 *
 * At each scope `taken` is what stands against its limit for this run: all that is committed there, less what is set
 * aside for the run's own branch and still unspent, which is the run's to use.
 */
import * as HashMap from "effect/HashMap"
import { nothing, runOf, type Account, type Amount, type ReservationRow, type RunRow } from "../Account.ts"
import * as Axis from "../Axis.ts"
import type { RunId } from "../Ids.ts"
import * as Measure from "../Measure.ts"
import type { AxisReading, Reading } from "../Reading.ts"
import { capOf } from "../Rules.ts"
import { minus, outward, plus } from "./Amounts.ts"

/** What is asked on top of what is. */
export interface Ask {
  readonly amount: Amount
  readonly landing: boolean
  readonly depth: number
  readonly children: number
  readonly live: number
  readonly contextBytes: number
}

export const nothingMore = (depth: number): Ask => ({
  amount: nothing,
  landing: false,
  depth,
  children: 0,
  live: 0,
  contextBytes: 0
})

/** A scope on the way up, with what this run adds to it and what stands against its limits for this run. */
interface Step {
  readonly row: RunRow
  readonly more: Amount
  readonly taken: Amount
}

export const stepsOf = (path: ReadonlyArray<RunRow>, amount: Amount): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let [more, unused] = [amount, nothing]
  for (const row of path) {
    const taken = minus(row.committed, unused)
    steps.push({ row, more, taken })
    const before = outward(row)
    more = minus(outward({ ...row, committed: plus(row.committed, more) }), before)
    unused = minus(before, taken)
  }
  return steps
}

/** Whether anything stops the run: looks at limits that there are, and no further than it must. */
export const isStopped = (account: Account, path: ReadonlyArray<RunRow>, at: number, ask: Ask): boolean =>
  stepsOf(path, ask.amount).some((step) =>
    Axis.ORDER.some((axis) => step.row.limits[axis] !== undefined && axisOf(account, step, axis, at, ask).crossed)
  )

export const readingOf = (
  account: Account,
  run: RunId,
  path: ReadonlyArray<RunRow>,
  at: number,
  ask: Ask
): Reading | undefined => {
  const [first, ...rest] = stepsOf(path, ask.amount).map((step) => ({
    scope: step.row.run,
    axes: Axis.ORDER.map((axis) => axisOf(account, step, axis, at, ask))
  }))
  return first === undefined ? undefined : { run, at, position: account.head.seq, scopes: [first, ...rest] }
}

/** How much longer a call that begins now may take before a clock stops the run; nothing where no clock is limited. */
export const deadlineOf = (account: Account, path: ReadonlyArray<RunRow>, at: number, landing: boolean) => {
  const left = path.flatMap((row) =>
    Axis.CLOCKS.flatMap((clock) => {
      const limit = row.limits[clock]
      if (limit === undefined) return []
      const cap = capOf(account.head.rules, limit, landing) * 1_000
      if (clock === "inFlight") return [cap]
      if (clock === "elapsed") return [cap - (at - row.openedAt)]
      return [Math.floor((cap - busyMs(row, at)) / (row.open + 1))]
    })
  )
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left))
}

const axisOf = (account: Account, { more, row, taken }: Step, axis: Axis.Axis, at: number, ask: Ask): AxisReading => {
  const limit = row.limits[axis]
  const cap = limit === undefined ? undefined : capOf(account.head.rules, limit, ask.landing)
  const read = (
    charged: number,
    reserved: number,
    asked: number,
    actual: Measure.Measure,
    crossed: (cap: number) => boolean,
    waits: (cap: number) => boolean = () => false
  ): AxisReading => {
    const isCrossed = cap !== undefined && crossed(cap)
    return {
      axis,
      ...(limit === undefined ? {} : { limit }),
      actual,
      charged,
      reserved,
      asked,
      ...(cap === undefined ? {} : { remaining: Math.max(0, cap - charged - reserved) }),
      crossed: isCrossed,
      waits: isCrossed && waits(cap)
    }
  }
  switch (axis) {
    case "tokens":
    case "micros":
    case "calls": {
      const [charged, used, asked] = [row.charged[axis], taken[axis], more[axis]]
      const stops = (by: number) => (cap: number) => by >= cap || by + asked > cap
      const missing = axis === "calls" ? 0 : row.unmeasured[axis]
      const actual =
        missing === 0
          ? Measure.measured(charged)
          : Measure.unmeasured(`not of ${missing} of ${row.charged.calls} calls`)
      return read(
        charged,
        Math.max(0, used - charged),
        Math.max(0, asked),
        actual,
        stops(used),
        (cap) => !stops(charged)(cap)
      )
    }
    case "elapsed":
    case "busy":
    case "inFlight": {
      const ms =
        axis === "elapsed" ? at - row.openedAt : axis === "busy" ? busyMs(row, at) : inFlightMs(account, row, at)
      const seconds = Math.floor(ms / 1_000)
      return read(seconds, 0, 0, Measure.measured(seconds), (cap) => ms >= cap * 1_000)
    }
    case "depth":
      return read(ask.depth, 0, 0, Measure.measured(ask.depth), () => limit !== undefined && ask.depth > limit)
    case "children":
    case "liveChildren": {
      const [count, asked] = axis === "children" ? [row.children, ask.children] : [row.live, ask.live]
      const stops = () => limit !== undefined && asked > 0 && count + asked > limit
      return read(count, 0, asked, Measure.measured(count), stops, () => axis === "liveChildren" && limit !== 0)
    }
    case "contextBytes": {
      const { contextBytes } = ask
      const stops = () => limit !== undefined && contextBytes > limit
      return {
        ...read(row.contextBytes, 0, contextBytes, Measure.measured(row.contextBytes), stops),
        ...(limit === undefined ? {} : { remaining: limit })
      }
    }
  }
}

export const busyMs = (row: RunRow, at: number): number => row.busyMs + row.open * at - row.openSince

const inFlightMs = (account: Account, scope: RunRow, at: number): number => {
  if (scope.open === 0) return 0
  let since = at
  for (const call of HashMap.values(account.reservations)) {
    if (call.state === "open" && call.since < since && isWithin(account, call, scope.run)) since = call.since
  }
  return at - since
}

const isWithin = (account: Account, call: ReservationRow, scope: RunId): boolean => {
  for (let at: RunId | undefined = call.run; at !== undefined; at = runOf(account, at)?.parent) {
    if (at === scope) return true
  }
  return false
}

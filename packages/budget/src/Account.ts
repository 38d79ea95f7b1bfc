/**
 * The account of a run tree: the fold of its facts.
 *
 * ```
 * runs:          one row for each run: what it and all below it have spent, hold and count (their sums, kept up the path)
 * reservations:  one row for each call in flight, or whose lease ran out and that may still be settled
 * head:          clocks, rules, the number of facts, the newest closed reservations
 * ```
 *
 * Because each run's row has the sums of its subtree, a check reads the rows from the run up to the root and no others,
 * however many runs and calls there are. An account may be *partial*: a store loads the rows that `Fold.footprint` names,
 * and writes back those that changed.
 *
 * Laws kept here: 1 (a value; old ones stay), 10. Source: LE-03 to LE-05, mending LE-W4, LE-W5.
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Allotment } from "./AccountFact.ts"
import { Axis } from "./Axis.ts"
import { Epitaph } from "./Epitaph.ts"
import { Hold } from "./Hold.ts"
import { ReservationId, RunId } from "./Ids.ts"
import { Limits } from "./Limits.ts"
import { Rules } from "./Rules.ts"
import { Timeline } from "./Timeline.ts"

const strict = { parseOptions: { onExcessProperty: "error" } } as const
const count = Schema.NonNegativeInt

/**
 * So much on each counted axis.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Amount = Schema.Struct({ tokens: count, micros: count, calls: count }).annotations(strict)
/** @since 0.1.0 */
export type Amount = typeof Amount.Type

/**
 * The row of a run. Of itself: `own`, what its own calls were charged; `landed`, how many landing calls it reserved. Of
 * its subtree: `charged`; `held` by calls in flight; `committed`, both together with what is set aside for children and
 * not used by them; how many calls had no measured tokens or micros, since accepted; `busyMs` of ended calls; the number
 * of calls `open` and the sum of the moments at which they began; `children` ever and `live`; the largest request.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RunRow = Schema.Struct({
  run: RunId,
  parent: Schema.optionalWith(RunId, { exact: true }),
  depth: count,
  openedAt: count,
  epitaph: Schema.optionalWith(Epitaph, { exact: true }),
  limits: Limits,
  allotment: Allotment,
  own: Amount,
  landed: count,
  charged: Amount,
  held: Amount,
  committed: Amount,
  unmeasured: Schema.Struct({ tokens: count, micros: count }).annotations(strict),
  accepted: Schema.Struct({ tokens: count, micros: count }).annotations(strict),
  busyMs: count,
  open: count,
  openSince: count,
  children: count,
  live: count,
  contextBytes: count,
  warned: Schema.Array(Axis)
}).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type RunRow = typeof RunRow.Type

/**
 * The row of a reservation that is not closed. `since` and `until` are moments of account time.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ReservationRow = Schema.Struct({
  reservation: ReservationId,
  run: RunId,
  hold: Hold,
  landing: Schema.Boolean,
  since: count,
  until: count,
  state: Schema.Literal("open", "expired", "charged")
}).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type ReservationRow = typeof ReservationRow.Type

/**
 * A reservation that was closed lately, so that a repeat of the act is answered as the first was.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Closed = Schema.Struct({
  reservation: ReservationId,
  run: RunId,
  how: Schema.Literal("settled", "released"),
  charged: Schema.Struct({ tokens: count, micros: count }).annotations(strict)
}).annotations(strict)

/**
 * What is not a row of a run or reservation. `frozen` are the limits of the tree as it was
 * opened, before any grant; `inFlight` whether a scope has a limit on that clock; `seq` the number of facts so far. `nextExpiry`: no lease ends before it.
 * `grants`: the ids of all grants.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Head = Schema.Struct({
  root: RunId,
  rules: Rules,
  frozen: Limits,
  inFlight: Schema.Boolean,
  seq: Schema.Positive.pipe(Schema.int()),
  timeline: Timeline,
  nextExpiry: Schema.optionalWith(count, { exact: true }),
  closed: Schema.Array(Closed),
  grants: Schema.Array(ReservationId)
}).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type Head = typeof Head.Type

/**
 * How many closed reservations are remembered. A store that keeps a row for each need not rely on it.
 *
 * @since 0.1.0
 * @category constants
 */
export const REMEMBERED = 64

/**
 * @since 0.1.0
 * @category models
 */
export interface Account {
  readonly head: Head
  readonly runs: HashMap.HashMap<RunId, RunRow>
  readonly reservations: HashMap.HashMap<ReservationId, ReservationRow>
}

/**
 * @since 0.1.0
 * @category constants
 */
export const nothing: Amount = { tokens: 0, micros: 0, calls: 0 }

/**
 * The row of a run that has done nothing yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rowOf = (
  run: Pick<RunRow, "run" | "depth" | "openedAt" | "limits" | "allotment"> & { readonly parent?: RunId }
): RunRow => ({
  ...run,
  own: nothing,
  landed: 0,
  charged: nothing,
  held: nothing,
  committed: nothing,
  unmeasured: { tokens: 0, micros: 0 },
  accepted: { tokens: 0, micros: 0 },
  busyMs: 0,
  open: 0,
  openSince: 0,
  children: 0,
  live: 0,
  contextBytes: 0,
  warned: []
})

/**
 * @since 0.1.0
 * @category accessors
 */
export const runOf = (account: Account, run: RunId): RunRow | undefined =>
  Option.getOrUndefined(HashMap.get(account.runs, run))

/**
 * @since 0.1.0
 * @category accessors
 */
export const reservationOf = (account: Account, reservation: ReservationId): ReservationRow | undefined =>
  Option.getOrUndefined(HashMap.get(account.reservations, reservation))

/**
 * The rows from a run up to the root. Empty where one of them is not there.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pathOf = (account: Account, run: RunId): ReadonlyArray<RunRow> => {
  const path: Array<RunRow> = []
  for (let at: RunId | undefined = run; at !== undefined;) {
    const row: RunRow | undefined = runOf(account, at)
    if (row === undefined) return []
    path.push(row)
    at = row.parent
  }
  return path
}

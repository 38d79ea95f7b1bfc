/**
 * The oracle: an account as one would do it by hand, one thing after another, with a list of runs and a list of calls and
 * every sum taken anew. It shares nothing with the fold but the words.
 *
 * @since 0.1.0
 */
import type { Allotment } from "../../AccountFact.ts"
import type { Limits } from "../../Limits.ts"

/** A run as the oracle knows it. */
export interface Run {
  readonly name: string
  readonly parent: string | undefined
  readonly depth: number
  limits: Limits
  allotment: Allotment
  ended: boolean
}

/** A call: `held` while it is in flight, `spent` what it counts for. */
export interface Call {
  readonly name: string
  readonly run: string
  readonly tokens: number
  readonly micros: number
  readonly overshoot: number
  state: "open" | "expired" | "released" | "settled"
  /** What it may have passed a limit by: its declared overshoot, or anything, once nothing was held for it. */
  beyond: number
  spent: { readonly tokens: number; readonly micros: number; readonly calls: number }
}

const AXES = ["tokens", "micros", "calls"] as const
type Axis = (typeof AXES)[number]

/**
 * What there is, and what it says about limits.
 *
 * @since 0.1.0
 * @category models
 */
export class Oracle {
  readonly runs: Array<Run> = []
  readonly calls: Array<Call> = []

  run(name: string): Run | undefined {
    return this.runs.find((run) => run.name === name)
  }

  pathOf(name: string): ReadonlyArray<Run> {
    const run = this.run(name)
    return run === undefined ? [] : [run, ...(run.parent === undefined ? [] : this.pathOf(run.parent))]
  }

  isWithin(scope: string, run: string): boolean {
    return this.pathOf(run).some(({ name }) => name === scope)
  }

  charged(scope: string, axis: Axis): number {
    return this.sum(
      this.calls.filter(({ run }) => this.isWithin(scope, run)),
      ({ spent }) => spent[axis]
    )
  }

  held(scope: string, axis: Axis): number {
    return this.sum(
      this.calls.filter(({ run, state }) => state === "open" && this.isWithin(scope, run)),
      (call) => (axis === "calls" ? 1 : call[axis])
    )
  }

  /** All that is spoken for in a scope. What is set aside for the runs named in `but` is taken for unused. */
  committed(scope: string, axis: Axis, but: ReadonlyArray<string> = []): number {
    const own = this.calls.filter(({ run }) => run === scope)
    const children = this.runs.filter(({ parent }) => parent === scope)
    return (
      this.sum(own, (call) => call.spent[axis] + (call.state !== "open" ? 0 : axis === "calls" ? 1 : call[axis])) +
      this.sum(children, ({ allotment, ended, name }) => {
        const used = this.committed(name, axis, but)
        return ended || but.includes(name) ? used : Math.max(used, allotment[axis] ?? 0)
      })
    )
  }

  /** The scopes in which more is spoken for than their limits allow, and by how much, by name and axis. */
  passed(): ReadonlyMap<string, number> {
    return new Map(
      this.runs.flatMap(({ limits, name }) =>
        AXES.flatMap((axis) => {
          const [limit, committed] = [limits[axis], this.committed(name, axis)]
          return limit !== undefined && committed > limit ? [[`${name} ${axis}`, committed - limit] as const] : []
        })
      )
    )
  }

  /** What the calls of a scope, by its name and axis, may have passed its limit by. */
  declared(where: string): number {
    const scope = where.split(" ")[0] ?? where
    return this.sum(
      this.calls.filter(({ run }) => this.isWithin(scope, run)),
      ({ beyond }) => beyond
    )
  }

  /** Whether a run may not go on as it stands: a limit is used up by others and itself, or it is too deep. */
  isUsedUp(run: string): boolean {
    const path = this.pathOf(run)
    const names = path.map(({ name }) => name)
    const depth = path[0]?.depth ?? 0
    return path.some(
      ({ limits, name }) =>
        AXES.some((axis) => (limits[axis] ?? Infinity) <= this.committed(name, axis, names)) ||
        depth > (limits.depth ?? Infinity)
    )
  }

  /** How many runs below a scope there are, or are alive. */
  descendants(scope: string, alive: boolean): number {
    return this.runs.filter(({ ended, name }) => name !== scope && this.isWithin(scope, name) && !(alive && ended))
      .length
  }

  private sum<A>(items: ReadonlyArray<A>, value: (item: A) => number): number {
    return items.reduce((total, item) => total + value(item), 0)
  }
}

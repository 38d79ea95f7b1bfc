/**
 * Derivation: what each run, each subtree and the whole tree have spent, straight from the facts.
 *
 * This is the meaning that the account's fold must agree with. It reads the whole log, keeps no sums up a path and shares
 * no code with the fold; an audit and a property test compare the two.
 *
 * Laws kept here: 10 (each token has one owner: a child's are its own, and its parents' only in their subtree), 11.
 * Source: LE-03 to LE-05, LE-09, LE-11, mending LE-W4; field reports B86, B88.
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import { runOf, type Account, type Amount } from "./Account.ts"
import type { AccountFact } from "./AccountFact.ts"
import type { RunId } from "./Ids.ts"
import * as Measure from "./Measure.ts"
import type { Spend } from "./Spend.ts"
import { of as spendOf } from "./Spend.ts"
import type { Usage } from "./Usage.ts"
import { ofUsage } from "./UsageShape.ts"

/**
 * What was spent. `tokens` and `micros` are measures: unmeasured where any attempt was. `charged` counts against limits,
 * `held` is in flight. `busyMs` is of calls that ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface Totals {
  readonly tokens: Measure.Measure
  readonly micros: Measure.Measure
  readonly charged: Amount
  readonly held: Amount
  readonly busyMs: number
}

/**
 * A run's own spending, and that of it and all below it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Spent {
  readonly parent: RunId | undefined
  readonly own: Totals
  readonly subtree: Totals
}

/**
 * The spending of every run of an account, from its facts. Source: LE-03.
 *
 * @since 0.1.0
 * @category deriving
 */
export const derive = (facts: Iterable<AccountFact>): ReadonlyMap<RunId, Spent> => {
  const parents = new Map<RunId, RunId | undefined>()
  const attempts = new Map<string, Attempt>()
  for (const fact of facts) {
    if (fact._tag === "Opened") parents.set(fact.root, undefined)
    else if (fact._tag === "ChildOpened") parents.set(fact.run, fact.parent)
    else if (fact._tag === "Reserved") {
      const held = { tokens: fact.hold.tokens, micros: fact.hold.micros ?? 0, calls: 1 }
      const [since, until] = [fact.time.at, fact.until]
      attempts.set(fact.reservation, { run: fact.run, hold: held, since, until, held, charged: NONE, busyMs: 0 })
    } else if (fact._tag === "Settled") {
      const before = attempts.get(fact.reservation)
      const from = before === undefined || fact.was === "released" ? undefined : (before.busyTo ?? before.since)
      attempts.set(fact.reservation, {
        ...(before ?? { hold: NONE, since: 0, until: 0, busyMs: 0 }),
        run: fact.run,
        held: NONE,
        charged: { ...fact.charged, calls: 1 },
        spend: fact.spend,
        busyMs: (before?.busyMs ?? 0) + (from === undefined ? 0 : Math.max(0, fact.time.at - from))
      })
    } else {
      const before = "reservation" in fact ? attempts.get(fact.reservation) : undefined
      if (before === undefined) continue
      if (fact._tag === "Renewed") attempts.set(fact.reservation, { ...before, until: fact.until })
      else if (fact._tag === "Released") {
        const busyMs = before.busyMs + Math.max(0, fact.time.at - (before.busyTo ?? before.since))
        const { spend: _, ...rest } = before
        attempts.set(fact.reservation, { ...rest, held: NONE, charged: NONE, busyMs })
      } else if (fact._tag === "LeaseExpired") {
        attempts.set(fact.reservation, {
          ...before,
          held: NONE,
          charged: fact.charged ? before.hold : NONE,
          ...(fact.charged ? { spend: LOST } : {}),
          busyMs: before.until - before.since,
          busyTo: before.until
        })
      }
    }
  }
  return gather(parents, [...attempts.values()])
}

/**
 * A run and the usage of each of its attempts, the failed and the superseded among them.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunUsage {
  readonly run: RunId
  readonly parent?: RunId
  readonly attempts: ReadonlyArray<Usage>
}

/**
 * The spending of every run of a tree that was recorded elsewhere and had no account, from usage alone. Source: LE-09.
 *
 * @since 0.1.0
 * @category deriving
 */
export const ofUsages = (runs: ReadonlyArray<RunUsage>): ReadonlyMap<RunId, Spent> =>
  gather(
    new Map(runs.map(({ parent, run }) => [run, parent])),
    runs.flatMap(({ attempts, run }) =>
      attempts.map((usage): Attempt => {
        const spend = spendOf(ofUsage(usage))
        const charged = { ...spend.atLeast, calls: 1 }
        return { run, hold: NONE, since: 0, until: 0, held: NONE, charged, spend, busyMs: 0 }
      })
    )
  )

/**
 * Where the fold of an account and the derivation from its facts do not agree: nowhere, while both are whole.
 *
 * @since 0.1.0
 * @category auditing
 */
export const disagreements = (account: Account, facts: Iterable<AccountFact>): ReadonlyArray<string> => {
  const derived = derive(facts)
  const told: Array<string> = []
  const compare = (run: RunId, what: string, kept: number, found: number) => {
    if (kept !== found) told.push(`${run}: ${what} is kept as ${kept} and derived as ${found}`)
  }
  for (const [run, { own, subtree }] of derived) {
    const row = runOf(account, run)
    if (row === undefined) {
      told.push(`${run}: is not kept`)
      continue
    }
    for (const axis of ["tokens", "micros", "calls"] as const) {
      compare(run, `own ${axis}`, row.own[axis], own.charged[axis])
      compare(run, axis, row.charged[axis], subtree.charged[axis])
      compare(run, `held ${axis}`, row.held[axis], subtree.held[axis])
    }
    compare(run, "busyMs", row.busyMs, subtree.busyMs)
    for (const axis of ["tokens", "micros"] as const) {
      const [kept, found] = [row.unmeasured[axis] === 0, Measure.isMeasured(subtree[axis])]
      if (kept !== found) told.push(`${run}: ${axis} is kept as ${kept ? "" : "not "}measured, and derived otherwise`)
    }
  }
  if (HashMap.size(account.runs) !== derived.size) told.push("more runs are kept than derived")
  return told
}

interface Attempt {
  readonly run: RunId
  readonly hold: Amount
  readonly since: number
  readonly until: number
  readonly held: Amount
  readonly charged: Amount
  readonly spend?: Spend
  readonly busyMs: number
  readonly busyTo?: number
}

const NONE: Amount = { tokens: 0, micros: 0, calls: 0 }
const lost = Measure.unmeasured("the lease ran out")
const LOST: Spend = { tokens: lost, micros: lost, atLeast: { tokens: 0, micros: 0 } }
const EMPTY: Totals = {
  tokens: Measure.measured(0),
  micros: Measure.measured(0),
  charged: NONE,
  held: NONE,
  busyMs: 0
}

/** Each attempt into its run, and into each run above that. */
const gather = (parents: ReadonlyMap<RunId, RunId | undefined>, attempts: ReadonlyArray<Attempt>) => {
  const spent = new Map<RunId, Spent>()
  for (const [run, parent] of parents) spent.set(run, { parent, own: EMPTY, subtree: EMPTY })
  for (const attempt of attempts) {
    const seen = new Set<RunId>()
    for (let at: RunId | undefined = attempt.run; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at)
      const { own, parent, subtree } = spent.get(at) ?? { parent: undefined, own: EMPTY, subtree: EMPTY }
      spent.set(at, {
        parent,
        own: at === attempt.run ? together(own, attempt) : own,
        subtree: together(subtree, attempt)
      })
    }
  }
  return spent
}

const together = (totals: Totals, { busyMs, charged, held, spend }: Attempt): Totals => ({
  tokens: spend === undefined ? totals.tokens : Measure.add(totals.tokens, spend.tokens),
  micros: spend === undefined ? totals.micros : Measure.add(totals.micros, spend.micros),
  charged: sum(totals.charged, charged),
  held: sum(totals.held, held),
  busyMs: totals.busyMs + busyMs
})

const sum = (a: Amount, b: Amount): Amount => ({
  tokens: a.tokens + b.tokens,
  micros: a.micros + b.micros,
  calls: a.calls + b.calls
})

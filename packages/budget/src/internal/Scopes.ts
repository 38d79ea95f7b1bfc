/** Facts about runs and their limits. Each gives the account, or what does not fit. */
import * as HashMap from "effect/HashMap"
import { nothing, rowOf, runOf, type Account } from "../Account.ts"
import type * as AccountFact from "../AccountFact.ts"
import { COUNTED } from "../Axis.ts"
import { raise } from "../Limits.ts"
import { outward } from "./Amounts.ts"
import { climb } from "./Climb.ts"

export const childOpened = (account: Account, fact: typeof AccountFact.ChildOpened.Type): Account | string => {
  const { allotment, limits, parent, run, time } = fact
  const above = runOf(account, parent)
  if (above === undefined) return noRun(parent)
  if (runOf(account, run) !== undefined) return `run ${run} is there already`
  const row = rowOf({ run, parent, depth: above.depth + 1, openedAt: time.at, limits, allotment })
  const moved = climb(account, parent, outward(row), (up) => ({ ...up, children: up.children + 1, live: up.live + 1 }))
  if (moved === undefined) return noRun(parent)
  const inFlight = moved.head.inFlight || limits.inFlight !== undefined
  return { ...moved, head: { ...moved.head, inFlight }, runs: HashMap.set(moved.runs, run, row) }
}

export const runEnded = (account: Account, fact: typeof AccountFact.RunEnded.Type): Account | string => {
  const row = runOf(account, fact.run)
  if (row === undefined) return noRun(fact.run)
  if (row.epitaph !== undefined) return `run ${fact.run} has ended already`
  return (
    climb(account, fact.run, nothing, (up, isOwn) =>
      isOwn ? { ...up, epitaph: fact.epitaph } : { ...up, live: up.live - 1 }
    ) ?? noRun(fact.run)
  )
}

export const granted = (account: Account, fact: typeof AccountFact.Granted.Type): Account | string => {
  const raised = climb(account, fact.scope, nothing, (row, isOwn) => {
    if (!isOwn) return row
    const allotment: { -readonly [K in keyof typeof row.allotment]: (typeof row.allotment)[K] } = { ...row.allotment }
    for (const axis of COUNTED) {
      const [aside, more] = [row.allotment[axis], fact.raise[axis]]
      if (aside !== undefined && more !== undefined) allotment[axis] = aside + more
    }
    return {
      ...row,
      allotment,
      limits: raise(row.limits, fact.raise),
      warned: row.warned.filter((axis) => fact.raise[axis] === undefined),
      accepted: {
        tokens: fact.accepts.includes("tokens") ? row.unmeasured.tokens : row.accepted.tokens,
        micros: fact.accepts.includes("micros") ? row.unmeasured.micros : row.accepted.micros
      }
    }
  })
  if (raised === undefined) return noRun(fact.scope)
  let resumed: Account = raised
  for (const run of fact.resumes) {
    if (runOf(resumed, run)?.epitaph !== "budget-exhausted") return `run ${run} has not run out`
    const next = climb(resumed, run, nothing, (row, isOwn) => {
      if (!isOwn) return { ...row, live: row.live + 1 }
      const { epitaph: _, ...rest } = row
      return { ...rest, allotment: {} }
    })
    if (next === undefined) return noRun(run)
    resumed = next
  }
  return { ...resumed, head: { ...resumed.head, grants: [...resumed.head.grants, fact.grant] } }
}

export const warned = (account: Account, fact: typeof AccountFact.Warned.Type): Account | string => {
  const row = runOf(account, fact.scope)
  if (row === undefined) return noRun(fact.scope)
  const next = row.warned.includes(fact.axis) ? row : { ...row, warned: [...row.warned, fact.axis] }
  return { ...account, runs: HashMap.set(account.runs, fact.scope, next) }
}

const noRun = (run: string): string => `there is no run ${run}, or none above it`

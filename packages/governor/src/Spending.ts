/**
 * What the runs of a recorded tree have spent, from the usage that their logs report: each run's own, and with it all below
 * it. Children stand apart from their parents in every total; a request that was reported twice is counted by its last
 * report; what no report says is unmeasured and never zero (laws 10 and 11; LE-03, LE-09).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Derivation from "@palimpsest/budget/Derivation"
import { RunId } from "@palimpsest/budget/Ids"
import type { Usage } from "@palimpsest/budget/Usage"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as ImportTree from "./ImportTree.ts"
import * as Log from "./Log.ts"
import type { Run } from "./Runs.ts"
import type { WalkError } from "./Walk.ts"

/**
 * One run of a tree: its parent, how deep it lies (0 for the root), its requests, how many of them reported usage, and what
 * it spent.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunSpending {
  readonly run: LogId
  readonly parent: LogId | undefined
  readonly depth: number
  readonly requests: number
  readonly reported: number
  readonly spent: Derivation.Spent
}

/**
 * The spending of every run of the tree that a run belongs to, parents before their children.
 *
 * @since 0.1.0
 * @category reading
 */
export const ofTree = (hash: Hasher, run: Run): Effect.Effect<ReadonlyArray<RunSpending>, WalkError, EventStore> =>
  Effect.gen(function* () {
    const logs = yield* ImportTree.runsOf(run.tree, run.base)
    const read = yield* Effect.forEach(logs, ({ log }) => readRun(hash, log))
    const known = new Set(read.map(({ run }) => run))
    const placed = read.map((one) => ({
      ...one,
      parent:
        one.run === run.base ? undefined : one.parent !== undefined && known.has(one.parent) ? one.parent : run.base
    }))
    const spent = Derivation.ofUsages(
      placed.map(({ parent, run, usages }) => ({
        run: RunId.make(run),
        ...(parent === undefined ? {} : { parent: RunId.make(parent) }),
        attempts: [...usages.values()]
      }))
    )
    const parents = new Map(placed.map(({ parent, run }) => [run, parent]))
    return placed
      .flatMap(({ parent, requests, run, usages }): ReadonlyArray<RunSpending> => {
        const own = spent.get(RunId.make(run))
        return own === undefined
          ? []
          : [{ run, parent, depth: depthOf(parents, run), requests, reported: usages.size, spent: own }]
      })
      .sort((a, b) => a.depth - b.depth || (a.run < b.run ? -1 : 1))
  })

interface Read {
  readonly run: LogId
  readonly parent: LogId | undefined
  readonly requests: number
  readonly usages: ReadonlyMap<number, Usage>
}

const readRun = (hash: Hasher, log: LogId): Effect.Effect<Read, WalkError, EventStore> => {
  const start: Read = { run: log, parent: undefined, requests: 0, usages: new Map() }
  return Effect.map(
    Log.fold(hash, log, start, (state, { fact }) => {
      switch (fact._tag) {
        case "Began":
          return Effect.succeed({ ...state, parent: fact.parent?.log })
        case "Requested":
        case "Refused":
          return Effect.succeed({ ...state, requests: fact.request })
        case "Reported":
          return Effect.succeed({ ...state, usages: new Map(state.usages).set(fact.request, fact.usage) })
        default:
          return Effect.succeed(state)
      }
    }),
    ({ state }) => state
  )
}

const depthOf = (parents: ReadonlyMap<LogId, LogId | undefined>, run: LogId): number => {
  let depth = 0
  const seen = new Set<LogId>()
  for (let at = parents.get(run); at !== undefined && !seen.has(at); at = parents.get(at)) {
    seen.add(at)
    depth++
  }
  return depth
}

/** A command in hand: the account as its facts so far have made it, and those facts. */
import * as Either from "effect/Either"
import { pathOf, type Account, type RunRow } from "../Account.ts"
import type { AccountFact } from "../AccountFact.ts"
import type { Answer } from "../Command.ts"
import type { Deposited } from "../Epitaph.ts"
import { evolve } from "../Evolve.ts"
import type { RunId } from "../Ids.ts"
import { LimitReached, RunOver, UnknownRun, type Refusal } from "../Refusal.ts"
import { crossings, type Reading } from "../Reading.ts"
import { warningOf } from "../Rules.ts"
import type { Stamp } from "../Timeline.ts"
import { busyMs } from "./Check.ts"

export interface Work {
  readonly account: Account
  readonly facts: ReadonlyArray<AccountFact>
  readonly time: Stamp
}

export interface Done {
  readonly work: Work
  readonly answer: Answer
  readonly deposits: ReadonlyArray<Deposited>
}

export type Doing = Either.Either<Done, Refusal>

export const done = (work: Work, answer: Answer, deposits: ReadonlyArray<Deposited> = []): Doing =>
  Either.right({ work, answer, deposits })

export const add = (work: Work, ...facts: ReadonlyArray<AccountFact>): Either.Either<Work, Refusal> => {
  let account = work.account
  for (const fact of facts) {
    const next = evolve(account, fact)
    if (Either.isLeft(next)) return Either.left(next.left)
    account = next.right
  }
  return Either.right({ account, facts: [...work.facts, ...facts], time: work.time })
}

export type Path = readonly [RunRow, ...ReadonlyArray<RunRow>]

export const pathTo = (work: Work, run: RunId): Either.Either<Path, UnknownRun> => {
  const [first, ...rest] = pathOf(work.account, run)
  return first === undefined ? Either.left(new UnknownRun({ run })) : Either.right([first, ...rest])
}

export const livePathTo = (work: Work, run: RunId): Either.Either<Path, UnknownRun | RunOver> =>
  Either.flatMap(pathTo(work, run), (path) => {
    const { epitaph } = path[0]
    return epitaph === undefined ? Either.right(path) : Either.left(new RunOver({ run, epitaph }))
  })

export const stopped = (run: RunId, reading: Reading | undefined): Either.Either<never, Refusal> => {
  if (reading === undefined) return Either.left(new UnknownRun({ run }))
  return Either.left(new LimitReached({ run, reading, waits: crossings(reading).every((one) => one.reading.waits) }))
}

/** The warnings that are due in the scopes of a run and were not given. Source: LE-W10. */
export const warnings = (work: Work, run: RunId) => {
  const { account, time } = work
  return pathOf(account, run).flatMap((row) =>
    WARNED.flatMap((axis) => {
      const limit = row.limits[axis]
      if (limit === undefined || row.warned.includes(axis)) return []
      const due = warningOf(account.head.rules, limit)
      const actual =
        axis === "elapsed"
          ? Math.floor((time.at - row.openedAt) / 1_000)
          : axis === "busy"
            ? Math.floor(busyMs(row, time.at) / 1_000)
            : row.charged[axis]
      return due === undefined || actual < due
        ? []
        : [{ _tag: "Warned" as const, scope: row.run, axis, limit, actual, time }]
    })
  )
}

const WARNED = ["tokens", "elapsed", "busy", "micros", "calls"] as const

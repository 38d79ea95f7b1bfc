/** Deciding about runs and limits: dispatch, grant, exhaust, end, read. */
import * as Either from "effect/Either"
import { nothing, pathOf, runOf } from "../Account.ts"
import { COUNTED, ORDER } from "../Axis.ts"
import type * as Command from "../Command.ts"
import { wakes, type Deposited, type Epitaph } from "../Epitaph.ts"
import type { RunId } from "../Ids.ts"
import { narrow, tighter, type Limits } from "../Limits.ts"
import { BadCommand, LimitReached, RunOver, type Refusal } from "../Refusal.ts"
import type { Reading } from "../Reading.ts"
import { minus, outward } from "./Amounts.ts"
import { checkCall } from "./Calls.ts"
import { isStopped, nothingMore, readingOf } from "./Check.ts"
import { add, done, livePathTo, pathTo, stopped, type Doing, type Path, type Work } from "./Work.ts"

export const dispatch = (work: Work, command: Command.Dispatch): Doing => {
  const { account, time } = work
  const { allotment = {}, child, parent } = command
  const there = runOf(account, child)
  if (there !== undefined) {
    if (there.parent !== parent) return Either.left(bad("Dispatch", `${child} is the name of another run`))
    return done(work, { _tag: "Dispatched", child, depth: there.depth, limits: there.limits })
  }
  return Either.flatMap(livePathTo(work, parent), (path) => {
    const ask = {
      amount: { ...nothing, ...allotment },
      landing: false,
      depth: path[0].depth + 1,
      children: 1,
      live: 1,
      contextBytes: 0
    }
    if (isStopped(account, path, time.at, ask)) return stopped(child, readingOf(account, child, path, time.at, ask))
    const limits = tighter(narrow(aboveOf(path), command.limits ?? {}), allotment)
    return Either.flatMap(add(work, { _tag: "ChildOpened", run: child, parent, limits, allotment, time }), (work) =>
      done(work, { _tag: "Dispatched", child, depth: ask.depth, limits })
    )
  })
}

export const grant = (work: Work, command: Command.Grant): Doing => {
  const { account, time } = work
  const { accepts = [], by, grant, raise, resumes = [], scope, why } = command
  return Either.flatMap(pathTo(work, scope), (path) => {
    const [row, ...above] = path
    const raised = (work: Work): Doing =>
      done(work, { _tag: "Raised", limits: runOf(work.account, scope)?.limits ?? {} })
    if (account.head.grants.includes(grant)) return raised(work)
    if (by === "" || why === "") return Either.left(bad("Grant", "says not by whom, or not why"))
    const axes = ORDER.filter((axis) => raise[axis] !== undefined)
    if (axes.length + accepts.length + resumes.length === 0) return Either.left(bad("Grant", "grants nothing"))
    const free = axes.find((axis) => row.limits[axis] === undefined)
    if (free !== undefined) return Either.left(bad("Grant", `${scope} has no limit on ${free} to raise`))
    const over = aboveOf(above)
    const wide = axes.find((axis) => (row.limits[axis] ?? 0) + (raise[axis] ?? 0) > (over[axis] ?? Infinity))
    if (wide !== undefined) return Either.left(bad("Grant", `${wide} of ${scope} would be above the limit over it`))
    for (const run of resumes) {
      const within = pathOf(account, run).some((one) => one.run === scope)
      if (!within) return Either.left(bad("Grant", `${run} is not within ${scope}`))
      if (runOf(account, run)?.epitaph !== "budget-exhausted") {
        return Either.left(bad("Grant", `${run} has not run out`))
      }
    }
    if (new Set(resumes).size !== resumes.length) return Either.left(bad("Grant", "resumes a run twice"))
    const fact = { _tag: "Granted", grant, scope, raise, accepts, resumes, by, why, time } as const
    return Either.flatMap(add(work, fact), (granted) => {
      const refusal = outgrown(work, granted, path)
      return refusal === undefined ? raised(granted) : Either.left(refusal)
    })
  })
}

export const exhaust = (work: Work, command: Command.Exhaust): Doing => {
  const { account, time } = work
  const { run, wanted } = command
  return Either.flatMap(pathTo(work, run), (path) => {
    const [row] = path
    if (row.epitaph === "budget-exhausted") return over(work, run, row.epitaph)
    if (row.epitaph !== undefined) return Either.left(new RunOver({ run, epitaph: row.epitaph }))
    const reading = exhaustion(work, path, wanted)
    if (reading === undefined) return Either.left(bad("Exhaust", `no limit stops ${run}`))
    const marked = { ...reading, position: account.head.seq + 1 }
    return Either.flatMap(add(work, { _tag: "Exhausted", run, reading: marked, time }), (work) =>
      ending(work, path, "budget-exhausted", command.result)
    )
  })
}

export const end = (work: Work, { epitaph, result, run }: Command.End): Doing =>
  Either.flatMap(pathTo(work, run), (path) => {
    const [row] = path
    if (row.epitaph === epitaph) return over(work, run, epitaph)
    return row.epitaph === undefined
      ? ending(work, path, epitaph, result)
      : Either.left(new RunOver({ run, epitaph: row.epitaph }))
  })

export const read = (work: Work, command: Command.Read): Doing => {
  const run = command.run ?? work.account.head.root
  return Either.flatMap(pathTo(work, run), (path) => {
    const reading = readingOf(work.account, run, path, work.time.at, nothingMore(path[0].depth))
    return reading === undefined ? stopped(run, reading) : done(work, { _tag: "Standing", reading })
  })
}

/** The reading that stops a run as it stands, or the one that stops the call that it wanted. */
const exhaustion = (work: Work, path: Path, wanted: Command.Exhaust["wanted"]): Reading | undefined => {
  const [row] = path
  if (wanted !== undefined) {
    const refusal = checkCall(work, path, wanted, false)
    if (refusal?._tag === "LimitReached") return refusal.reading
  }
  const ask = nothingMore(row.depth)
  return isStopped(work.account, path, work.time.at, ask)
    ? readingOf(work.account, row.run, path, work.time.at, ask)
    : undefined
}

const ending = (work: Work, path: Path, epitaph: Epitaph, result: string | undefined): Doing => {
  const [{ parent, run }] = path
  const words = result === undefined || result === "" ? {} : { result }
  return Either.flatMap(add(work, { _tag: "RunEnded", run, epitaph, ...words, time: work.time }), (work) => {
    if (parent === undefined) return over(work, run, epitaph)
    const position = work.account.head.seq
    return over(work, run, epitaph, { _tag: "Deposited", from: run, to: parent, epitaph, position, ...words })
  })
}

const over = (work: Work, run: RunId, epitaph: Epitaph, deposit?: Deposited): Doing =>
  done(
    work,
    { _tag: "Over", run, epitaph, wakes: wakes(epitaph), ...(deposit === undefined ? {} : { deposit }) },
    deposit === undefined ? [] : [deposit]
  )

/** What is set aside for a child may only grow by what those above it have left. */
const outgrown = (before: Work, after: Work, [row, ...above]: Path): Refusal | undefined => {
  const next = runOf(after.account, row.run)
  const [parent] = above
  if (next === undefined || parent === undefined) return undefined
  const amount = minus(outward(next), outward(row))
  if (COUNTED.every((axis) => amount[axis] <= 0)) return undefined
  const ask = { ...nothingMore(parent.depth), amount }
  if (!isStopped(before.account, above, before.time.at, ask)) return undefined
  const reading = readingOf(before.account, row.run, above, before.time.at, ask)
  return reading === undefined ? undefined : new LimitReached({ run: row.run, reading, waits: false })
}

/** The tightest limit on each axis over some runs. */
const aboveOf = (path: ReadonlyArray<{ readonly limits: Limits }>): Limits =>
  path.reduce<Limits>((limits, row) => tighter(limits, row.limits), {})

const bad = (command: string, why: string): BadCommand => new BadCommand({ command, why })

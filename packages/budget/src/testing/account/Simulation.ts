/**
 * Simulation: a script played on an implementation and on the oracle side by side. What comes back is every thing in which
 * the two disagree, or in which the implementation breaks its word.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import type { Account } from "../../Account.ts"
import type { AccountFact } from "../../AccountFact.ts"
import type { Command } from "../../Command.ts"
import { AccountId, ReservationId, RunId } from "../../Ids.ts"
import * as Measure from "../../Measure.ts"
import type { Refusal } from "../../Refusal.ts"
import * as Spend from "../../Spend.ts"
import type { Instant } from "../../Timeline.ts"
import type { AccountImplementation } from "../AccountImplementation.ts"
import { Oracle, type Call } from "./Oracle.ts"
import type { Deed, Script, Tick } from "./Script.ts"

/**
 * How a script went: what was wrong, in words, the facts that were made, and the account at the end.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outcome {
  readonly faults: ReadonlyArray<string>
  readonly facts: ReadonlyArray<AccountFact>
  readonly account: Account | undefined
  readonly instants: ReadonlyArray<Instant>
  readonly commands: ReadonlyArray<Command>
}

/**
 * Plays a script to its end, then closes all that is open.
 *
 * @since 0.1.0
 * @category running
 */
export const play = ({ transact }: AccountImplementation, script: Script): Outcome => {
  const faults: Array<string> = []
  const facts: Array<AccountFact> = []
  const instants: Array<Instant> = []
  const commands: Array<Command> = []
  const oracle = new Oracle()
  const clock = { name: 0, now: 0, origin: 0, exact: true }
  let account: Account | undefined

  const submit = (command: Command, tick: Tick): Either.Either<unknown, Refusal> => {
    clock.now += tick.passes
    if (tick.restarts) {
      clock.name++
      clock.origin = clock.now - 1_000 * clock.name
      clock.exact = false
    }
    const reads = clock.now - (tick.restarts ? 0 : tick.back)
    const instant = { clock: `process ${clock.name}`, mono: reads - clock.origin, wall: EPOCH + clock.now + tick.wall }
    instants.push(instant)
    commands.push(command)
    const done = transact(AccountId.make("tree"), account, command, instant)
    if (Either.isLeft(done)) return done
    for (const fact of done.right.facts) {
      const last = facts.at(-1)?.time.at ?? 0
      if (fact.time.at < last) faults.push(`time went back from ${last} to ${fact.time.at}`)
      const now = Math.max(last, reads)
      if (clock.exact && fact.time.at !== now) faults.push(`at ${now} it was said to be ${fact.time.at}`)
      facts.push(fact)
      if (fact._tag === "LeaseExpired") expire(fact)
    }
    account = done.right.account
    return done
  }

  const leases = new Map<string, number>()
  const expire = ({ reservation, time }: Extract<AccountFact, { readonly _tag: "LeaseExpired" }>) => {
    const call = oracle.calls.find(({ name }) => name === reservation)
    if (call?.state !== "open") return faults.push(`the lease of ${reservation} ended, which was not open`)
    if (time.at < (leases.get(reservation) ?? 0)) faults.push(`the lease of ${reservation} ended early`)
    call.state = "expired"
    if (script.rules.expiry === "charge") call.spent = { tokens: call.tokens, micros: call.micros, calls: 1 }
    return undefined
  }

  /** Committed amounts may have passed a limit before (by a declared overshoot); a new promise may never do so. */
  const promised = (what: string, before: ReadonlyMap<string, number>) => {
    for (const [where, by] of oracle.passed()) {
      if (by > (before.get(where) ?? 0)) faults.push(`${what} was let through: ${where} is passed by ${by}`)
    }
  }

  const root = RunId.make("root")
  oracle.runs.push({ name: root, parent: undefined, depth: 0, limits: script.limits, allotment: {}, ended: false })
  submit({ _tag: "Open", root, limits: script.limits, rules: script.rules }, STILL)

  const act = (deed: Deed, tick: Tick): void => {
    if ("call" in deed) {
      const call = oracle.calls[deed.call % Math.max(1, oracle.calls.length)]
      if (call !== undefined) close(call, deed, tick)
      return
    }
    const run = oracle.runs[deed.run % oracle.runs.length]
    if (run === undefined) return
    const name = RunId.make(run.name)
    switch (deed._tag) {
      case "Reserve": {
        const reservation = ReservationId.make(`call-${oracle.calls.length}`)
        const { leaseMs, micros, overshoot, tokens } = deed
        const hold = { tokens, micros, overshoot: { tokens: overshoot, micros: overshoot } }
        const done = submit({ _tag: "Reserve", reservation, run: name, hold, leaseMs }, tick)
        const wasUsedUp = run.ended || oracle.isUsedUp(name)
        const call: Call = {
          name: reservation,
          run: name,
          tokens,
          micros,
          overshoot,
          state: "open",
          spent: NONE,
          beyond: 0
        }
        const before = oracle.passed()
        oracle.calls.push(call)
        if (Either.isRight(done)) {
          leases.set(reservation, (facts.at(-1)?.time.at ?? 0) + leaseMs)
          if (wasUsedUp) faults.push(`${reservation} was let through though nothing is left`)
          return promised(reservation, before)
        }
        const isOver = [...oracle.passed()].some(([where, by]) => by > (before.get(where) ?? 0))
        oracle.calls.pop()
        if (!wasUsedUp && !isOver) faults.push(`${reservation} was refused though there is room: ${done.left.message}`)
        return
      }
      case "Dispatch": {
        const child = RunId.make(`run-${oracle.runs.length}`)
        const allotment = deed.allot === undefined ? {} : { tokens: deed.allot }
        const done = submit({ _tag: "Dispatch", parent: name, child, limits: deed.limits, allotment }, tick)
        const fact = facts.at(-1)
        if (Either.isLeft(done)) {
          const [path, deeper] = [oracle.pathOf(name), run.depth + 1]
          const names = path.map((one) => one.name)
          const isFull = path.some(
            ({ limits, name }) =>
              deeper > (limits.depth ?? Infinity) ||
              oracle.descendants(name, false) >= (limits.children ?? Infinity) ||
              oracle.descendants(name, true) >= (limits.liveChildren ?? Infinity) ||
              oracle.committed(name, "tokens", names) + (deed.allot ?? 0) > (limits.tokens ?? Infinity)
          )
          const isRefused = run.ended || oracle.isUsedUp(name) || isFull || deed.allot !== undefined
          if (!isRefused) faults.push(`${child} was refused though there is room: ${done.left.message}`)
          return
        }
        if (fact?._tag !== "ChildOpened") return void faults.push(`${child} left no fact`)
        for (const above of oracle.pathOf(name)) {
          for (const axis of ["tokens", "micros", "calls", "depth", "children", "liveChildren"] as const) {
            if ((fact.limits[axis] ?? 0) > (above.limits[axis] ?? Infinity)) {
              faults.push(`${child} may have more ${axis} than ${above.name}`)
            }
          }
          if (run.depth + 1 > (above.limits.depth ?? Infinity)) faults.push(`${child} is too deep`)
          if (oracle.descendants(above.name, false) >= (above.limits.children ?? Infinity)) {
            faults.push(`${child} is one child too many`)
          }
          if (oracle.descendants(above.name, true) >= (above.limits.liveChildren ?? Infinity)) {
            faults.push(`${child} is one live child too many`)
          }
        }
        const before = oracle.passed()
        oracle.runs.push({
          name: child,
          parent: name,
          depth: run.depth + 1,
          limits: fact.limits,
          allotment,
          ended: false
        })
        return deed.allot === undefined ? undefined : promised(child, before)
      }
      case "Grant": {
        const raise = { tokens: deed.tokens }
        const grant = ReservationId.make(`grant-${facts.length}`)
        const done = submit({ _tag: "Grant", grant, scope: name, raise, by: "me", why: "more" }, tick)
        if (Either.isRight(done)) {
          run.limits = { ...run.limits, tokens: (run.limits.tokens ?? 0) + deed.tokens }
          const aside = run.allotment.tokens
          if (aside !== undefined) {
            run.allotment = { tokens: aside + deed.tokens }
          }
        }
        return
      }
      case "End":
      case "Exhaust": {
        const done = submit(
          deed._tag === "End" ? { _tag: "End", run: name, epitaph: "stopped" } : { _tag: "Exhaust", run: name },
          tick
        )
        if (Either.isLeft(done)) return
        if (deed._tag === "Exhaust" && !run.ended && !oracle.isUsedUp(name)) faults.push(`${name} had not run out`)
        run.ended = true
        return
      }
    }
  }

  const close = (call: Call, deed: Extract<Deed, { readonly call: number }>, tick: Tick): void => {
    const reservation = ReservationId.make(call.name)
    if (deed._tag === "Renew") {
      if (Either.isRight(submit({ _tag: "Renew", reservation }, tick))) {
        const now = facts.at(-1)
        if (now?._tag === "Renewed") leases.set(call.name, now.until)
      }
      return
    }
    if (deed._tag === "Release") {
      if (Either.isRight(submit({ _tag: "Release", reservation, why: "not made" }, tick)) && call.state !== "settled") {
        call.state = "released"
        call.spent = NONE
      }
      return
    }
    const most = { tokens: call.tokens + call.overshoot, micros: call.micros + call.overshoot }
    const actual = {
      tokens: Math.floor((most.tokens * deed.share) / 100),
      micros: Math.floor((most.micros * deed.share) / 100)
    }
    const spend = deed.measured
      ? Spend.make(Measure.measured(actual.tokens), Measure.measured(actual.micros))
      : Spend.unknown("no usage")
    const done = submit({ _tag: "Settle", reservation, spend }, tick)
    if (Either.isLeft(done)) {
      if (done.left._tag !== "ReservationGone") faults.push(`${reservation} was not settled: ${done.left.message}`)
      return
    }
    if (call.state === "settled") return
    const isGone = call.state === "released"
    const isOpen = call.state === "open"
    call.state = "settled"
    call.beyond = isOpen ? call.overshoot : Infinity
    const counted = deed.measured ? actual : isGone ? NONE : { tokens: call.tokens, micros: call.micros }
    call.spent = { tokens: counted.tokens, micros: counted.micros, calls: 1 }
  }

  for (const [tick, deed] of script.deeds) {
    act(deed, tick)
    compare(oracle, account, faults)
  }
  for (const call of oracle.calls) {
    if (call.state === "open") close(call, { _tag: "Release", call: 0 }, { ...STILL, passes: 1 })
  }
  compare(oracle, account, faults)
  for (const row of account === undefined ? [] : HashMap.values(account.runs)) {
    const { calls, micros, tokens } = row.held
    if (calls !== 0 || micros !== 0 || tokens !== 0 || row.open !== 0) faults.push(`${row.run} still holds ${tokens}`)
  }
  return { faults, facts, account, instants, commands }
}

/** Every sum that the account keeps, against the same taken anew. */
const compare = (oracle: Oracle, account: Account | undefined, faults: Array<string>): void => {
  if (account === undefined) return void faults.push("no account was opened")
  for (const [where, by] of oracle.passed()) {
    const declared = oracle.declared(where)
    if (by > declared) faults.push(`${where} is passed by ${by}, of which ${declared} was declared`)
  }
  for (const row of HashMap.values(account.runs)) {
    for (const axis of ["tokens", "micros", "calls"] as const) {
      const kept = [row.charged[axis], row.held[axis], row.committed[axis]]
      const found = [oracle.charged(row.run, axis), oracle.held(row.run, axis), oracle.committed(row.run, axis)]
      if (kept.join() !== found.join()) faults.push(`${row.run} ${axis}: kept ${kept.join()}, found ${found.join()}`)
    }
  }
}

const NONE = { tokens: 0, micros: 0, calls: 0 }
const STILL: Tick = { passes: 0, wall: 0, back: 0, restarts: false }
const EPOCH = 1_700_000_000_000

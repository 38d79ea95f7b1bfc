import * as Either from "effect/Either"
import type { Account } from "../../src/Account.ts"
import type { AccountFact } from "../../src/AccountFact.ts"
import type { Axis } from "../../src/Axis.ts"
import type { Answer, Command } from "../../src/Command.ts"
import type { Deposited } from "../../src/Epitaph.ts"
import type { Hold } from "../../src/Hold.ts"
import { AccountId, ReservationId, RunId } from "../../src/Ids.ts"
import type { Limits } from "../../src/Limits.ts"
import * as Measure from "../../src/Measure.ts"
import * as Reading from "../../src/Reading.ts"
import type { Refusal } from "../../src/Refusal.ts"
import { standard, type Rules } from "../../src/Rules.ts"
import * as Spend from "../../src/Spend.ts"
import { transact } from "../../src/Transact.ts"

export const ROOT = RunId.make("root")
export const run = (name: string): RunId => RunId.make(name)
export const call = (name: string | number): ReservationId => ReservationId.make(`call-${name}`)
export const hold = (tokens: number, more: Partial<Hold> = {}): Hold => ({
  tokens,
  overshoot: { tokens: 0, micros: 0 },
  ...more
})
export const spent = (tokens: number, micros = 0): Spend.Spend =>
  Spend.make(Measure.measured(tokens), Measure.measured(micros))

/** An account that is told one thing after another, by a clock that moves only when it is told to. */
export class Play {
  account: Account | undefined
  readonly facts: Array<AccountFact> = []
  readonly deposits: Array<Deposited> = []
  now = 0
  private calls = 0

  constructor(limits: Limits = {}, rules: Rules = standard, root = ROOT) {
    this.must({ _tag: "Open", root, limits, rules })
  }

  try(command: Command): Either.Either<Answer, Refusal> {
    const instant = { clock: "one", mono: this.now, wall: 1_700_000_000_000 + this.now }
    return Either.map(transact(AccountId.make("tree"), this.account, command, instant), (done) => {
      this.account = done.account
      this.facts.push(...done.facts)
      this.deposits.push(...done.deposits)
      return done.answer
    })
  }

  must(command: Command): Answer {
    return Either.getOrThrowWith(this.try(command), (refusal) => new Error(refusal.message))
  }

  refusal(command: Command): Refusal {
    return Either.getOrThrowWith(Either.flip(this.try(command)), (answer) => new Error(`answered ${answer._tag}`))
  }

  /** A child of a run, by its name. */
  child(name: string, parent: RunId = ROOT, more: Partial<Extract<Command, { _tag: "Dispatch" }>> = {}): RunId {
    this.must({ _tag: "Dispatch", parent, child: run(name), ...more })
    return run(name)
  }

  /** A whole call that costs so many tokens and takes so many seconds. */
  spend(tokens: number, of: RunId = ROOT, seconds = 0): void {
    const reservation = call(`spend-${this.calls++}`)
    this.must({ _tag: "Reserve", reservation, run: of, hold: hold(0, { micros: 0 }), leaseMs: 86_400_000 })
    this.now += seconds * 1_000
    this.must({ _tag: "Settle", reservation, spend: spent(tokens) })
  }

  /** Whether the run may make a call, and what stops it where it may not, as lernie prints it. */
  check(of: RunId = ROOT): string | undefined {
    const reservation = call(`check-${this.calls++}`)
    const asked = this.try({ _tag: "Reserve", reservation, run: of, hold: hold(0, { micros: 0 }) })
    if (Either.isRight(asked)) return void this.must({ _tag: "Release", reservation, why: "only asked" })
    if (asked.left._tag !== "LimitReached") return asked.left._tag
    const [first] = Reading.crossings(asked.left.reading)
    return first === undefined ? "nothing" : Reading.display(first)
  }

  reading(of: RunId = ROOT): Reading.Reading {
    const answer = this.must({ _tag: "Read", run: of })
    if (answer._tag !== "Standing") throw new Error(`answered ${answer._tag}`)
    return answer.reading
  }

  on(axis: Axis, scope?: RunId): Reading.AxisReading {
    const found = Reading.on(this.reading(scope ?? ROOT), axis, scope)
    if (found === undefined) throw new Error(`no reading of ${axis}`)
    return found
  }
}

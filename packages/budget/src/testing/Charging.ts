/**
 * Law 11, of accounts: what was not measured is charged what was reserved for it, is told as unmeasured, and is never 0.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import type { Account } from "../Account.ts"
import type { Answer, Command } from "../Command.ts"
import { AccountId, ReservationId, RunId } from "../Ids.ts"
import * as Measure from "../Measure.ts"
import { on } from "../Reading.ts"
import * as Rules from "../Rules.ts"
import * as Spend from "../Spend.ts"
import { ours, type AccountImplementation } from "./AccountImplementation.ts"
import * as Arbitraries from "./Arbitraries.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const charging: Law<AccountImplementation> = {
  number: 11,
  name: "a call without a count is charged its reservation or more, and its tree says that it is not measured",
  property: ({ transact }) =>
    FastCheck.property(
      FastCheck.nat(1_000),
      FastCheck.nat(1_000),
      FastCheck.nat(2_000),
      Arbitraries.measure,
      FastCheck.constantFrom("charge" as const, "refuse" as const),
      (tokens, micros, atLeast, measure, unmeasured) => {
        const play = player(transact)
        play({ _tag: "Open", root: ROOT, limits: { tokens: 10 ** 9 }, rules: { ...Rules.standard, unmeasured } })
        const hold = { tokens, micros, overshoot: { tokens: 0, micros: 0 } }
        play({ _tag: "Reserve", reservation: CALL, run: ROOT, hold })
        const spend = Spend.make(measure, Measure.unmeasured("no tariff"), atLeast)
        const settled = play({ _tag: "Settle", reservation: CALL, spend })
        const read = play({ _tag: "Read" })
        const next = play({ _tag: "Reserve", reservation: NEXT, run: ROOT, hold })
        if (settled?._tag !== "Settlement" || read?._tag !== "Standing") return false
        const told = on(read.reading, "tokens")
        const charged = Measure.isMeasured(measure) ? measure.n : Math.max(tokens, atLeast)
        return (
          settled.charged.tokens === charged &&
          told?.charged === charged &&
          Measure.isMeasured(told.actual) === Measure.isMeasured(measure) &&
          on(read.reading, "micros")?.actual._tag === "Unmeasured" &&
          (next === undefined) === (unmeasured === "refuse" && !Measure.isMeasured(measure))
        )
      }
    ),
  mutants: [
    {
      name: "what was not measured is 0",
      implementation: spending((spend) => ({
        ...spend,
        tokens: Measure.isMeasured(spend.tokens) ? spend.tokens : Measure.measured(0)
      }))
    },
    {
      name: "what was not measured is taken for the reservation, and told as measured",
      implementation: {
        ...ours,
        transact: (id, account, command, instant) =>
          ours.transact(
            id,
            account,
            command._tag === "Settle" && !Measure.isMeasured(command.spend.tokens)
              ? { ...command, spend: Spend.make(Measure.measured(HELD), command.spend.micros) }
              : command,
            instant
          )
      }
    },
    {
      name: "what is known at the least is forgotten",
      implementation: spending((spend) => ({ ...spend, atLeast: { tokens: 0, micros: 0 } }))
    },
    {
      name: "no tariff is a price of 0",
      implementation: spending((spend) => ({ ...spend, micros: Measure.measured(0) }))
    },
    {
      name: "what the rules refuse is let through",
      implementation: {
        ...ours,
        transact: (id, account, command, instant) =>
          ours.transact(
            id,
            account,
            command._tag === "Open" ? { ...command, rules: { ...command.rules, unmeasured: "charge" } } : command,
            instant
          )
      }
    }
  ]
}

function spending(wrong: (spend: Spend.Spend) => Spend.Spend): AccountImplementation {
  return {
    ...ours,
    transact: (id, account, command, instant) =>
      ours.transact(
        id,
        account,
        command._tag === "Settle" ? { ...command, spend: wrong(command.spend) } : command,
        instant
      )
  }
}

/** Does one command after another; an answer, or nothing where it was refused. */
const player = (transact: AccountImplementation["transact"]) => {
  let account: Account | undefined
  let mono = 0
  return (command: Command): Answer | undefined => {
    const done = transact(AccountId.make("tree"), account, command, { clock: "one", mono: mono++, wall: 0 })
    if (Either.isLeft(done)) return undefined
    account = done.right.account
    return done.right.answer
  }
}

const ROOT = RunId.make("root")
const [CALL, NEXT] = [ReservationId.make("call"), ReservationId.make("next")]
const HELD = 500

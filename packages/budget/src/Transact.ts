/**
 * One act on an account: the command, the clock, the facts that it makes and the answer, or a refusal that changes nothing.
 *
 * ```
 * transact(account, command, instant) = sweep leases -> decide -> evolve by each fact
 * ```
 *
 * A layer of the port `Accounts` runs this under a lock on the account and writes what it gives in the same transaction:
 * facts to the account's log, deposits to the inboxes, changed rows. There is nothing else to a layer.
 *
 * Laws kept here: 1, 7, 10, 11, 13. Source: LE-02 to LE-07, LE-15 to LE-20, mending LE-W5, LE-W9.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Account } from "./Account.ts"
import type { AccountFact, Opened } from "./AccountFact.ts"
import type { Answer, Command, Open } from "./Command.ts"
import type { Deposited } from "./Epitaph.ts"
import { evolve } from "./Evolve.ts"
import * as Calls from "./internal/Calls.ts"
import * as Tree from "./internal/Tree.ts"
import { add, type Doing, type Work } from "./internal/Work.ts"
import type { AccountId } from "./Ids.ts"
import { Limits } from "./Limits.ts"
import { BadCommand, UnknownAccount, type Refusal } from "./Refusal.ts"
import { Rules } from "./Rules.ts"
import { advance, type Instant, type Stamp } from "./Timeline.ts"

/**
 * What an accepted command comes to. No facts, where it had been done before or only reads.
 *
 * @since 0.1.0
 * @category models
 */
export interface Transaction {
  readonly account: Account
  readonly facts: ReadonlyArray<AccountFact>
  readonly deposits: ReadonlyArray<Deposited>
  readonly answer: Answer
}

/**
 * Does a command. `account` is none before it is opened; `id` is its name, for the error that says so.
 *
 * @since 0.1.0
 * @category deciding
 */
export const transact = (
  id: AccountId,
  account: Account | undefined,
  command: Command,
  instant: Instant
): Either.Either<Transaction, Refusal> => {
  const time = advance(account?.head.timeline, instant)
  if (account === undefined) {
    return command._tag === "Open" ? open(command, time) : Either.left(new UnknownAccount({ account: id }))
  }
  return Either.flatMap(sweep({ account, facts: [], time }), (work) =>
    Either.map(run(work, command), ({ answer, deposits, work }) => ({
      account: work.account,
      facts: work.facts,
      deposits,
      answer
    }))
  )
}

const sweep = (work: Work): Either.Either<Work, Refusal> => {
  const expiries = Calls.expiries(work)
  return expiries.length === 0 ? Either.right(work) : add(work, ...expiries)
}

const run = (work: Work, command: Command): Doing => {
  switch (command._tag) {
    case "Open":
      return opened(work, command)
    case "Reserve":
      return Calls.reserve(work, command)
    case "Renew":
      return Calls.renew(work, command)
    case "Settle":
      return Calls.settle(work, command)
    case "Release":
      return Calls.release(work, command)
    case "Record":
      return Calls.record(work, command)
    case "Dispatch":
      return Tree.dispatch(work, command)
    case "Grant":
      return Tree.grant(work, command)
    case "Exhaust":
      return Tree.exhaust(work, command)
    case "End":
      return Tree.end(work, command)
    case "Read":
      return Tree.read(work, command)
    case "Expire":
      return Either.right({
        work,
        deposits: [],
        answer: {
          _tag: "Swept",
          expired: work.facts.flatMap((fact) => (fact._tag === "LeaseExpired" ? [fact.reservation] : []))
        }
      })
  }
}

const open = ({ limits, root, rules }: Open, time: Stamp): Either.Either<Transaction, Refusal> => {
  const fact: typeof Opened.Type = { _tag: "Opened", root, limits, rules, time }
  return Either.flatMap(evolve(undefined, fact), (account) =>
    Either.map(Tree.read({ account, facts: [fact], time }, { _tag: "Read" }), ({ answer }) => ({
      account,
      facts: [fact],
      deposits: [],
      answer
    }))
  )
}

/** Opened again: the same root, limits and rules, which are frozen. Source: LE-20. */
const opened = (work: Work, { limits, root, rules }: Open): Doing => {
  const { head } = work.account
  return root === head.root && sameLimits(limits, head.frozen) && sameRules(rules, head.rules)
    ? Tree.read(work, { _tag: "Read" })
    : Either.left(new BadCommand({ command: "Open", why: `the account of ${head.root} was opened otherwise` }))
}

const sameLimits = Schema.equivalence(Limits)
const sameRules = Schema.equivalence(Rules)

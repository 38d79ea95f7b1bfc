/**
 * Law 10: what is settled and reserved never passes a limit by more than was declared, and each token has one owner. Played
 * against an oracle that takes every sum anew, with leases that run out, clocks that jump and processes that start again.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as HashMap from "effect/HashMap"
import { nothing, type Account, type RunRow } from "../Account.ts"
import type { AccountFact } from "../AccountFact.ts"
import type { Command } from "../Command.ts"
import { disagreements } from "../Derivation.ts"
import { AccountId, ReservationId, RunId } from "../Ids.ts"
import * as Measure from "../Measure.ts"
import * as Spend from "../Spend.ts"
import type { Instant } from "../Timeline.ts"
import { ours, type AccountImplementation } from "./AccountImplementation.ts"
import { script } from "./account/Script.ts"
import { play } from "./account/Simulation.ts"
import { text } from "./account/Text.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const limits: Law<AccountImplementation> = {
  number: 10,
  name: "nothing is let through that a limit cannot bear, nothing refused that it can, all is counted once, and nothing stays held",
  property: (implementation) =>
    FastCheck.property(script, (script) => play(implementation, script).faults.length === 0),
  mutants: [
    {
      name: "what is held does not stand against a limit: check, then call",
      implementation: seeing((row) => ({ ...row, held: nothing, committed: row.charged }))
    },
    {
      name: "only the run's own scope is checked, not the tree",
      implementation: seeing((row) => (row.parent === undefined ? { ...row, limits: {} } : row))
    },
    {
      name: "what is set aside for a child is promised to its siblings as well",
      implementation: given((command) => {
        if (command._tag !== "Dispatch" || command.allotment === undefined) return command
        const { allotment, ...rest } = command
        return { ...rest, limits: { ...command.limits, ...allotment } }
      })
    },
    {
      name: "a release gives nothing back",
      implementation: {
        ...ours,
        transact: (id, account, command, instant) =>
          Either.map(ours.transact(id, account, command, instant), (done) =>
            command._tag === "Release" && account !== undefined ? { ...done, account, facts: [] } : done
          )
      }
    },
    {
      name: "a settlement after its lease is lost",
      implementation: {
        ...ours,
        transact: (id, account, command, instant) =>
          Either.map(ours.transact(id, account, command, instant), (done) =>
            account !== undefined && done.facts.some((fact) => fact._tag === "Settled" && fact.was === "expired")
              ? { ...done, account, facts: [] }
              : done
          )
      }
    },
    {
      name: "a repeated settlement is counted again",
      implementation: given((command, account) =>
        command._tag === "Settle" && isSettled(account, command.reservation)
          ? {
              _tag: "Record",
              reservation: ReservationId.make(`${command.reservation}/${account?.head.seq ?? 0}`),
              run: account?.head.root ?? ROOT,
              spend: command.spend
            }
          : command
      )
    },
    {
      name: "what was not measured costs nothing",
      implementation: given((command) =>
        command._tag === "Settle" && !Measure.isMeasured(command.spend.tokens) ? { ...command, spend: FREE } : command
      )
    },
    {
      name: "the clock of the wall is believed",
      implementation: {
        ...ours,
        transact: (id, account, command, instant) =>
          ours.transact(id, account, command, { ...instant, mono: instant.wall })
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const derived: Law<AccountImplementation> = {
  number: 10,
  name: "the fold is what the facts derive to: kept, replayed, written and read back, or loaded in part",
  property: (implementation) =>
    FastCheck.property(script, (script) => {
      const { account, commands, facts, instants } = play(ours, script)
      if (account === undefined || disagreements(account, facts).length > 0) return false
      const replayed = replay(implementation, facts)
      if (replayed === undefined || told(replayed) !== told(account)) return false
      const json: unknown = JSON.parse(JSON.stringify(implementation.encode(account)))
      const decoded = implementation.decode(json)
      if (Either.isLeft(decoded) || told(decoded.right) !== told(account)) return false
      return inParts(implementation, commands, instants, facts.length)
    }),
  mutants: [
    {
      name: "a fact is folded without its time",
      implementation: {
        ...ours,
        evolve: (account, fact) =>
          ours.evolve(account, { ...fact, time: { ...fact.time, at: account?.head.timeline.at ?? 0 } })
      }
    },
    {
      name: "warnings and ends are skipped",
      implementation: {
        ...ours,
        evolve: (account, fact) =>
          fact._tag === "RunEnded" && account !== undefined ? Either.right(account) : ours.evolve(account, fact)
      }
    },
    {
      name: "calls in flight are not written",
      implementation: { ...ours, encode: (account) => ({ ...ours.encode(account), reservations: [] }) }
    },
    {
      name: "the open calls are not loaded when a lease may have run out",
      implementation: {
        ...ours,
        footprint: (head, command, instant) => ({ ...ours.footprint(head, command, instant), allOpen: false })
      }
    }
  ]
}

const replay = (implementation: AccountImplementation, facts: ReadonlyArray<AccountFact>): Account | undefined => {
  let account: Account | undefined
  for (const fact of facts) {
    const next = implementation.evolve(account, fact)
    if (Either.isLeft(next)) return undefined
    account = next.right
  }
  return account
}

/** The same commands on an account of which only the rows that the footprint names are there. */
const inParts = (
  { footprint }: AccountImplementation,
  commands: ReadonlyArray<Command>,
  instants: ReadonlyArray<Instant>,
  expected: number
): boolean => {
  let whole: Account | undefined
  let count = 0
  for (const [i, command] of commands.entries()) {
    const instant = instants[i]
    if (instant === undefined) return false
    const full = ours.transact(ACCOUNT, whole, command, instant)
    const part =
      whole === undefined
        ? full
        : ours.transact(ACCOUNT, partOf(whole, footprint(whole.head, command, instant)), command, instant)
    if (Either.isLeft(full) || Either.isLeft(part)) {
      if (Either.isLeft(full) && Either.isLeft(part) && full.left._tag === part.left._tag) continue
      return false
    }
    if (text(full.right.facts) !== text(part.right.facts)) return false
    if (text(full.right.account.head) !== text(part.right.account.head)) return false
    count += full.right.facts.length
    whole = full.right.account
  }
  return count === expected
}

const partOf = (account: Account, needs: ReturnType<AccountImplementation["footprint"]>): Account => {
  const reservations = HashMap.filter(
    account.reservations,
    ({ reservation, state }) => (needs.allOpen && state === "open") || needs.reservations.includes(reservation)
  )
  const runs = new Set<string>(needs.runs)
  for (const { run } of HashMap.values(reservations)) runs.add(run)
  for (const run of runs) {
    const parent = [...HashMap.values(account.runs)].find((row) => row.run === run)?.parent
    if (parent !== undefined) runs.add(parent)
  }
  return { head: account.head, runs: HashMap.filter(account.runs, ({ run }) => runs.has(run)), reservations }
}

/** An implementation that checks against rows which are not what they should be, and keeps the right ones. */
function seeing(wrong: (row: RunRow) => RunRow): AccountImplementation {
  return {
    ...ours,
    transact: (id, account, command, instant) => {
      const right = ours.transact(id, account, command, instant)
      if (account === undefined || Either.isRight(right) || command._tag !== "Reserve") return right
      const seen = ours.transact(id, { ...account, runs: HashMap.map(account.runs, wrong) }, command, instant)
      if (Either.isLeft(seen)) return seen
      return Either.map(
        seen.right.facts.reduce<ReturnType<AccountImplementation["evolve"]>>(
          (made, fact) => Either.flatMap(made, (account) => ours.evolve(account, fact)),
          Either.right(account)
        ),
        (account) => ({ ...seen.right, account })
      )
    }
  }
}

/** An implementation that does something other than it was told. */
function given(other: (command: Command, account: Account | undefined) => Command): AccountImplementation {
  return {
    ...ours,
    transact: (id, account, command, instant) => ours.transact(id, account, other(command, account), instant)
  }
}

const told = (account: Account): string => text(ours.encode(account))

function isSettled(account: Account | undefined, reservation: ReservationId): boolean {
  return account?.head.closed.some((one) => one.reservation === reservation && one.how === "settled") === true
}

const ACCOUNT = AccountId.make("tree")
const ROOT = RunId.make("root")
const FREE = Spend.make(Measure.measured(0), Measure.measured(0))

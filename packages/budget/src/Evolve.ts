/**
 * The account after one more fact.
 *
 * ```
 *              Reserved            Settled
 *   (nothing) ─────────> open ───────────────────> closed (settled)
 *                         │ │  Released              ^      ^
 *                         │ └──────────> closed ─────┘late  │
 *                         │ LeaseExpired  (released)        │ late
 *                         └──────────> expired | charged ───┘
 * ```
 *
 * A hold leaves the account in one of three ways and only once; a spend enters it once, however late. A fact costs as many
 * steps as its run is deep.
 *
 * Laws kept here: 1, 7 (a function of the facts), 10 (each token has one owner), 11. Source: LE-03, LE-05, mending LE-W4.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Account from "./Account.ts"
import type { AccountFact } from "./AccountFact.ts"
import * as Counted from "./internal/Counted.ts"
import * as Scopes from "./internal/Scopes.ts"
import { BrokenAccount } from "./Refusal.ts"
import { note } from "./Timeline.ts"

/**
 * One fact more. An account begins with `Opened`; a fact that names what is not there is an error, and so is one whose
 * time lies before the fact that it follows.
 *
 * @since 0.1.0
 * @category folding
 */
export const evolve = (
  account: Account.Account | undefined,
  fact: AccountFact
): Either.Either<Account.Account, BrokenAccount> => {
  const position = (account?.head.seq ?? 0) + 1
  const broken = (why: string) => Either.left(new BrokenAccount({ position, why }))
  if (account === undefined) return fact._tag === "Opened" ? Either.right(opened(fact)) : broken("nothing was opened")
  if (fact._tag === "Opened") return broken("the account is open already")
  if (fact.time.at < account.head.timeline.at) return broken("its time lies before that of the fact before")
  const next = apply(account, fact)
  return typeof next === "string" ? broken(next) : Either.right(stamp(next, fact, position))
}

/**
 * The account of a whole log. Source: LE-03.
 *
 * @since 0.1.0
 * @category folding
 */
export const replay = (facts: Iterable<AccountFact>): Either.Either<Account.Account | undefined, BrokenAccount> => {
  let account: Account.Account | undefined
  for (const fact of facts) {
    const next = evolve(account, fact)
    if (Either.isLeft(next)) return Either.left(next.left)
    account = next.right
  }
  return Either.right(account)
}

const opened = ({ limits, root, rules, time }: Extract<AccountFact, { readonly _tag: "Opened" }>): Account.Account => ({
  head: {
    root,
    rules,
    frozen: limits,
    inFlight: limits.inFlight !== undefined,
    seq: 1,
    timeline: note(undefined, time),
    closed: [],
    grants: []
  },
  runs: HashMap.make([root, Account.rowOf({ run: root, depth: 0, openedAt: time.at, limits, allotment: {} })]),
  reservations: HashMap.empty()
})

const apply = (account: Account.Account, fact: Exclude<AccountFact, { readonly _tag: "Opened" }>) => {
  switch (fact._tag) {
    case "Reserved":
      return Counted.reserved(account, fact)
    case "Renewed":
      return Counted.renewed(account, fact)
    case "Settled":
      return Counted.settled(account, fact)
    case "Released":
      return Counted.released(account, fact)
    case "LeaseExpired":
      return Counted.expired(account, fact)
    case "ChildOpened":
      return Scopes.childOpened(account, fact)
    case "RunEnded":
      return Scopes.runEnded(account, fact)
    case "Granted":
      return Scopes.granted(account, fact)
    case "Warned":
      return Scopes.warned(account, fact)
    case "Exhausted":
      return Account.runOf(account, fact.run) === undefined ? `there is no run ${fact.run}` : account
  }
}

/**
 * Numbers and dates the fact. `nextExpiry` is a lower bound that goes stale as leases are closed; it is drawn tight again by
 * the first fact after it, once for a sweep.
 */
const stamp = (account: Account.Account, fact: AccountFact, seq: number): Account.Account => {
  const { nextExpiry, ...head } = { ...account.head, seq, timeline: note(account.head.timeline, fact.time) }
  if (nextExpiry === undefined) return { ...account, head }
  const isStale = fact._tag !== "LeaseExpired" && fact.time.at >= nextExpiry
  const expiry = isStale ? earliest(account) : nextExpiry
  return { ...account, head: expiry === undefined ? head : { ...head, nextExpiry: expiry } }
}

const earliest = (account: Account.Account): number | undefined => {
  let least: number | undefined
  for (const { state, until } of HashMap.values(account.reservations)) {
    if (state === "open" && (least === undefined || until < least)) least = until
  }
  return least
}

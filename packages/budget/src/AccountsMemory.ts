/**
 * Accounts in memory: the reference that any other layer is held to by the contract in `@palimpsest/budget/testing`, and
 * all that a program needs that keeps nothing.
 *
 * Laws kept here: 10.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SynchronizedRef from "effect/SynchronizedRef"
import type { Account } from "./Account.ts"
import { AccountClock } from "./AccountClock.ts"
import type { AccountFact } from "./AccountFact.ts"
import { Accounts, fromSubmit } from "./Accounts.ts"
import type { Answer } from "./Command.ts"
import type { Deposited } from "./Epitaph.ts"
import type { AccountId } from "./Ids.ts"
import { transact } from "./Transact.ts"

/**
 * What is kept of one account: its fold, its log, and the inboxes of its runs in the order in which they were filled.
 *
 * @since 0.1.0
 * @category models
 */
export interface Kept {
  readonly account: Account
  readonly facts: ReadonlyArray<AccountFact>
  readonly deposits: ReadonlyArray<Deposited>
}

/**
 * The port, and a look at what it keeps.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  { readonly accounts: Accounts["Type"]; readonly kept: (account: AccountId) => Effect.Effect<Option.Option<Kept>> },
  never,
  AccountClock
> = Effect.gen(function* () {
  const clock = yield* AccountClock
  const all = yield* SynchronizedRef.make<ReadonlyMap<AccountId, Log>>(new Map())
  return {
    accounts: fromSubmit((id, command) =>
      SynchronizedRef.modifyEffect(all, (logs) =>
        Effect.flatMap(clock.now, (instant) => {
          const before = logs.get(id)
          return Either.match(transact(id, before?.account, command, instant), {
            onLeft: (refusal) => Effect.fail(refusal),
            onRight: ({ account, answer, deposits, facts }) => {
              const log = before ?? { account, facts: [], deposits: [] }
              log.facts.push(...facts)
              log.deposits.push(...deposits)
              const next: readonly [Answer, ReadonlyMap<AccountId, Log>] = [
                answer,
                withLog(logs, id, { ...log, account })
              ]
              return Effect.succeed(next)
            }
          })
        })
      ).pipe(Effect.uninterruptible)
    ),
    kept: (id) =>
      Effect.map(SynchronizedRef.get(all), (logs) =>
        Option.map(Option.fromNullable(logs.get(id)), (log) => ({
          account: log.account,
          facts: [...log.facts],
          deposits: [...log.deposits]
        }))
      )
  }
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Accounts, never, AccountClock> = Layer.effect(
  Accounts,
  Effect.map(make, ({ accounts }) => accounts)
)

interface Log {
  readonly account: Account
  readonly facts: Array<AccountFact>
  readonly deposits: Array<Deposited>
}

const withLog = (logs: ReadonlyMap<AccountId, Log>, id: AccountId, log: Log): ReadonlyMap<AccountId, Log> =>
  new Map(logs).set(id, log)

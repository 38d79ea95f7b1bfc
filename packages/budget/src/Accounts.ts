/**
 * The port to accounts. Each call is one atomic act: it checks and holds, or refuses and leaves no trace.
 *
 * A layer gives one function, `submit`, which runs `Transact.transact` under a lock on the account; `fromSubmit` makes the
 * port of it. Refusals are values of `Refusal`; `AccountsUnavailable` is the store's own failure, and whether the command
 * was done is then not known: ask again with the same ids.
 *
 * Laws kept here: 10, 11, 13. Source: LE-02 to LE-05, LE-15 to LE-20, mending LE-W5, LE-W9.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Command from "./Command.ts"
import type { AccountId } from "./Ids.ts"
import type { Reading } from "./Reading.ts"
import type { Refusal } from "./Refusal.ts"

/**
 * The store of accounts failed: the file, the disk, the connection, a fold that does not decode.
 *
 * @since 0.1.0
 * @category errors
 */
export class AccountsUnavailable extends Data.TaggedError("AccountsUnavailable")<{
  readonly why: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `accounts: ${this.why}`
  }
}

/**
 * What a call of the port can fail with.
 *
 * @since 0.1.0
 * @category errors
 */
export type AccountsError = Refusal | AccountsUnavailable

type Asked<C> = Omit<C, "_tag">
type Act<C, A> = (account: AccountId, command: Asked<C>) => Effect.Effect<A, AccountsError>

/**
 * @since 0.1.0
 * @category tags
 */
export class Accounts extends Context.Tag("@palimpsest/budget/Accounts")<
  Accounts,
  {
    /** Begins an account; again with the same root, limits and rules it only reads. */
    readonly open: (account: AccountId, command: Asked<Command.Open>) => Effect.Effect<Reading, AccountsError>
    /** Checks every limit of every scope, and holds. */
    readonly reserve: Act<Command.Reserve, Command.Held>
    /** Says that the call is alive. */
    readonly renew: Act<Command.Renew, Command.Renewal>
    /** Puts the actual in place of the hold; once, however late or often. */
    readonly settle: Act<Command.Settle, Command.Settlement>
    /** Gives a hold back. */
    readonly release: Act<Command.Release, Command.Freed>
    /** Counts what was spent without a reservation. */
    readonly record: Act<Command.Record, Command.Settlement>
    /** Raises limits, and says by whom and why. */
    readonly grant: Act<Command.Grant, Command.Raised>
    /** Checks a child before it exists, and opens it. */
    readonly dispatch: Act<Command.Dispatch, Command.Dispatched>
    /** Ends a run that a limit stops. */
    readonly exhaust: Act<Command.Exhaust, Command.Over>
    /** Ends a run otherwise. */
    readonly end: Act<Command.End, Command.Over>
    /** Ends the leases that have run out. */
    readonly expire: Act<Command.Expire, Command.Swept>
    /** Where a run stands; the root where none is named. Holds nothing. */
    readonly reading: (account: AccountId, command: Asked<Command.Read>) => Effect.Effect<Reading, AccountsError>
  }
>() {}

/**
 * The port, of a function that does a command on an account in one transaction.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromSubmit = (
  submit: (account: AccountId, command: Command.Command) => Effect.Effect<Command.Answer, AccountsError>
): Accounts["Type"] => {
  const ask = <T extends Command.Answer["_tag"]>(account: AccountId, command: Command.Command, tag: T) =>
    Effect.flatMap(submit(account, command), (answer) =>
      isOf(answer, tag)
        ? Effect.succeed(answer)
        : Effect.fail(new AccountsUnavailable({ why: `${command._tag} was answered with ${answer._tag}` }))
    )
  const standing = (account: AccountId, command: Command.Command) =>
    Effect.map(ask(account, command, "Standing"), ({ reading }) => reading)
  return {
    open: (account, command) => standing(account, { ...command, _tag: "Open" }),
    reserve: (account, command) => ask(account, { ...command, _tag: "Reserve" }, "Held"),
    renew: (account, command) => ask(account, { ...command, _tag: "Renew" }, "Renewal"),
    settle: (account, command) => ask(account, { ...command, _tag: "Settle" }, "Settlement"),
    release: (account, command) => ask(account, { ...command, _tag: "Release" }, "Freed"),
    record: (account, command) => ask(account, { ...command, _tag: "Record" }, "Settlement"),
    grant: (account, command) => ask(account, { ...command, _tag: "Grant" }, "Raised"),
    dispatch: (account, command) => ask(account, { ...command, _tag: "Dispatch" }, "Dispatched"),
    exhaust: (account, command) => ask(account, { ...command, _tag: "Exhaust" }, "Over"),
    end: (account, command) => ask(account, { ...command, _tag: "End" }, "Over"),
    expire: (account, command) => ask(account, { ...command, _tag: "Expire" }, "Swept"),
    reading: (account, command) => standing(account, { ...command, _tag: "Read" })
  }
}

const isOf = <T extends Command.Answer["_tag"]>(
  answer: Command.Answer,
  tag: T
): answer is Extract<Command.Answer, { readonly _tag: T }> => answer._tag === tag

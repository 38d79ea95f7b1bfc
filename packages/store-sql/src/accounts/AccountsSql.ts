/**
 * Accounts in SQL: the port of `@palimpsest/budget/Accounts` on a database of ours.
 *
 *     lock the account's row ─> read what the command needs ─> transact ─┬─> facts to the log, deposits to inboxes,
 *                                                                        │   changed rows ─> commit
 *                                                                        └─> a refusal: nothing is written
 *
 * 1. One command is one transaction: check and hold, or leave no trace (law 10). Other processes wait for the row, and
 *    nobody tries again because somebody was faster.
 * 2. The log is the account, and the rows are its fold: both are written together, and `AccountsAudit` compares them
 *    (LE-03, mending LE-W4).
 * 3. A process that dies has committed a command or has not. What it held is free when its lease has run out (LE-W9).
 *
 * @since 0.1.0
 */
import { AccountClock } from "@palimpsest/budget/AccountClock"
import type { AccountFact } from "@palimpsest/budget/AccountFact"
import { Accounts, AccountsUnavailable, fromSubmit, type AccountsError } from "@palimpsest/budget/Accounts"
import type { Answer, Command } from "@palimpsest/budget/Command"
import * as Fold from "@palimpsest/budget/Fold"
import type { AccountId } from "@palimpsest/budget/Ids"
import { transact, type Transaction } from "@palimpsest/budget/Transact"
import type { Draft } from "@palimpsest/ledger/Event"
import type { Append } from "@palimpsest/ledger/EventStore"
import type { LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Database } from "../Database.ts"
import { commit } from "../internal/commit.ts"
import * as Names from "./Names.ts"
import { OpenDatabase } from "./OpenDatabase.ts"
import * as Rows from "./Rows.ts"

/**
 * The port on an open, migrated database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (hash: Hasher, database: Database, clock: AccountClock["Type"]): Accounts["Type"] =>
  fromSubmit((account, command) =>
    Effect.gen(function* () {
      const done = yield* database.transact((sql) => act(hash, sql, clock, account, command))
      if (done.logs.length > 0) yield* database.announce(done.logs)
      return done.answer
    }).pipe(
      Effect.catchTags({
        StoreError: (cause) => Effect.fail(new AccountsUnavailable({ why: cause.message, cause })),
        BadAppend: (cause) => Effect.fail(new AccountsUnavailable({ why: `${account}: ${cause.message}`, cause })),
        Conflict: (cause) => Effect.fail(new AccountsUnavailable({ why: `${account}: ${cause.message}`, cause }))
      }),
      Effect.withSpan("AccountsSql.submit", { attributes: { account, command: command._tag } })
    )
  )

/**
 * The port on an open database. `hash` is the digest of events.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (hash: Hasher): Layer.Layer<Accounts, never, OpenDatabase | AccountClock> =>
  Layer.effect(
    Accounts,
    Effect.gen(function* () {
      return make(hash, yield* OpenDatabase, yield* AccountClock)
    })
  )

interface Done {
  readonly answer: Answer
  readonly logs: ReadonlyArray<LogId>
}

/** One command inside its transaction. The clock is read behind the lock, so that no later command sees an earlier time. */
const act = (hash: Hasher, sql: SqlClient, clock: AccountClock["Type"], account: AccountId, command: Command) =>
  Effect.gen(function* () {
    const head = yield* Rows.lockHead(sql, account)
    const instant = yield* clock.now
    const before =
      head === undefined ? undefined : yield* Rows.load(sql, account, head, Fold.footprint(head, command, instant))
    const done: Transaction = yield* Either.match(transact(account, before, command, instant), {
      onLeft: (refusal): Effect.Effect<Transaction, AccountsError> => Effect.fail(refusal),
      onRight: (transaction) => Effect.succeed(transaction)
    })
    const nothing: Done = { answer: done.answer, logs: [] }
    if (!Arr.isNonEmptyReadonlyArray(done.facts)) return nothing
    const append = yield* appendOf(account, before?.head.seq ?? 0, { ...done, facts: done.facts })
    const { writes } = yield* commit(hash, sql, append)
    const [facts] = writes
    // The fold counts its facts: were it behind its log, the next command would be decided on what is no longer so.
    if (facts?.head.seq !== done.account.head.seq) {
      return yield* new AccountsUnavailable({
        why: `the log of ${account} has ${facts?.head.seq ?? 0} events and its fold ${done.account.head.seq}; derive it again`
      })
    }
    yield* Rows.save(sql, account, append.tree, before, done.account)
    const written: Done = { answer: done.answer, logs: append.writes.map(({ log }) => log) }
    return written
  })

const appendOf = (
  account: AccountId,
  seq: number,
  {
    account: { head },
    deposits,
    facts
  }: Transaction & { readonly facts: readonly [AccountFact, ...ReadonlyArray<AccountFact>] }
) =>
  Effect.gen(function* () {
    const log = Names.logOf(account)
    const { wall } = head.timeline
    const inboxes = new Map<LogId, [Draft, ...Array<Draft>]>()
    for (const deposit of deposits) {
      const inbox = Names.inboxOf(deposit.to)
      const draft = yield* Names.draft(`${account}/${deposit.position}`, { wall }, deposit)
      const before = inboxes.get(inbox)
      inboxes.set(inbox, before === undefined ? [draft] : [...before, draft])
    }
    const drafts = yield* Effect.forEach(facts, (fact, i) => Names.draft(`${account}/${seq + i + 1}`, fact.time, fact))
    const next = { _tag: "Next" } as const
    const append: Append = {
      id: `${account}/${seq + 1}`,
      tree: Names.treeOf(account),
      writes: [
        { log, expected: next, drafts },
        ...[...inboxes].map(([log, drafts]) => ({ log, expected: next, drafts }))
      ]
    }
    return append
  }).pipe(
    Effect.catchAll((error) =>
      Effect.fail(new AccountsUnavailable({ why: `${account}: ${error.message}`, cause: error }))
    )
  )

/**
 * The rows of an account's fold: the part of it that a command needs, read under the lock, and what a command changed,
 * written back. A row that does not decode is damage, and is said so (law 14).
 *
 * @since 0.1.0
 */
import * as Account from "@palimpsest/budget/Account"
import { AccountsUnavailable } from "@palimpsest/budget/Accounts"
import * as Fold from "@palimpsest/budget/Fold"
import type { AccountId, RunId } from "@palimpsest/budget/Ids"
import type { TreeId } from "@palimpsest/ledger/Ids"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { chunksOf, forUpdate } from "../Database.ts"

type Read<A> = Effect.Effect<A, SqlError | AccountsUnavailable>

/**
 * The head of an account, and the lock on it: whoever has it is alone with the account until the transaction ends.
 *
 * @since 0.1.0
 * @category reading
 */
export const lockHead = (sql: SqlClient, account: AccountId): Read<Account.Head | undefined> =>
  Effect.flatMap(sql<HeadRow>`SELECT head FROM accounts WHERE account = ${account} ${forUpdate(sql)}`, ([row]) =>
    row === undefined ? Effect.succeed(undefined) : decodeHead(account, row.head)
  )

/**
 * The part of an account that a footprint names.
 *
 * @since 0.1.0
 * @category reading
 */
export const load = (
  sql: SqlClient,
  account: AccountId,
  head: Account.Head,
  { allOpen, reservations, runs }: Fold.Footprint
): Read<Account.Account> =>
  Effect.gen(function* () {
    const named =
      reservations.length === 0
        ? []
        : yield* sql<FoldRow>`SELECT fold FROM account_reservations
            WHERE account = ${account} AND ${sql.in("reservation", reservations)}`
    const open = allOpen
      ? yield* sql<FoldRow>`SELECT fold FROM account_reservations WHERE account = ${account} AND state = ${"open"}`
      : []
    const held = yield* Effect.forEach([...named, ...open], ({ fold }) => decodeReservation(account, fold))
    const wanted = [...new Set<RunId>([...runs, ...held.map(({ run }) => run)])]
    return Fold.of(head, yield* paths(sql, account, wanted), held)
  })

/**
 * The whole account, for an audit.
 *
 * @since 0.1.0
 * @category reading
 */
export const loadAll = (sql: SqlClient, account: AccountId): Read<Account.Account | undefined> =>
  Effect.gen(function* () {
    const [row] = yield* sql<HeadRow>`SELECT head FROM accounts WHERE account = ${account}`
    if (row === undefined) return undefined
    const head = yield* decodeHead(account, row.head)
    const runs = yield* sql<FoldRow>`SELECT fold FROM account_runs WHERE account = ${account}`
    const held = yield* sql<FoldRow>`SELECT fold FROM account_reservations WHERE account = ${account}`
    return Fold.of(
      head,
      yield* Effect.forEach(runs, ({ fold }) => decodeRun(account, fold)),
      yield* Effect.forEach(held, ({ fold }) => decodeReservation(account, fold))
    )
  })

/**
 * Writes what differs between two states of an account.
 *
 * @since 0.1.0
 * @category writing
 */
export const save = (
  sql: SqlClient,
  account: AccountId,
  tree: TreeId,
  before: Account.Account | undefined,
  after: Account.Account
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const { gone, head, reservations, runs } = Fold.changes(before, after)
    const row = { account, tree, head: JSON.stringify(head) }
    if (before === undefined) yield* sql`INSERT INTO accounts ${sql.insert(row)}`
    else yield* sql`UPDATE accounts SET head = ${row.head} WHERE account = ${account}`
    for (const chunk of chunksOf(runs)) {
      const rows = chunk.map((run) => ({ account, run: run.run, parent: run.parent ?? "", fold: JSON.stringify(run) }))
      yield* sql`INSERT INTO account_runs ${sql.insert(rows)}
        ON CONFLICT (account, run) DO UPDATE SET parent = excluded.parent, fold = excluded.fold`
    }
    for (const chunk of chunksOf(reservations)) {
      const rows = chunk.map((one) => ({
        account,
        reservation: one.reservation,
        state: one.state,
        fold: JSON.stringify(one)
      }))
      yield* sql`INSERT INTO account_reservations ${sql.insert(rows)}
        ON CONFLICT (account, reservation) DO UPDATE SET state = excluded.state, fold = excluded.fold`
    }
    for (const chunk of chunksOf(gone)) {
      yield* sql`DELETE FROM account_reservations WHERE account = ${account} AND ${sql.in("reservation", chunk)}`
    }
  })

/** Runs, and of each all above it. */
const paths = (sql: SqlClient, account: AccountId, runs: ReadonlyArray<RunId>): Read<ReadonlyArray<Account.RunRow>> =>
  Effect.gen(function* () {
    const found = new Map<RunId, Account.RunRow>()
    for (const chunk of chunksOf(runs)) {
      const rows = yield* sql<FoldRow>`
        WITH RECURSIVE path(run, parent) AS (
          SELECT run, parent FROM account_runs WHERE account = ${account} AND ${sql.in("run", chunk)}
          UNION
          SELECT above.run, above.parent FROM account_runs AS above JOIN path ON above.run = path.parent
            WHERE above.account = ${account}
        )
        SELECT rows.fold FROM path JOIN account_runs AS rows ON rows.account = ${account} AND rows.run = path.run`
      for (const { fold } of rows) {
        const row = yield* decodeRun(account, fold)
        found.set(row.run, row)
      }
    }
    return [...found.values()]
  })

// Types, not interfaces: rows go where a record of columns is asked for.
type HeadRow = { readonly head: string }
type FoldRow = { readonly fold: string }

const decoder = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(Schema.parseJson(schema))
  return (account: AccountId, text: string): Effect.Effect<A, AccountsUnavailable> =>
    Effect.mapError(
      decode(text),
      (error) =>
        new AccountsUnavailable({
          why: `the fold of ${account} is damaged (${ParseResult.TreeFormatter.formatErrorSync(error)}); derive it again from its log`
        })
    )
}

const decodeHead = decoder(Account.Head)
const decodeRun = decoder(Account.RunRow)
const decodeReservation = decoder(Account.ReservationRow)

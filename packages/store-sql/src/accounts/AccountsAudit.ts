/**
 * The audit of an account: its log is read from the first event, chained, folded anew, and compared with the rows that are
 * kept beside it and with the derivation that shares no code with the fold (LE-03, mending LE-W4; laws 3 and 10).
 *
 * @since 0.1.0
 */
import type * as Account from "@palimpsest/budget/Account"
import { AccountFact } from "@palimpsest/budget/AccountFact"
import type { AccountsUnavailable } from "@palimpsest/budget/Accounts"
import { disagreements } from "@palimpsest/budget/Derivation"
import { evolve } from "@palimpsest/budget/Evolve"
import * as Fold from "@palimpsest/budget/Fold"
import type { AccountId } from "@palimpsest/budget/Ids"
import { EMPTY, open, type Head } from "@palimpsest/ledger/Event"
import type { StoreError } from "@palimpsest/ledger/EventStore"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { plainBytes } from "../Database.ts"
import { inspect } from "../internal/inspect.ts"
import { page } from "../internal/events.ts"
import { logOf } from "./Names.ts"
import { OpenDatabase } from "./OpenDatabase.ts"
import * as Rows from "./Rows.ts"

/**
 * What an audit of an account found: its facts, the account that they fold to, and what disagrees, nothing where all is
 * whole.
 *
 * @since 0.1.0
 * @category models
 */
export interface AuditedAccount {
  readonly facts: ReadonlyArray<AccountFact>
  readonly account: Account.Account | undefined
  readonly findings: ReadonlyArray<string>
}

/**
 * Reads one state of the database, so that an account may be in use while it is audited.
 *
 * @since 0.1.0
 * @category auditing
 */
export const audit = (
  hash: Hasher,
  account: AccountId
): Effect.Effect<AuditedAccount, StoreError | AccountsUnavailable, OpenDatabase> =>
  Effect.gen(function* () {
    const database = yield* OpenDatabase
    const read = yield* database.snapshot((sql) =>
      Effect.gen(function* () {
        const said = yield* inspect(hash, sql, logOf(account))
        return { said, log: yield* factsOf(hash, sql, account), kept: yield* Effect.either(Rows.loadAll(sql, account)) }
      })
    )
    const { findings, facts } = read.log
    const told = [...read.said.map(({ seq, why }) => `event ${seq} of ${account}: ${why}`), ...findings]
    const derived = folded(facts)
    if (Either.isLeft(derived)) return { facts, account: undefined, findings: [...told, derived.left] }
    if (Either.isLeft(read.kept)) {
      return { facts, account: derived.right, findings: [...told, read.kept.left.message] }
    }
    return {
      facts,
      account: derived.right,
      findings: [...told, ...compared(account, derived.right, read.kept.right, facts)]
    }
  })

const compared = (
  id: AccountId,
  derived: Account.Account | undefined,
  kept: Account.Account | undefined,
  facts: ReadonlyArray<AccountFact>
): ReadonlyArray<string> => {
  if (kept === undefined || derived === undefined) {
    return kept === derived ? [] : [`${id}: ${kept === undefined ? "its log has no fold" : "its fold has no log"}`]
  }
  const [mine, theirs] = [Fold.encode(kept), Fold.encode(derived)]
  const parts = (["head", "runs", "reservations"] as const).filter((part) => !same(mine[part], theirs[part]))
  return [
    ...parts.map((part) => `${id}: the ${part} kept are not those that its log folds to`),
    ...disagreements(kept, facts)
  ]
}

const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

/** Rows come back with their keys in the order of the schema: the order says nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part
  )

const folded = (facts: ReadonlyArray<AccountFact>): Either.Either<Account.Account | undefined, string> => {
  let account: Account.Account | undefined
  for (const fact of facts) {
    const next = evolve(account, fact)
    if (Either.isLeft(next)) return Either.left(next.left.message)
    account = next.right
  }
  return Either.right(account)
}

const factsOf = (hash: Hasher, sql: SqlClient, account: AccountId) =>
  Effect.gen(function* () {
    const log = logOf(account)
    const facts: Array<AccountFact> = []
    const findings: Array<string> = []
    for (let head: Head = EMPTY; ;) {
      const rows = yield* page(sql, log, head.seq, PAGE)
      for (const row of rows) {
        const event = open(hash, log, head, { ...row, bytes: plainBytes(row.bytes) })
        if (Either.isLeft(event)) return { facts, findings: [event.left.message] }
        const fact = decodeFact({ ...event.right.payload, _tag: event.right.kind })
        if (Either.isRight(fact)) facts.push(fact.right)
        else findings.push(`event ${row.seq} of ${log}: ${ParseResult.TreeFormatter.formatErrorSync(fact.left)}`)
        head = { seq: row.seq, digest: row.digest }
      }
      if (rows.length < PAGE) return { facts, findings }
    }
  })

const decodeFact = Schema.decodeUnknownEither(AccountFact)
const PAGE = 1_000

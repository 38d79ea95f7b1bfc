/**
 * The fold of an account as values that a store keeps beside its log.
 *
 * One row, for a small tree: `encode` the whole. Three tables, for a large one, so that a call reads and writes as many
 * rows as its run is deep, whatever the tree's size:
 *
 * ```
 * account              (account primary key, head)                          locked first, by a write
 * account_run          (account, run, row)          primary key both        read: a run's path, by `parent`
 * account_reservation  (account, reservation, until, state, row)            index on (account, state, until)
 * ```
 *
 * 1. lock and read the head; 2. read what `footprint` names, as a partial account (`of`); 3. `transact`; 4. write the facts
 * and deposits to their logs and what `changes` gives to the tables; 5. commit. A refusal writes nothing. The account's
 * log has `head.seq` events; an audit replays it, and asks `Derivation.disagreements`.
 *
 * Laws kept here: 7, 10, 14. Source: LE-03, mending LE-W4.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { Head, ReservationRow, RunRow, type Account } from "./Account.ts"
import type { Command } from "./Command.ts"
import type { ReservationId, RunId } from "./Ids.ts"
import { advance, type Instant } from "./Timeline.ts"

/**
 * JSON: a whole account. Rows are in the order of their names.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Fold = Schema.Struct({
  version: Schema.Literal(1),
  head: Head,
  runs: Schema.Array(RunRow),
  reservations: Schema.Array(ReservationRow)
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Fold = typeof Fold.Type

/**
 * A kept fold that is none.
 *
 * @since 0.1.0
 * @category errors
 */
export class MalformedFold extends Data.TaggedError("MalformedFold")<{ readonly why: string }> {
  override get message(): string {
    return `the fold of an account: ${this.why}; derive it again from the account's log`
  }
}

/**
 * @since 0.1.0
 * @category codecs
 */
export const encode = (account: Account): Fold => ({
  version: 1,
  head: account.head,
  runs: [...HashMap.values(account.runs)].sort((a, b) => (a.run < b.run ? -1 : 1)),
  reservations: [...HashMap.values(account.reservations)].sort((a, b) => (a.reservation < b.reservation ? -1 : 1))
})

/**
 * A whole account from a parsed value. Every run must have those above it, every reservation its run.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (json: unknown): Either.Either<Account, MalformedFold> =>
  Either.flatMap(
    Either.mapLeft(
      decodeFold(json),
      (error) => new MalformedFold({ why: ParseResult.TreeFormatter.formatErrorSync(error) })
    ),
    ({ head, reservations, runs }) => {
      const names = new Set<string>(runs.map(({ run }) => run))
      const orphan =
        runs.find(({ parent, run }) => (parent === undefined ? run !== head.root : !names.has(parent)))?.run ??
        reservations.find(({ run }) => !names.has(run))?.reservation
      if (orphan !== undefined) return Either.left(new MalformedFold({ why: `${orphan} belongs to nothing in it` }))
      if (!names.has(head.root)) return Either.left(new MalformedFold({ why: "it has no root" }))
      return Either.right(of(head, runs, reservations))
    }
  )

/**
 * An account from its rows, or from some of them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = (head: Head, runs: Iterable<RunRow>, reservations: Iterable<ReservationRow>): Account => ({
  head,
  runs: HashMap.fromIterable(Array.from(runs, (row) => [row.run, row] as const)),
  reservations: HashMap.fromIterable(Array.from(reservations, (row) => [row.reservation, row] as const))
})

/**
 * What a command needs to see: these reservations, all open ones where it says so, these runs, the runs of all of those
 * reservations, and of every run all above it. What is not there is not needed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Footprint {
  readonly runs: ReadonlyArray<RunId>
  readonly reservations: ReadonlyArray<ReservationId>
  readonly allOpen: boolean
}

/**
 * What a command at an instant needs of an account with this head. All open reservations are needed when a lease may have
 * run out, and where a clock of calls in flight is limited.
 *
 * @since 0.1.0
 * @category loading
 */
export const footprint = (head: Head, command: Command, instant: Instant): Footprint => {
  const { at } = advance(head.timeline, instant)
  const runs = runsOf(command)
  const reservations = "reservation" in command ? [command.reservation] : []
  const closed = head.closed.filter(({ reservation }) => reservations.includes(reservation)).map(({ run }) => run)
  return {
    runs: [...new Set([head.root, ...runs, ...closed])],
    reservations,
    allOpen: head.inFlight || (head.nextExpiry !== undefined && head.nextExpiry <= at)
  }
}

/**
 * The rows of an account that differ from those before, and the reservations that are gone. The head always differs where
 * there was a fact.
 *
 * @since 0.1.0
 * @category storing
 */
export const changes = (
  before: Account | undefined,
  after: Account
): {
  readonly head: Head
  readonly runs: ReadonlyArray<RunRow>
  readonly reservations: ReadonlyArray<ReservationRow>
  readonly gone: ReadonlyArray<ReservationId>
} => {
  const isOld = <K, V>(rows: HashMap.HashMap<K, V> | undefined, key: K, row: V): boolean =>
    rows !== undefined && Option.contains(HashMap.get(rows, key), row)
  return {
    head: after.head,
    runs: [...HashMap.values(after.runs)].filter((row) => !isOld(before?.runs, row.run, row)),
    reservations: [...HashMap.values(after.reservations)].filter(
      (row) => !isOld(before?.reservations, row.reservation, row)
    ),
    gone:
      before === undefined
        ? []
        : [...HashMap.keys(before.reservations)].filter((id) => !HashMap.has(after.reservations, id))
  }
}

const runsOf = (command: Command): ReadonlyArray<RunId> => {
  switch (command._tag) {
    case "Reserve":
    case "Record":
    case "Exhaust":
    case "End":
      return [command.run]
    case "Dispatch":
      return [command.parent, command.child]
    case "Grant":
      return [command.scope, ...(command.resumes ?? [])]
    case "Read":
      return command.run === undefined ? [] : [command.run]
    case "Open":
    case "Renew":
    case "Settle":
    case "Release":
    case "Expire":
      return []
  }
}

const decodeFold = Schema.decodeUnknownEither(Fold)

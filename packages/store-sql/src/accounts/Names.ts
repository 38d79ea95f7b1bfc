/**
 * What the logs of accounts are called, and what an account's log says. A log under an account's own name holds its facts;
 * the inbox of a run is a log beside the run's.
 *
 * @since 0.1.0
 */
import type { AccountFact } from "@palimpsest/budget/AccountFact"
import type { Deposited } from "@palimpsest/budget/Epitaph"
import { AccountId, type RunId } from "@palimpsest/budget/Ids"
import type { Stamp } from "@palimpsest/budget/Timeline"
import { encode, type NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Draft } from "@palimpsest/ledger/Event"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Either from "effect/Either"

/**
 * The account of a tree.
 *
 * @since 0.1.0
 * @category names
 */
export const accountOf = (tree: TreeId): AccountId => AccountId.make(`${tree.slice(0, 200 - ENDING.length)}${ENDING}`)

/**
 * The tree that an account belongs to: the account of a tree carries its name, any other lies in a tree of its own.
 *
 * @since 0.1.0
 * @category names
 */
export const treeOf = (account: AccountId): TreeId =>
  TreeId.make(account.endsWith(ENDING) && account.length > ENDING.length ? account.slice(0, -ENDING.length) : account)

/**
 * The log of an account's facts.
 *
 * @since 0.1.0
 * @category names
 */
export const logOf = (account: AccountId): LogId => LogId.make(account)

/**
 * The inbox of a run.
 *
 * @since 0.1.0
 * @category names
 */
export const inboxOf = (run: RunId): LogId => LogId.make(`${run.slice(0, 200 - INBOX.length)}${INBOX}`)

/**
 * A fact as the draft of an event: named by its place in the account, at the time that the account's clock told.
 *
 * @since 0.1.0
 * @category events
 */
export const draft = (
  id: string,
  { wall }: Pick<Stamp, "wall">,
  { _tag, ...payload }: AccountFact | Deposited
): Either.Either<Draft, NotCanonical> =>
  Either.map(encode(payload), (text) => ({ id, at: timeOf(wall), kind: _tag, version: 1, payload: text }))

/** RFC 3339, or nothing where a clock tells a year that it cannot name. */
const timeOf = (wall: number): string => (wall >= 0 && wall < YEAR_10000 ? new Date(wall).toISOString() : "")

const YEAR_10000 = 253_402_300_800_000
const ENDING = "~account"
const INBOX = "~inbox"

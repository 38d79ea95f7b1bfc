/**
 * Pages: every list is given at most `limit` at a time, behind a cursor, and says where the next page begins. No answer
 * grows with the age of a run.
 *
 *     GET …?limit=100 ─> {items, next: 412} ─> GET …?limit=100&after=412 ─> {items}      no `next`: nothing is left
 *
 * A page may hold fewer items than asked for and still have a `next`: what is looked through for one page is bounded too.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { LogId } from "@palimpsest/ledger/Ids"
import { optional, struct } from "./internal/strict.ts"

/**
 * The most items that one page holds.
 *
 * @since 0.1.0
 * @category constants
 */
export const MOST = 500

/**
 * How many items a page holds where the caller does not say.
 *
 * @since 0.1.0
 * @category constants
 */
export const USUAL = 100

/**
 * How many items: 1 to 500, 100 unless given.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Limit = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(1, MOST),
  Schema.annotations({ identifier: "Limit", description: "how many items at most, 1 to 500; 100 unless given" })
)

/**
 * A place in a log, as a query parameter: what comes after it is asked for. 0 is before the first event.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AfterSeq = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(0, 2_147_483_647),
  Schema.annotations({
    identifier: "AfterSeq",
    description: "the cursor: a place in the log, 0 before its first event"
  })
)

/**
 * The query of a page whose items stand in a log.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BySeq = struct({ after: optional(AfterSeq), limit: optional(Limit) })

/**
 * The query of a page whose items are named by their logs.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ByName = struct({ after: optional(LogId), limit: optional(Limit) })

/**
 * A page of items in a log.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SeqPage = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  struct({ items: Schema.Array(item), next: optional(Schema.NonNegativeInt) })

/**
 * A page of items by name.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NamePage = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  struct({ items: Schema.Array(item), next: optional(LogId) })

/**
 * The names that an account knows: its tree, the runs of it, and the reservations in it. Branded, so that none can stand
 * where another belongs. All are made by the caller; nothing here is random.
 *
 * Laws kept here: 7 (no random id), 14 (strict).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The account of one run tree. 1 to 200 characters of `A-Z a-z 0-9 . _ ~ -`, as names of logs are, so that an account is
 * a log under its own name.
 *
 * @since 0.1.0
 * @category models
 */
export const AccountId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/),
  Schema.brand("AccountId"),
  Schema.annotations({ identifier: "AccountId" })
)
/** @since 0.1.0 */
export type AccountId = typeof AccountId.Type

/**
 * A run, by the name of its log.
 *
 * @since 0.1.0
 * @category models
 */
export const RunId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/),
  Schema.brand("RunId"),
  Schema.annotations({ identifier: "RunId" })
)
/** @since 0.1.0 */
export type RunId = typeof RunId.Type

/**
 * A reservation, by an id that the caller made: the same id again is the same act, and is answered as it was.
 *
 * @since 0.1.0
 * @category models
 */
export const ReservationId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._~:/-]{0,199}$/),
  Schema.brand("ReservationId"),
  Schema.annotations({ identifier: "ReservationId" })
)
/** @since 0.1.0 */
export type ReservationId = typeof ReservationId.Type

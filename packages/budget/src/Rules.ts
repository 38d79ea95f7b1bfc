/**
 * Rules: how an account treats what limits alone do not say. Frozen when the account is opened.
 *
 * Laws kept here: 10, 11, 14. Source: LE-20, mending LE-W3, LE-W5, LE-W10.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * `unmeasured`: a call whose cost on an axis was not measured is charged its reservation; with `refuse`, no further call
 * is let through under a limit on that axis until a grant accepts it. `expiry`: what a lease that ran out does with its
 * hold: `release` frees it (no false refusal after a crash; if the call is settled after all, it counts then), `charge`
 * counts it as spent until a late settlement replaces it. `leaseMs`: how long a reservation lives without being renewed.
 * `warnAt`: the share of a limit, in basis points, at which the one warning is given; absent means none. `landing`: the
 * share of every limit that ordinary calls leave alone, and how many calls of one run may take from it to land.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Rules = Schema.Struct({
  unmeasured: Schema.Literal("charge", "refuse"),
  expiry: Schema.Literal("release", "charge"),
  leaseMs: Schema.Int.pipe(Schema.between(1, 86_400_000)),
  warnAt: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 10_000)), { exact: true }),
  landing: Schema.optionalWith(
    Schema.Struct({
      calls: Schema.Int.pipe(Schema.between(1, 1_000)),
      basisPoints: Schema.Int.pipe(Schema.between(1, 9_999))
    }).annotations({ parseOptions: { onExcessProperty: "error" } }),
    { exact: true }
  )
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Rules = typeof Rules.Type

/**
 * Charges what was not measured, frees what a crash left, warns at nine tenths, keeps nothing back.
 *
 * @since 0.1.0
 * @category constants
 */
export const standard: Rules = { unmeasured: "charge", expiry: "release", leaseMs: 120_000, warnAt: 9_000 }

/**
 * What of a limit an ordinary call may use: all of it, or all but the part that is kept to land on. Source: LE-W10.
 *
 * @since 0.1.0
 * @category derived
 */
export const capOf = ({ landing }: Rules, limit: number, isLanding: boolean): number =>
  landing === undefined || isLanding ? limit : limit - Math.floor((limit / WHOLE) * landing.basisPoints)

/**
 * The value of an axis at which its warning is due. Source: LE-W10.
 *
 * @since 0.1.0
 * @category derived
 */
export const warningOf = ({ warnAt }: Rules, limit: number): number | undefined =>
  warnAt === undefined ? undefined : Math.ceil((limit / WHOLE) * warnAt)

const WHOLE = 10_000

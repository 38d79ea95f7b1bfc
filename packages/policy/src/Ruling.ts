/**
 * Rulings and the order between them: `allow < ask < deny`. Combining two answers always takes the stricter.
 *
 * Laws kept here: 13 (the order that "narrower" is defined by), 14 (an unknown ruling does not decode).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * @since 0.1.0
 * @category schemas
 */
export const Ruling = Schema.Literal("allow", "ask", "deny")

/**
 * `allow` passes silently, `ask` needs an approver and is a refusal where there is none, `deny` reaches nobody.
 *
 * @since 0.1.0
 * @category models
 */
export type Ruling = typeof Ruling.Type

/**
 * Every ruling, laxest first. Source: IO-37.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Ruling> = Ruling.literals

/**
 * The stricter of two rulings: associative, commutative and idempotent.
 *
 * @since 0.1.0
 * @category combining
 */
export const stricter = (self: Ruling, that: Ruling): Ruling => (rank[self] >= rank[that] ? self : that)

/**
 * Whether `self` is as strict as `that`, or stricter.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isAtLeast = (self: Ruling, that: Ruling): boolean => rank[self] >= rank[that]

const rank: { readonly [K in Ruling]: number } = { allow: 0, ask: 1, deny: 2 }

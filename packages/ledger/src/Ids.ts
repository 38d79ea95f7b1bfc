/**
 * The names of things in a log: branded, so that a sequence number cannot stand where a step belongs.
 *
 * Nothing here is random: ids of imported runs come from their source, and none is ever rendered into a view (law 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The name of one log: a run, a tree's account, an inbox. 1 to 200 characters of `A-Z a-z 0-9 . _ ~ -`, so that it can
 * stand in an address (`RUN@41`), a file name and a URL without escapes.
 *
 * @since 0.1.0
 * @category models
 */
export const LogId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/),
  Schema.brand("LogId"),
  Schema.annotations({ identifier: "LogId" })
)
/** @since 0.1.0 */
export type LogId = typeof LogId.Type

/**
 * The name of a run tree: all its logs and bodies lie together under it.
 *
 * @since 0.1.0
 * @category models
 */
export const TreeId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/),
  Schema.brand("TreeId"),
  Schema.annotations({ identifier: "TreeId" })
)
/** @since 0.1.0 */
export type TreeId = typeof TreeId.Type

/**
 * Whether a text can be the id of an event or an append in any store: not empty, no U+0000 (which text columns refuse),
 * and well-formed (UTF-8 would replace a lone surrogate, and two ids would become one).
 *
 * @since 0.1.0
 * @category predicates
 */
export const isName = (text: string): boolean => text !== "" && !/[\0\p{Surrogate}]/u.test(text)

/**
 * The 1-based place of an event in its log: the only clock of the core, and what `@41` names.
 *
 * @since 0.1.0
 * @category models
 */
export const Seq = Schema.Int.pipe(
  Schema.between(1, 2_147_483_647),
  Schema.brand("Seq"),
  Schema.annotations({ identifier: "Seq" })
)
/** @since 0.1.0 */
export type Seq = typeof Seq.Type

/**
 * The number of the request that an entry answers or came from; 0 before the first. Never decreases along `seq` (IO-08,
 * mending IO-W12).
 *
 * @since 0.1.0
 * @category models
 */
export const Step = Schema.Int.pipe(
  Schema.between(0, 2_147_483_647),
  Schema.brand("Step"),
  Schema.annotations({ identifier: "Step" })
)
/** @since 0.1.0 */
export type Step = typeof Step.Type

/**
 * A SHA-256 digest as 64 lower-case hexadecimal digits.
 *
 * @since 0.1.0
 * @category models
 */
export const Digest = Schema.String.pipe(
  Schema.pattern(/^[0-9a-f]{64}$/),
  Schema.brand("Digest"),
  Schema.annotations({ identifier: "Digest" })
)
/** @since 0.1.0 */
export type Digest = typeof Digest.Type

/**
 * Prices of input, relative to a token that no cache had or took: what deciding about a rewrite needs, in no currency.
 *
 * Laws kept here: 14 (strict).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const Price = Schema.Number.pipe(Schema.finite(), Schema.nonNegative())

/**
 * JSON: `{uncached, cacheRead, cacheWrite}`, each a finite number that is not negative.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PriceTable = Schema.Struct({ uncached: Price, cacheRead: Price, cacheWrite: Price }).annotations({
  parseOptions: { onExcessProperty: "error" }
})

/**
 * @since 0.1.0
 * @category models
 */
export type PriceTable = typeof PriceTable.Type

/**
 * Reading a cache costs a tenth, writing one a quarter more.
 *
 * @since 0.1.0
 * @category constants
 */
export const standard: PriceTable = { uncached: 1, cacheRead: 0.1, cacheWrite: 1.25 }

/**
 * What the input of a request costs, of which `cached` tokens are in the cache and `fresh` are not: with the cache, the
 * fresh part written to it, or without, whichever is cheaper.
 *
 * ```
 * min(cached * cacheRead + fresh * cacheWrite, (cached + fresh) * uncached)
 * ```
 *
 * @since 0.1.0
 * @category costs
 */
export const requestCost = (
  { cached, fresh }: { readonly cached: number; readonly fresh: number },
  table: PriceTable = standard
): number => Math.min(cached * table.cacheRead + fresh * table.cacheWrite, (cached + fresh) * table.uncached)

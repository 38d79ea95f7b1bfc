/**
 * A splice: what a decision puts into a view, as its own words and ranges of bodies. Rendering is splicing, so no body
 * is copied into an event, and a later version of this program that words its stubs differently still renders an old
 * request as it was (law 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Address } from "@palimpsest/ledger/Address"
import { scalarsOf } from "@palimpsest/ledger/Body"

/**
 * Bytes `[from, to)` of the text of the body at an address. The ends fall on characters. `scalars` is how many scalar
 * values they hold, so that sizes need no text.
 *
 * @since 0.1.0
 * @category models
 */
export const Range = Schema.Struct({
  of: Address,
  bytes: Schema.Tuple(Schema.NonNegativeInt, Schema.NonNegativeInt),
  scalars: Schema.NonNegativeInt
})
/** @since 0.1.0 */
export interface Range extends Schema.Schema.Type<typeof Range> {}

/**
 * Own words and ranges, in order. Empty for what is covered by another mark.
 *
 * @since 0.1.0
 * @category models
 */
export const Splice = Schema.Array(Schema.Union(Schema.String, Range))
/** @since 0.1.0 */
export type Splice = typeof Splice.Type

/**
 * The scalar values that a splice puts into a view.
 *
 * @since 0.1.0
 * @category sizes
 */
export const scalarsIn = (splice: Splice): number =>
  splice.reduce((sum, piece) => sum + (typeof piece === "string" ? scalarsOf(piece) : piece.scalars), 0)

/**
 * The text of a splice. `read` gives the text of a range.
 *
 * @since 0.1.0
 * @category rendering
 */
export const render = (splice: Splice, read: (range: Range) => string): string => {
  let text = ""
  for (const piece of splice) text += typeof piece === "string" ? piece : read(piece)
  return text
}

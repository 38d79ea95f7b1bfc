/**
 * The port to an estimate of tokens: how many a text will be taken for. A quarter of its scalar values, as the seed has
 * it; its UTF-8 bytes, which no byte-level tokenizer exceeds; or a tokenizer of one's own as a layer, held to the contract
 * in `@palimpsest/budget/testing`.
 *
 * Laws kept here: 5 (a bound that holds, where one is asked for), 7 (a function of the text alone).
 * Source: IO-10 for the quarter.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Estimate from "./Estimate.ts"

/**
 * @since 0.1.0
 * @category tags
 */
export class TokenEstimator extends Context.Tag("@palimpsest/budget/TokenEstimator")<
  TokenEstimator,
  {
    /** The tokens of a text: a count, 0 for the empty text alone, and the same whenever it is asked. */
    readonly estimate: (text: string) => number
  }
>() {}

/**
 * A quarter of the scalar values, rounded up. Source: IO-10.
 *
 * @since 0.1.0
 * @category layers
 */
export const charsOverFour: Layer.Layer<TokenEstimator> = Layer.succeed(TokenEstimator, { estimate: Estimate.estimate })

/**
 * The bytes of the text in UTF-8. A byte-level tokenizer merges bytes into tokens and never makes more tokens than there
 * are bytes; what a provider adds around a text (roles, separators) is not in it.
 *
 * @since 0.1.0
 * @category layers
 */
export const upperBound: Layer.Layer<TokenEstimator> = Layer.succeed(TokenEstimator, { estimate: Estimate.utf8Bytes })

/**
 * Estimates: how much a text is, without a tokenizer and without a runtime's help.
 *
 * Three units, never mixed: Unicode *scalar values*, UTF-8 *bytes*, estimated *tokens*. A JavaScript string's `length` is
 * none of them. An estimate of several texts is the estimate of all their scalars: add scalars and divide once at the end,
 * for a rounded-up quarter of each would add up to more than a quarter of all.
 *
 * Laws kept here: 5 (an estimate that every size agrees on), 7 (a function of the text alone). Source: IO-10.
 *
 * @since 0.1.0
 */

/**
 * The number of Unicode scalar values of a text. A lone surrogate, which is none, counts as one.
 *
 * @since 0.1.0
 * @category sizes
 */
export const scalars = (text: string): number => {
  if (!SURROGATE.test(text)) return text.length
  let pairs = 0
  for (let i = 0; i + 1 < text.length; i++) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) {
      pairs++
      i++
    }
  }
  return text.length - pairs
}

/**
 * The number of bytes of a text in UTF-8. A lone surrogate is the three bytes of the replacement character, as encoders
 * write it.
 *
 * @since 0.1.0
 * @category sizes
 */
export const utf8Bytes = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (isHigh(code) && isLow(text.charCodeAt(i + 1))) {
      bytes += 2
      i++
    } else bytes += 2
  }
  return bytes
}

/**
 * Estimated tokens of a number of scalar values: a quarter, rounded up. Source: IO-10.
 *
 * @since 0.1.0
 * @category estimates
 */
export const tokensOf = (scalars: number): number => Math.ceil(scalars / SCALARS_PER_TOKEN)

/**
 * Estimated tokens of a text. Source: IO-10.
 *
 * @since 0.1.0
 * @category estimates
 */
export const estimate = (text: string): number => tokensOf(scalars(text))

/**
 * Estimated tokens of several texts together, as if they were one.
 *
 * @since 0.1.0
 * @category estimates
 */
export const estimateAll = (texts: Iterable<string>): number => {
  let sum = 0
  for (const text of texts) sum += scalars(text)
  return tokensOf(sum)
}

/**
 * Scalar values to one estimated token.
 *
 * @since 0.1.0
 * @category constants
 */
export const SCALARS_PER_TOKEN = 4

const SURROGATE = /[\uD800-\uDFFF]/
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/**
 * Whole numbers as this preset reads them out of text (settings, the number of a job): decimal digits with an optional
 * sign, within 64 bits; anything else is no number.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category parsing
 */
export const integer = (text: string): number | undefined => {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  const exact = BigInt(text.startsWith("+") ? text.slice(1) : text)
  return exact === BigInt.asIntN(64, exact) ? Number(exact) : undefined
}

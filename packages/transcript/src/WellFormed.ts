/**
 * Halves of characters in what is sent: a provider refuses a request whose JSON names a lone surrogate, and every request
 * after it, as the message stays in the history. A client makes one where it cuts a text inside an emoji.
 *
 * Fault kind B68: nothing that is mended goes out with one, wherever in the message it stood.
 *
 * @since 0.1.0
 */

/**
 * Whether a JSON text names no half of a character.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isWellFormed = (json: string): boolean => {
  if (!/\\u[dD][89a-fA-F]|\p{Surrogate}/u.test(json)) return true
  return mended(json) === json
}

/**
 * A JSON text with U+FFFD for each half of a character; all else is as it was, byte for byte.
 *
 * @since 0.1.0
 * @category rendering
 */
export const mended = (json: string): string =>
  json.replace(ESCAPES, (escape) => (LONE.test(escape) ? REPLACEMENT : escape)).replace(/\p{Surrogate}/gu, "\ufffd")

/** A pair, a half, or any other escape, so that an escaped backslash is not taken for the beginning of one. */
const ESCAPES = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^]/g
const LONE = /^\\u[dD][89a-fA-F][0-9a-fA-F]{2}$/
const REPLACEMENT = "\\ufffd"

/**
 * A seeded source of choices and ids. Integer arithmetic only, so that every machine draws the same sequence.
 *
 * @typedef {ReturnType<typeof seeded>} Random
 */

/** A generator of one seed (mulberry32). @param {number} seed */
export const seeded = (seed) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A whole number from `low` to `high`, both included. @param {number} low @param {number} high */
  const between = (low, high) => low + (next() % (high - low + 1))

  /** @template A @param {ReadonlyArray<A>} from @returns {A} */
  const pick = (from) => from[next() % from.length]

  /** @param {string} alphabet @param {number} length */
  const letters = (alphabet, length) => {
    let text = ""
    for (let at = 0; at < length; at++) text += alphabet[next() % alphabet.length]
    return text
  }

  const hex = (/** @type {number} */ length) => letters("0123456789abcdef", length)
  const base62 = (/** @type {number} */ length) =>
    letters("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", length)
  const base64 = (/** @type {number} */ length) =>
    letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", length)
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(["8", "9", "a", "b"])}${hex(3)}-${hex(12)}`

  return { between, pick, hex, base62, base64, uuid }
}

/**
 * The digest, as a synchronous function passed in. `pure` runs in any JavaScript runtime; in Node a host passes one
 * over `node:crypto`, which is some twenty times faster and must agree on every input.
 *
 * Source: FIPS 180-4, section 6.2.
 *
 * @since 0.1.0
 */
import type { Digest } from "./Ids.ts"

/**
 * SHA-256 over the concatenation of the parts.
 *
 * @since 0.1.0
 * @category models
 */
export type Hasher = (...parts: ReadonlyArray<Uint8Array>) => Digest

/**
 * SHA-256 in plain JavaScript.
 *
 * @since 0.1.0
 * @category constructors
 */
export const pure: Hasher = (...parts) => {
  const message = pad(parts)
  const state = Uint32Array.from(INITIAL)
  const schedule = new Uint32Array(64)
  const view = new DataView(message.buffer)
  for (let block = 0; block < message.length; block += 64) compress(state, schedule, view, block)
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("") as Digest
}

const pad = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const message = new Uint8Array((((length + 8) >> 6) << 6) + 64)
  let at = 0
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  message[length] = 0x80
  const view = new DataView(message.buffer)
  view.setUint32(message.length - 8, Math.floor(length / 0x2000_0000))
  view.setUint32(message.length - 4, (length << 3) >>> 0)
  return message
}

const compress = (state: Uint32Array, w: Uint32Array, view: DataView, block: number): void => {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + i * 4)
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15]!
    const b = w[i - 2]!
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
  }
  let a = state[0]!,
    b = state[1]!,
    c = state[2]!,
    d = state[3]!
  let e = state[4]!,
    f = state[5]!,
    g = state[6]!,
    h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const next = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = state[i]! + next[i]!
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

/** The first 32 bits of the fractional parts of a root of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const fraction = (root: number): number => ((root - Math.floor(root)) * 0x1_0000_0000) >>> 0

const PRIMES = ((): ReadonlyArray<number> => {
  const primes: Array<number> = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n)
  return primes
})()

const ROUND = PRIMES.map((p) => fraction(Math.cbrt(p)))
const INITIAL = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)))

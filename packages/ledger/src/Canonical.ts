/**
 * Canonical JSON (RFC 8785): one value, one sequence of bytes, whatever machine wrote it (laws 3 and 7).
 *
 * `encode` is for our own events and is strict: it refuses what cannot come back the same (unsafe integers, NaN,
 * infinities, lone surrogates, dates and maps). `sorted` is for other people's values (tool arguments), where a lone
 * surrogate or a large number is theirs to send: it orders keys and otherwise keeps what `JSON.parse` gave. In both, a
 * member that is `undefined` counts as absent.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"

/**
 * A value that has no canonical form, and where in the value it stands (a JSON pointer).
 *
 * @since 0.1.0
 * @category errors
 */
export class NotCanonical extends Data.TaggedError("NotCanonical")<{ readonly path: string; readonly why: string }> {
  override get message(): string {
    return `no canonical JSON at ${this.path === "" ? "the root" : this.path}: ${this.why}`
  }
}

/**
 * The canonical text of a value of ours.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encode = (value: unknown): Either.Either<string, NotCanonical> => {
  try {
    return Either.right(write(value, "", true))
  } catch (error) {
    if (error instanceof NotCanonical) return Either.left(error)
    throw error
  }
}

/**
 * The text of a value of someone else's with its keys in canonical order. `undefined` inside counts as absent.
 *
 * @since 0.1.0
 * @category encoding
 */
export const sorted = (value: unknown): string => write(value, "", false)

/**
 * Whether a string has no lone surrogate, so that UTF-8 can carry it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

const write = (value: unknown, path: string, strict: boolean): string => {
  switch (typeof value) {
    case "string":
      if (strict && !isWellFormed(value)) throw new NotCanonical({ path, why: "a lone surrogate" })
      return JSON.stringify(value)
    case "number":
      if (!Number.isFinite(value)) {
        if (strict) throw new NotCanonical({ path, why: `${value} is not a JSON number` })
        return "null"
      }
      if (strict && Number.isInteger(value) && !Number.isSafeInteger(value)) {
        throw new NotCanonical({ path, why: `the integer ${value} is not safe (beyond 2^53 - 1)` })
      }
      return JSON.stringify(value)
    case "boolean":
      return value ? "true" : "false"
    case "object":
      if (value === null) return "null"
      // A date or a map has no members to write, and would become {} without a word.
      if (strict && !isPlain(value) && BUILT_IN.some((type) => value instanceof type)) {
        throw new NotCanonical({ path, why: `a ${value.constructor.name} is not JSON` })
      }
      return Array.isArray(value) ? writeArray(value, path, strict) : writeObject(value, path, strict)
    default:
      if (strict) throw new NotCanonical({ path, why: `a ${typeof value} is not JSON` })
      return "null"
  }
}

const writeArray = (value: ReadonlyArray<unknown>, path: string, strict: boolean): string => {
  let out = "["
  for (let i = 0; i < value.length; i++) {
    if (i > 0) out += ","
    out += write(value[i], `${path}/${i}`, strict)
  }
  return out + "]"
}

const writeObject = (value: object, path: string, strict: boolean): string => {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  let out = "{"
  for (const [key, member] of entries) {
    if (out.length > 1) out += ","
    if (strict && !isWellFormed(key)) throw new NotCanonical({ path, why: "a key with a lone surrogate" })
    out += JSON.stringify(key) + ":" + write(member, `${path}/${escape(key)}`, strict)
  }
  return out + "}"
}

/** A key as a token of a JSON pointer (RFC 6901). */
const escape = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}

const BUILT_IN = [Date, Map, Set, RegExp, Error, ArrayBuffer, Uint8Array, Promise, Number, String, Boolean] as const

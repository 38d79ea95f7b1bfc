/**
 * Reading values of unknown shape, without trusting it: what is not as expected is absent.
 */

/** A JSON object. */
export type Json = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const objectOf = (value: unknown): Json => (isObject(value) ? value : NONE)

/** The strings of a list; whatever else is in it is passed over. */
export const stringsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).filter((member): member is string => typeof member === "string")

/** The JSON value of a text, undefined where it is none. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A text that a canonical event can carry: a lone surrogate is written as its escape, so two ids that differ only there
 * still differ.
 */
export const wellFormed = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)

/** The name of a record's type: printable ASCII, at most 80 characters. */
export const label = (...parts: ReadonlyArray<unknown>): string =>
  parts
    .filter((part): part is string => typeof part === "string" && part !== "")
    .join("/")
    .replace(/[^\x21-\x7e]/g, "?")
    .slice(0, 80)

const NONE: Json = {}

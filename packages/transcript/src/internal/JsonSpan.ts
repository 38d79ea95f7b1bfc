/**
 * Where a value stands in a JSON text, so that it can be cut out or replaced without writing the rest anew: what a parse
 * and a stringify would change (large integers, escapes, white space, doubled keys) stays as it came.
 *
 * Only structure is followed; whether the text is JSON is for `JSON.parse` to say. Of a doubled key the last one counts,
 * as it does there. The same walk serves text and bytes, as the structure of JSON is ASCII.
 */

/** Text or bytes to walk: the code at a place (NaN past the end), and the next `"` from a place on (-1 for none). */
export interface Codes {
  readonly length: number
  readonly code: (at: number) => number
  readonly quote: (from: number) => number
}

/** A half-open range of places. */
export type Span = readonly [start: number, end: number]

export const ofText = (text: string): Codes => ({
  length: text.length,
  code: (at) => text.charCodeAt(at),
  quote: (from) => text.indexOf('"', from)
})

export const ofBytes = (bytes: Uint8Array): Codes => ({
  length: bytes.length,
  code: (at) => bytes[at] ?? Number.NaN,
  quote: (from) => bytes.indexOf(QUOTE, from)
})

/** The span of the value at a JSON pointer (RFC 6901), undefined where there is none. */
export const find = (text: string, pointer: string): Span | undefined => {
  const codes = ofText(text)
  let start = lead(codes, 0)
  for (const token of pointer === "" ? [] : pointer.slice(1).split("/")) {
    const next = child(text, codes, start, token.replaceAll("~1", "/").replaceAll("~0", "~"))
    if (next === undefined) return undefined
    start = next
  }
  const end = skip(codes, start)
  return end === undefined || end === start ? undefined : [start, end]
}

/** The place of the first value: behind white space, commas (a record keeps the separator before it) and a mark. */
export const lead = (codes: Codes, from: number): number => {
  let at = from
  while (isSpace(codes.code(at)) || codes.code(at) === COMMA || codes.code(at) === 0xfeff) at++
  if (codes.code(at) === 0xef && codes.code(at + 1) === 0xbb && codes.code(at + 2) === 0xbf) return lead(codes, at + 3)
  return at
}

/** The end of the value that starts at `at`; undefined where the text ends first. */
export const skip = (codes: Codes, at: number): number | undefined => {
  const first = codes.code(at)
  if (first === QUOTE) return skipString(codes, at)
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return skipLiteral(codes, at)
  let depth = 0
  let i = at
  while (i < codes.length) {
    const code = codes.code(i)
    if (code === QUOTE) {
      const end = skipString(codes, i)
      if (end === undefined) return undefined
      i = end
      continue
    }
    i++
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
    else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) return i
  }
  return undefined
}

export const skipSpace = (codes: Codes, from: number): number => {
  let at = from
  while (isSpace(codes.code(at))) at++
  return at
}

/**
 * The members of the object that starts at `at`, as spans of key and start of value. Ends early where the text is torn:
 * the last member may have no end.
 */
export function* members(codes: Codes, at: number): Generator<{ readonly key: Span; readonly value: number }> {
  let i = skipSpace(codes, at + 1)
  while (codes.code(i) === QUOTE) {
    const keyEnd = skipString(codes, i)
    if (keyEnd === undefined) return
    const colon = skipSpace(codes, keyEnd)
    if (codes.code(colon) !== COLON) return
    const value = skipSpace(codes, colon + 1)
    if (value >= codes.length) return
    yield { key: [i, keyEnd], value }
    const end = skip(codes, value)
    if (end === undefined) return
    const comma = skipSpace(codes, end)
    if (codes.code(comma) !== COMMA) return
    i = skipSpace(codes, comma + 1)
  }
}

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const skipString = (codes: Codes, at: number): number | undefined => {
  let from = at + 1
  for (;;) {
    const quote = codes.quote(from)
    if (quote < 0) return undefined
    let slashes = 0
    while (codes.code(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

const skipLiteral = (codes: Codes, at: number): number => {
  let i = at
  while (i < codes.length) {
    const code = codes.code(i)
    if (isSpace(code) || code === COMMA || code === COLON || code === QUOTE) break
    if (code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_OBJECT || code === CLOSE_OBJECT) break
    i++
  }
  return i
}

const child = (text: string, codes: Codes, start: number, token: string): number | undefined => {
  if (codes.code(start) === OPEN_OBJECT) {
    let found: number | undefined
    for (const { key, value } of members(codes, start)) if (keyOf(text, key) === token) found = value
    return found
  }
  if (codes.code(start) !== OPEN_LIST || !/^(0|[1-9]\d*)$/.test(token)) return undefined
  let at = skipSpace(codes, start + 1)
  for (let index = Number(token); ; index--) {
    if (at >= codes.length || codes.code(at) === CLOSE_LIST) return undefined
    if (index === 0) return at
    const end = skip(codes, at)
    if (end === undefined || end === at) return undefined
    const comma = skipSpace(codes, end)
    if (codes.code(comma) !== COMMA) return undefined
    at = skipSpace(codes, comma + 1)
  }
}

const keyOf = (text: string, [start, end]: Span): string => {
  const raw = text.slice(start + 1, end - 1)
  if (!raw.includes("\\")) return raw
  try {
    return String(JSON.parse(text.slice(start, end)))
  } catch {
    return raw
  }
}

/**
 * Folding the arguments of the model's own calls. The keys stay, short values stay, and what is long becomes an object
 * that names its address: a model that copies it makes a call that its tool refuses, never a file with a mark in it.
 *
 *     {"file_path":"src/a.ts","content":"… 8,000 characters …"}
 *     {"file_path":"src/a.ts","content":{"folded":"@41","chars":8000}}
 *
 * What stays is a range of the body, so no body is copied into an event (law 7).
 *
 * @since 0.1.0
 */
import { format } from "@palimpsest/ledger/Address"
import { encodeUtf8, scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Form } from "./Form.ts"
import { scalarsIn, type Splice } from "./Splice.ts"

/**
 * The fold of the arguments of a call (a JSON text); undefined where they are no object, or where folding them would not
 * make them shorter by at least `least` scalar values.
 *
 * @since 0.1.0
 * @category forms
 */
export const folded = (seq: Seq, args: string, least: number): (Form & { readonly _tag: "Fold" }) | undefined => {
  const values = longValues(args)
  if (values.length === 0) return undefined
  const put: Array<Splice[number]> = []
  let at = 0
  for (const [from, to] of values) {
    put.push(...range(seq, args, at, from), mark(seq, args.slice(from, to)))
    at = to
  }
  put.push(...range(seq, args, at, args.length))
  return scalarsOf(args) - scalarsIn(put) < least ? undefined : { _tag: "Fold", rest: { seq }, put }
}

const mark = (seq: Seq, value: string): string =>
  `{"folded":${JSON.stringify(format({ seq }))},"chars":${scalarsOf(value)}}`

/** The places of the values of a JSON object's own members that are long. */
const longValues = (text: string): ReadonlyArray<readonly [number, number]> => {
  if (!isObject(text)) return []
  const found: Array<readonly [number, number]> = []
  let at = text.indexOf("{") + 1
  while (at < text.length) {
    at = skipSpace(text, at)
    if (text[at] === "}") break
    if (text[at] === ",") {
      at++
      continue
    }
    const colon = skipSpace(text, endOf(text, at))
    const from = skipSpace(text, colon + 1)
    const to = endOf(text, from)
    if (to - from > LONG) found.push([from, to])
    at = to
  }
  return found
}

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The end of the JSON value that begins at a place of a text that is known to be JSON. */
const endOf = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++
    } else if (char === "{" || char === "[") depth++
    else if (char === "}" || char === "]") {
      if (depth === 0) return at
      depth--
    } else if (char === "," && depth === 0) return at
    else continue
    if (depth === 0) return at + 1
  }
  return text.length
}

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++
  return at
}

const range = (seq: Seq, text: string, from: number, to: number): Splice => {
  if (from === to) return []
  const start = encodeUtf8(text.slice(0, from)).length
  const kept = text.slice(from, to)
  return [{ of: { seq }, bytes: [start, start + encodeUtf8(kept).length], scalars: scalarsOf(kept) }]
}

/** A value of more than this (UTF-16 units of its JSON) is folded. */
const LONG = 120

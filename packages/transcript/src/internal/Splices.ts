/**
 * Cutting and putting in JSON text by places, and the faults that only a caller can make.
 */
import type { Entry } from "../Shape.ts"
import * as JsonSpan from "./JsonSpan.ts"

/** Text that stands in the place of a span. */
export interface Edit {
  readonly span: JsonSpan.Span
  readonly text: string
}

/** The text with all edits made. Spans must not overlap. */
export const apply = (text: string, edits: ReadonlyArray<Edit>): string => {
  let out = ""
  let at = 0
  for (const { span, text: put } of [...edits].sort((a, b) => a.span[0] - b.span[0])) {
    out += text.slice(at, span[0]) + put
    at = span[1]
  }
  return out + text.slice(at)
}

/** The edit that gives an object's member a new value, or adds the member behind the last one. */
export const setMember = (text: string, object: JsonSpan.Span, name: string, value: string): Edit => {
  const codes = JsonSpan.ofText(text)
  let found: JsonSpan.Span | undefined
  let last = object[0]
  for (const member of JsonSpan.members(codes, object[0])) {
    const end = JsonSpan.skip(codes, member.value) ?? member.value
    last = end
    if (text.slice(member.key[0], member.key[1]) === `"${name}"`) found = [member.value, end]
  }
  if (found !== undefined) return { span: found, text: value }
  const isEmpty = last === object[0]
  const at = isEmpty ? object[0] + 1 : last
  return { span: [at, at], text: `${isEmpty ? "" : ","}${JSON.stringify(name)}:${value}` }
}

/** Where an entry's block lies in its record. */
export const spanOf = (entry: Entry, path: string): JsonSpan.Span => {
  const span = JsonSpan.find(entry.record, path)
  if (span === undefined)
    throw new Error(`the record given for an entry has nothing at ${path === "" ? "its root" : path}`)
  return span
}

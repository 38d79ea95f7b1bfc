/**
 * One JSON document as records: everything up to the "[" of its list of messages, then its elements, each with the
 * separator before it. The list is the document itself, or the member `messages` of an object (the last, where it is
 * doubled).
 */
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import type { Record, Split } from "../Records.ts"
import * as JsonSpan from "./JsonSpan.ts"

export const OPEN_LIST = JsonSpan.OPEN_LIST

/** The first byte behind white space and a byte order mark; NaN in an empty file. */
export const firstByte = (bytes: Uint8Array): number => {
  const codes = JsonSpan.ofBytes(bytes)
  return codes.code(JsonSpan.lead(codes, 0))
}

export const split = (bytes: Uint8Array): Split => {
  const codes = JsonSpan.ofBytes(bytes)
  const top = JsonSpan.lead(codes, 0)
  const isOpen = codes.code(top) === JsonSpan.OPEN_OBJECT || codes.code(top) === JsonSpan.OPEN_LIST
  const isTorn = top >= codes.length ? bytes.length > 0 : isOpen && JsonSpan.skip(codes, top) === undefined
  const list = findList(bytes, codes, top)
  if (list === undefined) {
    return isTorn
      ? { records: [], tail: NOTHING, torn: { line: 1, why: "the document ends before its list of messages" } }
      : { records: [], tail: bytes }
  }
  const records: Array<Record> = [{ line: 1, bytes: bytes.subarray(0, list + 1) }]
  let from = list + 1
  for (;;) {
    const start = JsonSpan.lead(codes, from)
    const end = JsonSpan.skip(codes, start)
    // A literal that touches the end may go on; one of no length is the "]", or nothing that begins a value.
    if (end === undefined || end === start || (end === codes.length && !isClosed(codes, start))) break
    records.push({ line: records.length + 1, bytes: bytes.subarray(from, end) })
    from = end
  }
  return isTorn
    ? { records, tail: NOTHING, torn: { line: records.length + 1, why: "the document ends before it is closed" } }
    : { records, tail: bytes.subarray(from) }
}

const findList = (bytes: Uint8Array, codes: JsonSpan.Codes, top: number): number | undefined => {
  if (codes.code(top) === JsonSpan.OPEN_LIST) return top
  if (codes.code(top) !== JsonSpan.OPEN_OBJECT) return undefined
  let list: number | undefined
  for (const { key, value } of JsonSpan.members(codes, top)) {
    const isList = codes.code(value) === JsonSpan.OPEN_LIST
    if (decodeUtf8(bytes.subarray(key[0] + 1, key[1] - 1)) === "messages") list = isList ? value : undefined
  }
  return list
}

const isClosed = (codes: JsonSpan.Codes, start: number): boolean =>
  codes.code(start) === JsonSpan.QUOTE ||
  codes.code(start) === JsonSpan.OPEN_LIST ||
  codes.code(start) === JsonSpan.OPEN_OBJECT

const NOTHING = new Uint8Array(0)

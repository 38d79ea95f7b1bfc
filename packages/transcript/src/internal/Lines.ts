/**
 * JSON Lines as records: each line without its "\n". A "\r" before it stays in the record, so nothing is lost.
 */
import { parseRecord } from "@palimpsest/ledger/Resolve"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Record, Split } from "../Records.ts"

export const NEW_LINE = 0x0a

export const split = (bytes: Uint8Array): Split => {
  const records: Array<Record> = []
  let from = 0
  for (;;) {
    const end = bytes.indexOf(NEW_LINE, from)
    if (end < 0) break
    records.push({ line: records.length + 1, bytes: bytes.subarray(from, end) })
    from = end + 1
  }
  const line = records.length + 1
  const rest = bytes.subarray(from)
  if (isWhole(rest)) return { records: [...records, { line, bytes: rest }], tail: NOTHING }
  const tail = from === 0 ? NOTHING : bytes.subarray(from - 1, from)
  if (rest.length === 0) return { records, tail }
  return { records, tail, torn: { line, why: `the last line is not whole: ${rest.length} bytes without a line break` } }
}

/** No beginning of an object or a list parses, so what parses is all there. A number or a word may still grow. */
export const isWhole = (bytes: Uint8Array): boolean => {
  const value = parseRecord(UNUSED, bytes)
  return typeof value === "object" && value !== null
}

const NOTHING = new Uint8Array(0)
const UNUSED = "" as Digest

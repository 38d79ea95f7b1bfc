/**
 * A file as records: the smallest pieces that are stored as they came. Joined again they are the file, byte for byte,
 * whatever it held (law 2): line ends, a byte order mark, blank lines, bytes that are no UTF-8.
 *
 * ```
 * lines      record \n record \n record tail      tail: "\n" or nothing
 * document   record record record tail            record 1 ends with the "[" of the list, tail begins behind its last element
 * ```
 *
 * A last piece that is not whole yet is neither record nor tail: it waits, and is read when the rest of it has come, so
 * that a record written after a torn one is never glued to it (B93, B94). What is joined without it ends before it.
 *
 * @since 0.1.0
 */
import type { Format } from "./Format.ts"
import * as Documents from "./internal/Documents.ts"
import * as Lines from "./internal/Lines.ts"

/**
 * One record and its 1-based place: the number of its line, or its place in the document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Record {
  readonly line: number
  readonly bytes: Uint8Array
}

/**
 * The records of a file, the bytes behind the last one, and the piece that waits, where there is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Split {
  readonly records: ReadonlyArray<Record>
  readonly tail: Uint8Array
  readonly torn?: { readonly line: number; readonly why: string }
}

/**
 * The records of a file's bytes, in time linear in them. Records are views into `bytes`.
 *
 * @since 0.1.0
 * @category splitting
 */
export const split = (format: Format, bytes: Uint8Array): Split =>
  isDocument(format, bytes) ? Documents.split(bytes) : Lines.split(bytes)

/**
 * The bytes of the file that the records and the tail came from.
 *
 * @since 0.1.0
 * @category splitting
 */
export const join = (format: Format, records: ReadonlyArray<Uint8Array>, tail: Uint8Array): Uint8Array => {
  const first = records[0]
  if (first === undefined) return tail
  return concat(records, tail, isDocument(format, first) ? 0 : 1)
}

/** Rows come as lines or as one list; in both, the first byte that is no white space lies in the first record. */
const isDocument = (format: Format, bytes: Uint8Array): boolean =>
  format === "anthropic-messages" ||
  format === "openai-chat" ||
  (format === "openai-chat-rows" && Documents.firstByte(bytes) === Documents.OPEN_LIST)

const concat = (records: ReadonlyArray<Uint8Array>, tail: Uint8Array, between: 0 | 1): Uint8Array => {
  const total = records.reduce((sum, record) => sum + record.length + between, tail.length - between)
  const out = new Uint8Array(total)
  let at = 0
  records.forEach((record, index) => {
    if (index > 0 && between === 1) out[at++] = Lines.NEW_LINE
    out.set(record, at)
    at += record.length
  })
  out.set(tail, at)
  return out
}

/**
 * The identity of a source: what makes two files the same conversation. It comes from the content alone, so two machines
 * that read one file, at any time and from any path, agree (law 7), and a file that grew is still the same source.
 *
 * @since 0.1.0
 */
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Digest } from "@palimpsest/ledger/Ids"
import { parseRecord } from "@palimpsest/ledger/Resolve"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Format } from "./Format.ts"
import { isObject, listOf, objectOf, stringOf, type Json } from "./internal/Json.ts"
import * as JsonSpan from "./internal/JsonSpan.ts"

/**
 * The name of a source, fit for a `LogId`: a session's own id (with the agent's, for an agent's own file), or `chat-`,
 * `msgs-`, `rows-` and 16 hexadecimal digits of a digest over the opening, up to and including the first message of the
 * user. Two conversations with the same opening have the same name.
 *
 * @since 0.1.0
 * @category identity
 */
export const sourceId = (format: Format, records: Pieces, hash: Hasher): string => {
  switch (format) {
    case "claude-code":
      return session(records, hash)
    case "anthropic-messages":
      return `msgs-${digest(hash, opening(elements(records)))}`
    case "openai-chat":
      return `chat-${digest(hash, opening(elements(records)))}`
    case "openai-chat-rows":
      return `rows-${digest(hash, firstRow(records))}`
  }
}

type Pieces = ReadonlyArray<{ readonly bytes: Uint8Array }>

/** The elements of a document's list, without the separators before them. */
const elements = (records: Pieces): ReadonlyArray<Uint8Array> => records.slice(1).map((record) => trim(record.bytes))

const session = (records: Pieces, hash: Hasher): string => {
  for (const { bytes } of records) {
    const line = objectOf(parseRecord(UNUSED, bytes))
    const id = stringOf(line["sessionId"])
    if (id === "") continue
    // Whether the file is an agent's own shows on its first line that takes part in a conversation.
    const agent = agentOf(line) || (typeof line["isSidechain"] === "boolean" ? "" : agentLater(records))
    return named(agent === "" ? id : `${id}.${agent}`, hash)
  }
  return `session-${digest(
    hash,
    records.slice(0, 1).map((record) => record.bytes)
  )}`
}

const agentLater = (records: Pieces): string => {
  for (const { bytes } of records) {
    const line = objectOf(parseRecord(UNUSED, bytes))
    if (typeof line["isSidechain"] === "boolean") return agentOf(line)
  }
  return ""
}

const agentOf = (line: Json): string => (line["isSidechain"] === true ? stringOf(line["agentId"]) : "")

/** Fit for a log's name; what had to be changed is told apart by a digest of what it was. */
const named = (id: string, hash: Hasher): string => {
  const fit = id.replace(/[^A-Za-z0-9._~-]/g, "-").slice(0, 120)
  return fit === id && /^[A-Za-z0-9]/.test(fit) ? fit : `s${fit}~${digest(hash, [encodeUtf8(JSON.stringify(id))])}`
}

const opening = (elements: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const first = elements.findIndex((element) => objectOf(parseRecord(UNUSED, element))["role"] === "user")
  return first < 0 ? elements : elements.slice(0, first + 1)
}

const firstRow = (records: Pieces): ReadonlyArray<Uint8Array> => {
  for (const { bytes } of records) {
    const row = parseRecord(UNUSED, bytes)
    if (!isObject(row)) continue
    const key = ["messages", "traj"].find((name) => Array.isArray(row[name]))
    if (key === undefined) continue
    const text = decodeUtf8(bytes)
    const elements = listOf(row[key]).map((_, index) => JsonSpan.find(text, `/${key}/${index}`))
    return opening(elements.map((span) => encodeUtf8(span === undefined ? "" : text.slice(...span))))
  }
  return []
}

const trim = (bytes: Uint8Array): Uint8Array => bytes.subarray(JsonSpan.lead(JsonSpan.ofBytes(bytes), 0))

const digest = (hash: Hasher, pieces: ReadonlyArray<Uint8Array>): string =>
  hash(...pieces.flatMap((piece) => [piece, BETWEEN])).slice(0, 16)

const BETWEEN = new Uint8Array([0x0a])
const UNUSED = "" as Digest

/**
 * What lists of messages have in common: the head of the document is laid aside, each message is one key, and each
 * message of the model is a request.
 */
import type { Role } from "@palimpsest/ledger/Part"
import { parseRecord } from "@palimpsest/ledger/Resolve"
import type { Decoder, Input } from "../Decoder.ts"
import type { Move, RunKey } from "../Move.ts"
import type { Placed } from "./AnthropicBlocks.ts"
import * as Calls from "./Calls.ts"
import { isObject, type Json } from "./Json.ts"

/** A message read: its role (undefined for one that is not known), its parts, and the arguments of the call at a path. */
export interface Content {
  readonly role: Role | undefined
  readonly parts: ReadonlyArray<Placed>
  readonly argsOf: (path: string) => unknown
}

/** A document of one run. `line` 1 is its head, and message `n` of the list (from 0) is record `n + 2`. */
export const document = (read: (record: Input, value: Json) => Content): Decoder => {
  const calls = Calls.make()
  return {
    next: (record) => {
      if (record.line === 1) return [OPENED, { _tag: "Aside", run: "main", at: "", type: "document/head" }]
      const value = parseRecord(record.digest, record.bytes)
      if (!isObject(value)) return [{ _tag: "Aside", run: "main", at: "", type: "malformed" }]
      const content = read(record, value)
      const moves = entries(record, "main", `m${record.line - 2}`, calls, content)
      if (moves.length > 0) return moves
      const type = content.role === undefined ? "message/unknown" : "message/empty"
      return [{ _tag: "Aside", run: "main", at: "", type }]
    }
  }
}

/** The entries of one message, with the request that it answers where it is the model's. */
export const entries = (
  record: Input,
  run: RunKey,
  key: string,
  calls: Calls.Calls,
  content: Content
): ReadonlyArray<Move> => {
  const { argsOf, parts, role } = content
  if (role === undefined || parts.length === 0) return []
  const moves: Array<Move> = role === "assistant" ? [{ _tag: "Prompted", run, at: "" }] : []
  for (const { part, path } of parts) {
    if (part._tag === "Call") calls.saw(part.call, { name: part.name, args: argsOf(path) })
    const speaker = part._tag === "Result" ? "tool" : role
    const observation = calls.observe(speaker, part)
    const origin = { _tag: "Read", line: record.line, record: record.digest, path } as const
    const entry = { message: key, role: speaker, part, ...(observation === undefined ? {} : { observation }), origin }
    moves.push({ _tag: "Entered", run, at: "", entry })
  }
  return moves
}

/** What a record without messages is. */
export const typeOf = (record: Input): string =>
  record.bytes.every((byte) => byte <= 0x20) ? "blank" : record.line === 1 ? "document/head" : "malformed"

const OPENED: Move = { _tag: "Opened", run: "main", at: "" }

/**
 * The marks by which a file is recognised. A message list is Anthropic's where a block says so, else it is a chat.
 */
import type { Digest } from "@palimpsest/ledger/Ids"
import { parseRecord } from "@palimpsest/ledger/Resolve"
import * as Either from "effect/Either"
import type { Format } from "../Format.ts"
import * as Documents from "./Documents.ts"
import { isObject, listOf, stringOf, type Json } from "./Json.ts"
import * as JsonSpan from "./JsonSpan.ts"
import * as Lines from "./Lines.ts"

/** Where a file was looked at, and what was there instead. */
export interface Stranger {
  readonly line: number
  readonly found: string
}

export const detect = (bytes: Uint8Array): Either.Either<Format, Stranger> => {
  const first = Documents.firstByte(bytes)
  if (Number.isNaN(first)) return unknown(1, "an empty file")
  if (first === JsonSpan.OPEN_LIST) return ofDocument(bytes)
  if (first !== JsonSpan.OPEN_OBJECT) return unknown(1, "a line that is no JSON object")
  const lines = firstLines(bytes)
  const whole = lines.filter((line) => line.value !== undefined)
  if (whole.some((line) => isClaudeCode(line.value))) return Either.right("claude-code")
  if (lines.length > 1 && lines.slice(0, 2).some((line) => isRow(line.value))) return Either.right("openai-chat-rows")
  const start = lines[0]
  if (lines.length > 1 && start?.value !== undefined) {
    return unknown(start.line, `an object with the keys ${Object.keys(start.value).slice(0, 8).join(", ")}`)
  }
  return ofDocument(bytes)
}

interface Line {
  readonly line: number
  readonly value: Json | undefined
}

const firstLines = (bytes: Uint8Array): ReadonlyArray<Line> => {
  const found: Array<Line> = []
  let from = 0
  for (let line = 1; from < bytes.length && found.length < LOOKED_AT; line++) {
    const next = bytes.indexOf(Lines.NEW_LINE, from)
    const end = next < 0 ? bytes.length : next
    const piece = bytes.subarray(from, end)
    if (!Number.isNaN(Documents.firstByte(piece))) {
      const value = parseRecord(UNUSED, piece)
      found.push({ line, value: isObject(value) ? value : undefined })
    }
    from = end + 1
    // A document over many lines shows in its first; the rest of it would be parsed in vain.
    if (found.length === 1 && found[0]?.value === undefined && Documents.split(bytes).records.length > 0) break
  }
  return found
}

const isRow = (value: Json | undefined): boolean =>
  value !== undefined && (Array.isArray(value["messages"]) || Array.isArray(value["traj"]))

/** Claude Code's lines, and not those of clients that took over its envelope around other messages. */
const isClaudeCode = (line: Json | undefined): boolean => {
  if (line === undefined) return false
  const type = line["type"]
  if (type === "summary") return typeof line["leafUuid"] === "string"
  if (type === "file-history-snapshot") return "snapshot" in line
  if (typeof line["sessionId"] !== "string") return false
  if (type === "queue-operation") return typeof line["operation"] === "string"
  const message = line["message"]
  if (type === "user" || type === "assistant") return isObject(message) && "content" in message
  return typeof type === "string" && "parentUuid" in line && "isSidechain" in line
}

const ofDocument = (bytes: Uint8Array): Either.Either<Format, Stranger> => {
  const [head, ...elements] = Documents.split(bytes).records
  if (head === undefined) return unknown(1, "a JSON document without a list of messages")
  const messages = elements.map((element) => parseRecord(UNUSED, element.bytes)).filter(isObject)
  if (messages.some(isRow) && messages.every((message) => !("role" in message))) return Either.right("openai-chat-rows")
  if (!messages.some((message) => typeof message["role"] === "string")) {
    return unknown(1, elements.length === 0 ? "an empty list" : "a list of something else")
  }
  const shape = ofTop(bytes) ?? messages.reduce<Format | undefined>((found, m) => found ?? ofMessage(m), undefined)
  return Either.right(shape ?? (messages[0]?.["role"] === "system" ? "openai-chat" : ofModel(bytes)))
}

const ofMessage = (message: Json): Format | undefined => {
  if ("tool_calls" in message || "tool_call_id" in message || CHAT_ROLES.has(message["role"])) return "openai-chat"
  for (const block of listOf(message["content"])) {
    const type = isObject(block) ? stringOf(block["type"]) : ""
    if (ANTHROPIC_BLOCKS.has(type)) return "anthropic-messages"
    if (CHAT_BLOCKS.has(type)) return "openai-chat"
  }
  return undefined
}

const ofTop = (bytes: Uint8Array): Format | undefined => {
  const top = topOf(bytes)
  return top !== undefined && ("system" in top || "anthropic_version" in top) ? "anthropic-messages" : undefined
}

const ofModel = (bytes: Uint8Array): Format =>
  /claude/i.test(stringOf(topOf(bytes)?.["model"])) ? "anthropic-messages" : "openai-chat"

const topOf = (bytes: Uint8Array): Json | undefined => {
  if (Documents.firstByte(bytes) !== JsonSpan.OPEN_OBJECT) return undefined
  const value = parseRecord(UNUSED, bytes)
  return isObject(value) ? value : undefined
}

const unknown = (line: number, found: string): Either.Either<never, Stranger> => Either.left({ line, found })

const LOOKED_AT = 50
const UNUSED = "" as Digest
const CHAT_ROLES: ReadonlySet<unknown> = new Set(["tool", "developer", "function"])
const ANTHROPIC_BLOCKS: ReadonlySet<string> = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "image",
  "document",
  "server_tool_use"
])
const CHAT_BLOCKS: ReadonlySet<string> = new Set(["image_url", "input_audio", "refusal"])

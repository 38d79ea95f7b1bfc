/**
 * What a session's file, or an agent's, says of sub-agents: the calls that can begin one, and those whose result names the
 * one that they began.
 */
import type { Digest } from "@palimpsest/ledger/Ids"
import { parseRecord } from "@palimpsest/ledger/Resolve"
import { listOf, objectOf, stringOf, wellFormed, type Json } from "./Json.ts"

export interface Read {
  /** The agent whose own file it is, "" where it is a session's. */
  readonly agent: string
  /** The session that it belongs to, by its first line. */
  readonly session: string
  readonly sessions: ReadonlySet<string>
  /** The first words of the user. */
  readonly first: string
  /** The prompt of each call of a model, by the call; "" where it begins no agent by one. */
  readonly prompts: ReadonlyMap<string, string>
  /** The call that began an agent, by the agent. */
  readonly begun: ReadonlyMap<string, string>
}

export const read = (records: ReadonlyArray<{ readonly bytes: Uint8Array }>): Read => {
  const sessions = new Set<string>()
  const prompts = new Map<string, string>()
  const begun = new Map<string, string>()
  let agent: string | undefined
  let session = ""
  let first = ""
  for (const { bytes } of records) {
    const line = objectOf(parseRecord(UNUSED, bytes))
    const own = stringOf(line["sessionId"])
    if (own !== "") sessions.add(own)
    if (session === "") session = own
    if (agent === undefined && typeof line["isSidechain"] === "boolean") {
      agent = line["isSidechain"] ? stringOf(line["agentId"]) : ""
    }
    const { message } = line["type"] === "progress" ? objectOf(objectOf(line["data"])["message"]) : line
    const { content, role } = objectOf(message)
    if (first === "" && role === "user") first = firstText(content)
    for (const block of listOf(content).map(objectOf)) called(block, prompts)
    const began = stringOf(objectOf(line["toolUseResult"])["agentId"])
    const answered = began === "" ? undefined : answeredBy(content)
    if (answered !== undefined) begun.set(began, answered)
  }
  return { agent: agent ?? "", session, sessions, first, prompts, begun }
}

/** Any call of a model is known, but only those that begin agents by their prompt. */
const called = ({ id, input, name, type }: Json, prompts: Map<string, string>): void => {
  if (type !== "tool_use" || typeof id !== "string" || id === "") return
  prompts.set(wellFormed(id), name === "Task" || name === "Agent" ? stringOf(objectOf(input)["prompt"]) : "")
}

const answeredBy = (content: unknown): string | undefined => {
  const block = listOf(content)
    .map(objectOf)
    .find(({ type }) => type === "tool_result")
  return block === undefined ? undefined : wellFormed(stringOf(block["tool_use_id"]))
}

const firstText = (content: unknown): string => {
  if (typeof content === "string") return content
  const block = listOf(content)
    .map(objectOf)
    .find(({ type }) => type === "text")
  return stringOf(block?.["text"])
}

const UNUSED = "" as Digest

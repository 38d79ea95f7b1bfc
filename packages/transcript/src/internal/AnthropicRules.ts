/**
 * Anthropic Messages: what is refused with a 400. Neighbours of one role count as one message, as the provider takes them.
 */
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import type { Fault, Rule } from "../Validate.ts"
import { isObject, listOf, stringOf, type Json } from "./Json.ts"

export const faults = (messages: ReadonlyArray<unknown>): ReadonlyArray<Fault> => {
  const found: Array<Fault> = []
  const report = (index: number, rule: Rule, why: string) => void found.push({ index, rule, why })
  messages.forEach((message, index) => alone(message, index, report))
  const turns = merge(messages)
  const [first] = turns
  if (first === undefined || first.role !== "user")
    report(first?.index ?? 0, "first", "the first message is not the user's")
  const ids = new Set<string>()
  turns.forEach((turn, at) => {
    const calls = turn.role === "assistant" ? idsOf(turn.blocks, "tool_use", "id") : []
    for (const id of calls) {
      if (ids.has(id)) report(turn.index, "duplicate", `two calls have the id ${id}`)
      ids.add(id)
    }
    const next = turns[at + 1]
    const answers = next?.role === "user" ? idsOf(next.blocks, "tool_result", "tool_use_id") : []
    for (const id of calls)
      if (!answers.includes(id)) report(turn.index, "unanswered", `the call ${id} has no result behind it`)
    if (turn.role !== "assistant") results(turn, turns[at - 1], report)
  })
  return found
}

type Report = (index: number, rule: Rule, why: string) => void

interface Turn {
  readonly index: number
  readonly role: string
  readonly blocks: Array<Json>
}

/** The results of a turn: of calls of the turn before, each once, and before anything else. */
const results = (turn: Turn, before: Turn | undefined, report: Report): void => {
  const asked = before?.role === "assistant" ? idsOf(before.blocks, "tool_use", "id") : []
  const seen = new Set<string>()
  let isBehind = false
  for (const block of turn.blocks) {
    if (block["type"] !== "tool_result") {
      isBehind = true
      continue
    }
    const id = stringOf(block["tool_use_id"])
    if (!asked.includes(id)) report(turn.index, "orphan", `the result ${id} has no call before it`)
    else if (isBehind) report(turn.index, "order", `the result ${id} stands behind other content`)
    if (seen.has(id)) report(turn.index, "duplicate", `the call ${id} is answered twice`)
    seen.add(id)
  }
}

/** What is wrong with a message by itself. */
const alone = (message: unknown, index: number, report: Report): void => {
  if (!isObject(message) || !ROLES.has(message["role"])) return report(index, "message", "no message of a known role")
  const { content } = message
  if (typeof content !== "string" && !Array.isArray(content))
    report(index, "message", "content is neither text nor a list")
  if (content === "" || (Array.isArray(content) && content.length === 0)) report(index, "empty", "no content")
  for (const block of listOf(content)) {
    if (!isObject(block)) report(index, "message", "a block is no object")
    else if (block["type"] === "text" && stringOf(block["text"]) === "") report(index, "empty", "an empty text block")
  }
  if (!isWellFormedThroughout(message)) report(index, "unicode", "a lone surrogate")
}

/** Whether every string of a value, keys included, is well formed. */
export const isWellFormedThroughout = (value: unknown): boolean => {
  if (typeof value === "string") return isWellFormed(value)
  if (Array.isArray(value)) return value.every(isWellFormedThroughout)
  return !isObject(value) || Object.entries(value).every(([key, v]) => isWellFormed(key) && isWellFormedThroughout(v))
}

const merge = (messages: ReadonlyArray<unknown>): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  messages.forEach((message, index) => {
    if (!isObject(message)) return
    const role = stringOf(message["role"])
    const { content } = message
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).filter(isObject)
    const last = turns.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else turns.push({ index, role, blocks: [...blocks] })
  })
  return turns
}

const idsOf = (blocks: ReadonlyArray<Json>, type: string, key: string): ReadonlyArray<string> =>
  blocks.flatMap((block) => (block["type"] === type ? [stringOf(block[key])] : []))

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"])

/**
 * Anthropic Messages: what is refused with a 400. Neighbours of one role count as one message, as the provider takes them.
 */
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import type { Fault, Rule } from "../Validate.ts"
import { marks } from "./AnthropicMarks.ts"
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
  reasoning(messages, report)
  marks(messages, report)
  return found
}

/** Takes a fault: the 0-based index of its message, the rule, and what is wrong. */
export type Report = (index: number, rule: Rule, why: string) => void

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

/**
 * Reasoning in the loop that is open, behind the user's last words, where the provider looks at it: a message with calls
 * need not have any, but where it has, it begins with it.
 */
const reasoning = (messages: ReadonlyArray<unknown>, report: Report): void => {
  const all = messages.map((message) => (isObject(message) ? message : {}))
  const words = all.findLastIndex((message) => message["role"] === "user" && !blocksOf(message).every(isResult))
  all.forEach((message, index) => {
    const blocks = blocksOf(message)
    const [first] = blocks
    if (index <= words || message["role"] !== "assistant" || first === undefined || isReasoning(first)) return
    if (blocks.some(isReasoning) && blocks.some((block) => block["type"] === "tool_use")) {
      report(index, "reasoning", "a message with calls has reasoning, and does not begin with it")
    }
  })
}

const isResult = (block: Json): boolean => block["type"] === "tool_result"

const isReasoning = (block: Json): boolean => block["type"] === "thinking" || block["type"] === "redacted_thinking"

/** What is wrong with a message by itself. */
const alone = (message: unknown, index: number, report: Report): void => {
  if (!isObject(message) || !ROLES.has(message["role"])) return report(index, "message", "no message of a known role")
  const { content } = message
  if (typeof content !== "string" && !Array.isArray(content))
    report(index, "message", "content is neither text nor a list")
  if (content === "" || (Array.isArray(content) && content.length === 0)) report(index, "empty", "no content")
  for (const block of listOf(content)) {
    if (isObject(block)) aloneBlock(block, stringOf(message["role"]), index, report)
    else report(index, "message", "a block is no object")
  }
  if (!isWellFormedThroughout(message)) report(index, "unicode", "a lone surrogate")
}

/** What is wrong with a block by itself, in a message of that role. */
const aloneBlock = (block: Json, role: string, index: number, report: Report): void => {
  const { content, data, id, input, name, signature, text, tool_use_id: answered, type } = block
  switch (type) {
    case "text":
      if (stringOf(text) === "") report(index, "empty", "an empty text block")
      return
    case "tool_use":
      if (role !== "assistant") report(index, "message", `a call in a message of the ${role}`)
      if (stringOf(id) === "" || stringOf(name) === "") report(index, "message", "a call without its id or name")
      if (!isObject(input)) report(index, "message", `the input of the call ${stringOf(id)} is no object`)
      return
    case "tool_result":
      if (role !== "user") report(index, "message", `a result in a message of the ${role}`)
      if (stringOf(answered) === "") report(index, "message", "a result that names no call")
      if (listOf(content).some((inner) => isObject(inner) && inner["type"] === "text" && inner["text"] === "")) {
        report(index, "empty", `an empty text block in the result ${stringOf(answered)}`)
      }
      return
    case "thinking":
    case "redacted_thinking":
      if (role !== "assistant") report(index, "message", `reasoning in a message of the ${role}`)
      if (stringOf(type === "thinking" ? signature : data) === "") {
        report(index, "reasoning", "reasoning without its signature")
      }
      return
    default:
      return
  }
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
    const blocks = blocksOf(message)
    const last = turns.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else turns.push({ index, role, blocks: [...blocks] })
  })
  return turns
}

const blocksOf = ({ content }: Json): ReadonlyArray<Json> =>
  typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).filter(isObject)

const idsOf = (blocks: ReadonlyArray<Json>, type: string, key: string): ReadonlyArray<string> =>
  blocks.flatMap((block) => (block["type"] === type ? [stringOf(block[key])] : []))

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"])

/**
 * An independent account of requests, from their messages alone: the estimate of each, what it shares with the one before,
 * and what that costs. JSON and nothing of the project.
 */
import { isObject, listOf, objectOf, stringOf, type Json } from "./Json.ts"
import type { Line } from "./Governed.ts"

export interface Account {
  readonly sent: number
  readonly tokens: number
  readonly cached: number
  readonly cost: number
  readonly peakTokens: number
}

export const accountOf = (lines: ReadonlyArray<Line>, fixed: number, isSection: boolean): Account => {
  const sum = { sent: 0, tokens: 0, cached: 0, cost: 0, peakTokens: 0 }
  let before: ReadonlyArray<Json> = []
  for (const { messages, refused } of lines) {
    if (refused !== undefined) continue
    const estimate = estimateOf(messages)
    const cached = (isSection ? sharedText(before, messages) : sharedMessages(before, messages)) + (sum.sent && fixed)
    const rest = estimate + fixed - cached
    sum.sent++
    sum.tokens += estimate + fixed
    sum.cached += cached
    sum.cost += Math.min(0.1 * cached + 1.25 * rest, cached + rest)
    sum.peakTokens = Math.max(sum.peakTokens, estimate)
    before = messages
  }
  return sum
}

/** ceil(scalar values / 4) of each message's texts, and 1,500 for each medium. */
export const estimateOf = (messages: ReadonlyArray<Json>): number =>
  messages.reduce((sum, message) => {
    const parts = partsOf(message)
    const texts = parts.filter((part) => part !== MEDIUM)
    const media = parts.length - texts.length
    return sum + Math.ceil(texts.reduce((n, text) => n + scalars(text), 0) / 4) + 1_500 * media
  }, 0)

export const scalars = (text: string): number =>
  text.length - (/[\ud800-\udbff]/.test(text) ? (text.match(/[\ud800-\udbff][\udc00-\udfff]/g) ?? []).length : 0)

const MEDIUM = "\u0000medium"

const partsOf = (part: unknown): ReadonlyArray<string> => {
  if (typeof part === "string") return [part]
  if (Array.isArray(part)) return part.flatMap(partsOf)
  if (!isObject(part)) return []
  if (part["role"] !== undefined)
    return [part["content"], part["reasoning_content"], part["tool_calls"]].flatMap(partsOf)
  switch (part["type"]) {
    case "text":
      return [stringOf(part["text"])]
    case "thinking":
      return [stringOf(part["thinking"]), stringOf(part["signature"])]
    case "redacted_thinking":
      return [stringOf(part["data"])]
    case "tool_use":
      return [JSON.stringify(part["input"])]
    case "function":
      return [compact(stringOf(objectOf(part["function"])["arguments"]))]
    case "tool_result":
      return listOf([part["content"]]).flatMap(partsOf)
    case "image":
    case "image_url":
      return [MEDIUM]
    default:
      return [JSON.stringify(part)]
  }
}

/** As long as canonical JSON, which differs in the order of keys alone. */
const compact = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

const keyOf = (message: Json): string =>
  JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value))

const sharedMessages = (before: ReadonlyArray<Json>, now: ReadonlyArray<Json>): number => {
  const parted = now.findIndex((message, i) => before[i] === undefined || keyOf(before[i]) !== keyOf(message))
  return estimateOf(parted < 0 ? now : now.slice(0, parted))
}

const sharedText = (before: ReadonlyArray<Json>, now: ReadonlyArray<Json>): number => {
  const [old, text] = [before, now].map((list) => Array.from(stringOf(list[0]?.["content"])))
  const parted = (text ?? []).findIndex((scalar, i) => scalar !== old?.[i])
  return Math.floor((parted < 0 ? (text ?? []).length : parted) / 4)
}

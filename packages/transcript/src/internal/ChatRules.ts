/**
 * OpenAI Chat Completions: what is refused with a 400.
 */
import type { Fault, Rule } from "../Validate.ts"
import { isWellFormedThroughout } from "./AnthropicRules.ts"
import { isObject, listOf, objectOf, stringOf, type Json } from "./Json.ts"

export const faults = (messages: ReadonlyArray<unknown>): ReadonlyArray<Fault> => {
  const found: Array<Fault> = []
  const report = (index: number, rule: Rule, why: string) => void found.push({ index, rule, why })
  const ids = new Set<string>()
  /** The calls of the newest message of the model that wait for an answer, and those that have one. */
  let waiting = new Map<string, number>()
  let answered = new Set<string>()
  const close = () => {
    for (const [id, index] of waiting) report(index, "unanswered", `the call ${id} has no result behind it`)
    waiting = new Map()
  }
  if (messages.length === 0) report(0, "first", "no messages")
  messages.forEach((message, index) => {
    if (!isObject(message) || !ROLES.has(message["role"])) return report(index, "message", "no message of a known role")
    if (!isWellFormedThroughout(message)) report(index, "unicode", "a lone surrogate")
    const role = message["role"]
    if (role === "tool") {
      const id = stringOf(message["tool_call_id"])
      if (isWithoutContent(message)) report(index, "message", `the result ${id} has no content`)
      if (answered.has(id)) report(index, "duplicate", `the call ${id} is answered twice`)
      else if (!waiting.delete(id)) report(index, "orphan", `the result ${id} has no call before it`)
      else answered.add(id)
      return
    }
    close()
    answered = new Set()
    if (role !== "assistant") {
      if (isWithoutContent(message)) report(index, "message", "no content")
      return
    }
    const calls = listOf(message["tool_calls"]).map((call) => stringOf(objectOf(call)["id"]))
    if (!listOf(message["tool_calls"]).every(isCall)) {
      report(index, "message", "a call without its id, its type or its name, or whose arguments are no text")
    }
    for (const id of calls) {
      if (ids.has(id)) report(index, "duplicate", `two calls have the id ${id}`)
      ids.add(id)
      waiting.set(id, index)
    }
    if (
      calls.length === 0 &&
      isWithoutContent(message) &&
      !OTHER.some((key) => isObject(message[key]) || typeof message[key] === "string")
    ) {
      report(index, "empty", "neither content nor calls")
    }
  })
  close()
  return found
}

/** A call of a function with its arguments as text, or of another type, whose own member is not looked into. */
const isCall = (call: unknown): boolean => {
  const { function: of, id, type } = objectOf(call)
  if (stringOf(id) === "" || stringOf(type) === "") return false
  return type !== "function" || (stringOf(objectOf(of)["name"]) !== "" && typeof objectOf(of)["arguments"] === "string")
}

const isWithoutContent = (message: Json): boolean => message["content"] === undefined || message["content"] === null

const OTHER = ["function_call", "refusal", "audio"]

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"])

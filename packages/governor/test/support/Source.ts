/**
 * An independent reading of a source: its tool results, and the user's words with the request and the segment (how many
 * compactions came before) that they were said in. JSON and nothing of the project.
 */
import { isObject, listOf, objectOf, parse, stringOf, type Json } from "./Json.ts"
import { decode } from "./Sessions.ts"

export interface ToolResult {
  readonly call: string
  readonly blocks: ReadonlyArray<{ readonly text: string } | { readonly base64: string }>
}

/** Every tool result of a file in any of the formats, in its order. */
export const toolResults = (bytes: Uint8Array): ReadonlyArray<ToolResult> =>
  valuesOf(decode(bytes)).flatMap(messagesIn).flatMap(resultsIn)

export interface Word {
  readonly text: string
  readonly after: number
  readonly segment: number
}

/** What the user said in the main thread of a Claude Code session, and the segment of each request (the first at 0). */
export const words = (
  bytes: Uint8Array
): { readonly said: ReadonlyArray<Word>; readonly segments: ReadonlyArray<number> } => {
  const said: Array<Word> = []
  const answers = new Map<string, number>()
  let segment = 0
  for (const line of valuesOf(decode(bytes)).map(objectOf)) {
    if (line["isSidechain"] === true) continue
    if (line["subtype"] === "compact_boundary") segment++
    const message = objectOf(line["message"])
    if (line["type"] === "assistant" && line["isApiErrorMessage"] !== true) {
      const id = stringOf(message["id"])
      if (!answers.has(id)) answers.set(id, segment)
    }
    if (line["type"] !== "user") continue
    for (const text of textsOf(message["content"])) said.push({ text, after: answers.size, segment })
  }
  return { said, segments: [...answers.values()] }
}

/** The texts of a message's content, results aside. */
export const textsOf = (content: unknown): ReadonlyArray<string> =>
  typeof content === "string"
    ? [content]
    : listOf(content)
        .map(objectOf)
        .filter(({ type }) => type === "text")
        .map(({ text }) => stringOf(text))

const valuesOf = (text: string): ReadonlyArray<unknown> => {
  const whole = parse(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  return text.split("\n").flatMap((line) => parse(line) ?? [])
}

const messagesIn = (value: unknown): ReadonlyArray<Json> => {
  const { message, messages } = objectOf(value)
  if (Array.isArray(messages)) return messages.map(objectOf)
  return [objectOf(message ?? value)]
}

const resultsIn = ({ content, role, tool_call_id }: Json): ReadonlyArray<ToolResult> =>
  role === "tool"
    ? [{ call: stringOf(tool_call_id), blocks: blocksIn(content) }]
    : listOf(content)
        .map(objectOf)
        .filter(({ type }) => type === "tool_result")
        .map((block) => ({ call: stringOf(block["tool_use_id"]), blocks: blocksIn(block["content"]) }))

const blocksIn = (content: unknown): ToolResult["blocks"] => {
  if (typeof content === "string") return [{ text: content }]
  const blocks = listOf(content).map((block) => {
    const { source, text, type } = objectOf(block)
    if (type === "text") return { text: stringOf(text) }
    const data = isObject(source) ? source["data"] : undefined
    return typeof data === "string" ? { base64: data } : { text: JSON.stringify(block) }
  })
  return blocks.length === 0 ? [{ text: "" }] : blocks
}

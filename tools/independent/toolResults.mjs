/**
 * An independent reader: which tool results a session file holds. `JSON.parse` and nothing of the project, so that it
 * can be wrong only in its own way.
 *
 * @typedef {{ call: string, blocks: ReadonlyArray<{ text: string } | { base64: string }> }} ToolResult
 */
import { readFileSync } from "node:fs"

/** Every tool result of a Claude Code, Anthropic or chat file, in the order of the file. @param {string} file @returns {ReadonlyArray<ToolResult>} */
export const toolResults = (file) => messagesOf(file).flatMap(resultsOf)

/** The messages of a file: of each line, in it or in its progress, of each row, or of the document. @param {string} file @returns {ReadonlyArray<any>} */
export const messagesOf = (file) => {
  const text = readFileSync(file, "utf8")
  const values = whole(text) ?? text.split("\n").flatMap((line) => whole(line) ?? [])
  return values.flatMap((value) => value?.messages ?? value?.message ?? value?.data?.message?.message ?? value)
}

const whole = (/** @type {string} */ text) => {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return undefined
  }
}

const resultsOf = (/** @type {any} */ message) => {
  if (message?.role === "tool") return [{ call: message.tool_call_id, blocks: blocksOf(message.content) }]
  if (!Array.isArray(message?.content)) return []
  return message.content
    .filter((/** @type {any} */ block) => block.type === "tool_result")
    .map((/** @type {any} */ block) => ({ call: block.tool_use_id, blocks: blocksOf(block.content) }))
}

/** A string is one block; what is neither text nor picture is the block's own JSON. */
const blocksOf = (/** @type {any} */ content) => {
  if (content === undefined || content === null || content.length === 0) return [{ text: "" }]
  if (typeof content === "string") return [{ text: content }]
  return content.map((/** @type {any} */ block) => {
    if (block.type === "text") return { text: block.text }
    const data = block.source?.data ?? /^data:[^,]*;base64,(.*)$/s.exec(block.image_url?.url ?? "")?.[1]
    return data === undefined ? { text: JSON.stringify(block) } : { base64: data }
  })
}

/**
 * The agent sessions below a folder, told by what they hold and not by their names.
 *
 * @typedef {"claude-code" | "openai-chat"} Format
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

const NAMES = /\.(?:jsonl|json)$/
const CHAT_ROLES = new Set(["system", "developer", "user", "assistant", "tool"])
const CHAT_PARTS = new Set(["text", "image_url", "input_audio", "file", "refusal"])

/** @param {string} folder @returns {ReadonlyArray<{ file: string, format: Format }>} */
export const sessionFiles = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => NAMES.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .flatMap((file) => {
      const format = formatOf(readFileSync(file, "utf8"))
      return format === undefined ? [] : [{ file, format }]
    })

/** The format of a text; none where it is no session that is checked here. @param {string} text @returns {Format | undefined} */
export const formatOf = (text) => {
  const whole = parsed(text)
  if (whole !== undefined && !isClaudeLine(whole)) return isChat(whole) ? "openai-chat" : undefined
  const lines = text.split("\n", 200).flatMap((line) => parsed(line) ?? [])
  if (lines.some(isClaudeLine)) return "claude-code"
  return lines.length > 0 && lines.every((line) => Array.isArray(line?.messages) && isChat(line))
    ? "openai-chat"
    : undefined
}

/** Other clients chain their lines by parentUuid too: what tells them apart is the message inside. */
const isClaudeLine = (/** @type {any} */ line) =>
  typeof line?.sessionId === "string" &&
  typeof line.uuid === "string" &&
  (line.type === "user" || line.type === "assistant") &&
  line.message?.content !== undefined

const isChat = (/** @type {any} */ value) => {
  const messages = Array.isArray(value) ? value : value?.messages
  return Array.isArray(messages) && messages.length > 0 && messages.every(isChatMessage)
}

const isChatMessage = (/** @type {any} */ message) =>
  CHAT_ROLES.has(message?.role) &&
  (message.content === undefined ||
    message.content === null ||
    typeof message.content === "string" ||
    (Array.isArray(message.content) && message.content.every((/** @type {any} */ part) => CHAT_PARTS.has(part?.type))))

const parsed = (/** @type {string} */ text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

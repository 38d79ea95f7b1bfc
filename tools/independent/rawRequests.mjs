/**
 * An independent reconstruction of what a Claude Code client sent: the messages of each request of the main thread, by
 * the plainest rule that agrees with recorded usage. Lines in file order, grouped by message id; a result goes behind the
 * message of its call; a compaction begins anew; reports of API errors are no requests.
 */
import { mainLines, SYNTHETIC } from "./claudeSource.mjs"

/** The requests, in order, each as Anthropic messages. @param {string} file @returns {ReadonlyArray<ReadonlyArray<any>>} */
export const rawRequests = (file) => {
  /** @type {Array<ReadonlyArray<any>>} */
  const requests = []
  /** @type {Array<{ role: string, id?: string, content: any[] }>} */
  let messages = []
  for (const line of mainLines(file)) {
    if (line.isApiErrorMessage === true) continue
    if (line.subtype === "compact_boundary") messages = []
    if (line.type === "assistant") {
      const known = messages.find((message) => message.id === line.message.id)
      if (known !== undefined) known.content.push(...line.message.content)
      else {
        if (line.message.model !== SYNTHETIC)
          requests.push(messages.map(({ role, content }) => ({ role, content: [...content] })))
        messages.push({ role: "assistant", id: line.message.id, content: [...line.message.content] })
      }
    }
    if (line.type === "user") {
      const { content } = line.message
      for (const block of typeof content === "string" ? [{ type: "text", text: content }] : content)
        place(messages, block)
    }
  }
  return requests
}

/** A result stands in the message behind its call, before whatever else is said there. */
const place = (/** @type {Array<{ role: string, content: any[] }>} */ messages, /** @type {any} */ block) => {
  const call = messages.findIndex((message) =>
    message.content.some((one) => one.type === "tool_use" && one.id === block.tool_use_id)
  )
  if (call === -1) return void messages.push({ role: "user", content: [block] })
  const behind = messages[call + 1]
  const first = behind?.content.findIndex((one) => one.type !== "tool_result") ?? -1
  if (behind?.role !== "user") messages.splice(call + 1, 0, { role: "user", content: [block] })
  else behind.content.splice(first === -1 ? behind.content.length : first, 0, block)
}

/**
 * An independent check of what providers demand of a list of messages: each call answered at once, all results of a
 * batch together and first, no result without a call, no id twice, the user first, nothing empty.
 */
import { inspect } from "node:util"

/** What is wrong with a line of a `--requests` file, in words. @param {any} line @returns {ReadonlyArray<string>} */
export const faults = (line) => {
  if (line.refused !== undefined) return []
  const isChat = line.messages.some((/** @type {any} */ m) => m.role === "tool" || m.role === "system" || m.tool_calls)
  return (isChat ? chatFaults : anthropicFaults)(line.messages).map((why) => `request ${line.request}: ${why}`)
}

const anthropicFaults = (/** @type {any[]} */ messages) => {
  const found = []
  const all = merged(messages)
  const calls = all.map(({ blocks }) => blocks.filter((block) => block.type === "tool_use").map((block) => block.id))
  const results = all.map(({ blocks }) =>
    blocks.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id)
  )
  if (all[0]?.role !== "user") found.push("the first message is not the user's")
  if (new Set(calls.flat()).size < calls.flat().length) found.push("an id of a call stands twice")
  for (const [at, { role, blocks }] of all.entries()) {
    const asked = role === "user" ? (calls[at - 1] ?? []) : []
    // A batch is a set: its results may come in any order, but each once, and nothing else among them.
    if (inspect(results[at].toSorted()) !== inspect(asked.toSorted()))
      found.push(`message ${at} answers ${inspect(results[at])} where ${inspect(asked)} are open`)
    if (at === all.length - 1 && calls[at].length > 0) found.push(`message ${at} ends with calls that are not answered`)
    if (blocks.length === 0 || blocks.some((block) => block.type === "text" && block.text === ""))
      found.push(`message ${at} has an empty text or nothing`)
    if (blocks.slice(0, results[at].length).some((block) => block.type !== "tool_result"))
      found.push(`message ${at} says something before its results`)
  }
  return found
}

/** Equal roles side by side are one message to the provider. */
const merged = (/** @type {any[]} */ messages) => {
  /** @type {Array<{ role: string, blocks: any[] }>} */
  const all = []
  for (const { role, content } of messages) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content
    if (all.at(-1)?.role === role) all.at(-1)?.blocks.push(...blocks)
    else all.push({ role, blocks: [...blocks] })
  }
  return all
}

const chatFaults = (/** @type {any[]} */ messages) => {
  const found = []
  /** @type {ReadonlyArray<string>} */
  let open = []
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id))
        found.push(`message ${at} answers ${message.tool_call_id}, which is not open`)
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    for (const id of open) found.push(`call ${id} is not answered before message ${at}`)
    open = (message.tool_calls ?? []).map((/** @type {any} */ call) => call.id)
    if (new Set(open).size < open.length) found.push(`message ${at} has an id of a call twice`)
  }
  return [...found, ...open.map((id) => `call ${id} is never answered`)]
}

/** The lines of a `--requests` file, one at a time: the file of one session can be a hundred times the session. */
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

/** @param {string} file @returns {AsyncGenerator<any>} */
export async function* requestLines(file) {
  for await (const line of createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity })) {
    if (line !== "") yield JSON.parse(line)
  }
}

/** The lines of two files that hold the same requests. @param {string} a @param {string} b @returns {AsyncGenerator<readonly [any, any]>} */
export async function* requestPairs(a, b) {
  const other = requestLines(b)
  for await (const line of requestLines(a)) {
    const { value, done } = await other.next()
    if (done) throw new Error(`${b} has fewer requests than ${a}`)
    yield [line, value]
  }
  if (!(await other.next()).done) throw new Error(`${b} has more requests than ${a}`)
}

/** How many tool results stand otherwise in one request than in the other. @param {any} governed @param {any} raw */
export const changedResults = (governed, raw) => {
  const before = resultsOf(raw)
  return [...resultsOf(governed)].filter(([call, text]) => before.has(call) && before.get(call) !== text).length
}

/** @returns {Map<string, string>} */
const resultsOf = (/** @type {any} */ line) =>
  new Map(
    (line.messages ?? []).flatMap((/** @type {any} */ message) => {
      if (message.role === "tool") return [[message.tool_call_id, JSON.stringify(message.content)]]
      if (!Array.isArray(message.content)) return []
      return message.content
        .filter((/** @type {any} */ block) => block.type === "tool_result")
        .map((/** @type {any} */ block) => [block.tool_use_id, JSON.stringify(block.content)])
    })
  )

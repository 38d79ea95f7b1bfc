/**
 * An independent reading of a Claude Code file, as far as usage and the user's words need it: the main thread's requests
 * in file order (one per message id), each with its recorded usage, its segment (how many compactions came before it),
 * and the user's texts with the number of requests that had been made before them.
 */
import { readFileSync } from "node:fs"

/** What the client wrote in the model's place: reports of API errors, and words that close a turn. No request made it. */
export const SYNTHETIC = "<synthetic>"

/** @param {string} file */
export const claudeSource = (file) => {
  /** @type {Array<{ id: string, segment: number, input: number }>} */
  const requests = []
  /** @type {Array<{ text: string, after: number, segment: number }>} */
  const words = []
  let segment = 0
  for (const line of mainLines(file)) {
    if (line.subtype === "compact_boundary") segment++
    if (line.type === "assistant" && line.message.model !== SYNTHETIC) {
      const { id, usage } = line.message
      const known = requests.find((request) => request.id === id)
      const input =
        (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0)
      // Usage stands on every line of a message, and the last one is right.
      if (known !== undefined) known.input = input
      else requests.push({ id, segment, input })
    }
    if (line.type === "user")
      for (const said of textsOf(line.message.content)) words.push({ text: said, after: requests.length, segment })
  }
  return { requests, words }
}

/** The lines of the main thread: of a helper's own file, all of them. @param {string} file @returns {ReadonlyArray<any>} */
export const mainLines = (file) => {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text) => parsed(text) ?? [])
  const main = lines.filter((line) => line.isSidechain !== true)
  return main.some((line) => line.message !== undefined) ? main : lines
}

/** The texts of a message's content, results aside. @param {any} content @returns {ReadonlyArray<string>} */
export const textsOf = (content) => {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [])
  return blocks
    .filter((/** @type {any} */ block) => block.type === "text" && block.text !== "")
    .map((/** @type {any} */ block) => block.text)
}

const parsed = (/** @type {string} */ text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * An independent check that the user's words are never elided: each text of a segment stands verbatim in every later
 * request of that segment.
 */
import { textsOf } from "./claudeSource.mjs"

/**
 * The words that a request has lost, in words of ours.
 *
 * @param {{ requests: ReadonlyArray<{ segment: number }>, words: ReadonlyArray<{ text: string, after: number, segment: number }> }} source
 * @param {any} line of the main thread; its number counts the requests of that thread from 1
 * @returns {ReadonlyArray<string>}
 */
export const lostWords = (source, line) => {
  if (line.refused !== undefined) return []
  const segment = source.requests[line.request - 1]?.segment
  const said = line.messages
    .filter((/** @type {any} */ message) => message.role === "user")
    .flatMap((/** @type {any} */ message) => textsOf(message.content))
  const whole = new Set(said)
  // A client may join texts into one: then each still stands in it.
  const joined = said.join("\n")
  return source.words
    .filter(
      (word) =>
        word.segment === segment && word.after < line.request && !whole.has(word.text) && !joined.includes(word.text)
    )
    .map((word) => `request ${line.request} has lost ${JSON.stringify(word.text.slice(0, 60))}`)
}

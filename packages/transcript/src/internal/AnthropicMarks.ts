/**
 * Cache marks on Anthropic messages: at most four (those on tools and system count too, and are not seen here), the longer
 * time to live before the shorter, none on reasoning or on an empty block.
 */
import type { Report } from "./AnthropicRules.ts"
import { isObject, listOf, objectOf, stringOf, type Json } from "./Json.ts"

export const marks = (messages: ReadonlyArray<unknown>, report: Report): void => {
  let count = 0
  let isShort = false
  messages.forEach((message, index) => {
    for (const block of blocksOf(objectOf(message)["content"])) {
      const mark = block["cache_control"]
      if (!isObject(mark)) continue
      count++
      if (count === MOST + 1) report(index, "marks", `more than ${MOST} cache marks`)
      const isLong = mark["ttl"] === "1h"
      if (isLong && isShort) report(index, "marks", "a mark of one hour stands behind one of five minutes")
      isShort ||= !isLong
      const type = stringOf(block["type"])
      if (UNMARKED.has(type) || (type === "text" && stringOf(block["text"]) === "")) {
        report(index, "marks", `a cache mark on ${type === "text" ? "an empty block" : "reasoning"}`)
      }
    }
  })
}

/** The blocks of a message, and those of its results. */
const blocksOf = (content: unknown): ReadonlyArray<Json> =>
  listOf(content)
    .map(objectOf)
    .flatMap((block) =>
      block["type"] === "tool_result" ? [...listOf(block["content"]).map(objectOf), block] : [block]
    )

const MOST = 4
const UNMARKED: ReadonlySet<string> = new Set(["thinking", "redacted_thinking"])

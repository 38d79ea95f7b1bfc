/**
 * An independent estimate of a message: ceil(scalar values / 4) of its text, its arguments as canonical JSON and its
 * reasoning with whatever signs it, and 1,500 tokens for each medium. Anthropic and chat shapes.
 */
const MEDIA_TOKENS = 1_500

/** @param {any} message */
export const tokensOf = (message) => {
  const parts = partsOf(message)
  const scalars = parts.reduce((total, part) => total + (part === "media" ? 0 : scalarsOf(part.text)), 0)
  return Math.ceil(scalars / 4) + MEDIA_TOKENS * parts.filter((part) => part === "media").length
}

/** Unicode scalar values; a lone surrogate counts as one. @param {string} text */
export const scalarsOf = (text) =>
  text.length - (/[\ud800-\udfff]/.test(text) ? (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0) : 0)

/** @typedef {{ text: string } | "media"} Part @returns {ReadonlyArray<Part>} */
const partsOf = (/** @type {any} */ part) => {
  if (part === undefined || part === null) return []
  if (typeof part === "string") return [{ text: part }]
  if (Array.isArray(part)) return part.flatMap(partsOf)
  if (part.role !== undefined)
    return [part.content, part.reasoning_content, ...(part.tool_calls ?? [])].flatMap(partsOf)
  switch (part.type) {
    case "text":
      return [{ text: part.text }]
    case "thinking":
      return [{ text: part.thinking }, { text: part.signature ?? "" }]
    case "redacted_thinking":
      return [{ text: part.data }]
    case "tool_use":
      return [{ text: JSON.stringify(part.input) }]
    case "function":
      return [{ text: canonical(part.function.arguments) }]
    case "tool_result":
      return partsOf(part.content)
    case "image":
    case "image_url":
      return ["media"]
    default:
      return [{ text: JSON.stringify(part) }]
  }
}

/** As long as canonical JSON, which differs from this only in the order of keys; text that is no JSON counts as it is. */
const canonical = (/** @type {string} */ text) => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

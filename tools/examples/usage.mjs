/**
 * Usage as a provider would have counted it: what the request really carries, at 3.4 scalar values a token, behind a
 * fixed part of system prompt and tools. A reader that rebuilds the requests must find its estimates on one line with it.
 */

const SCALARS_PER_TOKEN = 3.4
const MEDIA_TOKENS = 1_500

/** The context of one thread. @param {import("./random.mjs").Random} random @param {number} fixed tokens of system and tools */
export const contextOf = (random, fixed) => {
  let scalars = 0
  let media = 0
  let cached = 0
  const tokens = () => fixed + Math.round(scalars / SCALARS_PER_TOKEN) + media * MEDIA_TOKENS

  /** @param {unknown} content */
  const add = (content) => {
    for (const block of typeof content === "string"
      ? [{ type: "text", text: content }]
      : /** @type {any[]} */ (content)) {
      if (block.type === "text") scalars += count(block.text)
      else if (block.type === "image") media++
      else if (block.type === "tool_use") scalars += count(JSON.stringify(block.input))
      else if (block.type === "thinking") scalars += count(block.thinking) + count(block.signature)
      else if (block.type === "tool_result") add(block.content)
    }
  }

  return {
    add,
    tokens,
    restart: () => {
      scalars = 0
      media = 0
      cached = fixed
    },
    /** The usage of the request that brought these blocks; they are in the context of the next. @param {ReadonlyArray<any>} blocks */
    request: (blocks) => {
      const total = tokens() + random.between(-40, 40)
      const input = random.between(3, 12)
      const read = Math.min(cached, total - input)
      const written = total - input - read
      cached = total
      const before = scalars
      add(blocks)
      return {
        input_tokens: input,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
        cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
        output_tokens: Math.max(1, Math.round((scalars - before) / SCALARS_PER_TOKEN)),
        service_tier: "standard"
      }
    }
  }
}

const count = (/** @type {string} */ text) => [...text].length

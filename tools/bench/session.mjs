/** A Claude Code session of at least so many bytes: the example session, again and again, with ids of its own each time. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const EXAMPLE = fileURLToPath(new URL("../../examples/sessions/claude-code.jsonl", import.meta.url))

/** @param {number} bytes @returns {string} */
export const sessionOf = (bytes) => {
  const example = readFileSync(EXAMPLE, "utf8")
  const session = /"sessionId":"([^"]+)"/.exec(example)?.[1] ?? ""
  let out = ""
  for (let copy = 0; Buffer.byteLength(out) < bytes; copy++) {
    const renamed = example.replace(
      /"(uuid|parentUuid|logicalParentUuid|id|tool_use_id|toolUseID|parentToolUseID|messageId)":"([^"]+)"/g,
      (whole, key, id) => (copy === 0 || id === session ? whole : `"${key}":"${id}-${copy}"`)
    )
    out += renamed
  }
  return out
}

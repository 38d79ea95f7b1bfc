/** One message of a request, as the engine of the preset `harn` reads it: the provider's own JSON, whatever shape it has. */
import { isList, isObject, type Block, type Json, type Message } from "@palimpsest/compaction/harn/Message"

export const messageOf = (text: string): Message => {
  const value: Json = JSON.parse(text)
  const given = isObject(value) ? value : {}
  const { content, data, name, reasoning, role, tool_call_id, tool_calls } = given
  return {
    role: typeof role === "string" ? role : "",
    content: contentOf(content),
    ...(reasoning === undefined || reasoning === null ? {} : { reasoning }),
    ...(isList(tool_calls) ? { tool_calls } : {}),
    ...(typeof tool_call_id === "string" ? { tool_call_id } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(data === undefined ? {} : { data })
  }
}

const contentOf = (content: Json | undefined): Message["content"] => {
  if (typeof content === "string") return content
  return isList(content) ? content.map(blockOf) : null
}

const blockOf = (block: Json): Block => {
  if (!isObject(block)) return { type: "text", text: typeof block === "string" ? block : "" }
  return { ...block, type: typeof block["type"] === "string" ? block["type"] : "" }
}

/**
 * One Anthropic message: the blocks of its entries as they stand in their records, in one list.
 */
import type { Part } from "@palimpsest/ledger/Part"
import type { Entry, Item, Message } from "../Shape.ts"
import { apply, setMember, spanOf } from "./Splices.ts"

export const render = (message: Message): string => {
  const role = message.role === "tool" ? "user" : message.role
  const [first, more] = message.items
  const alone = first !== undefined && more === undefined ? plain(first) : undefined
  return `{"role":"${role}","content":${alone ?? `[${message.items.map(block).join(",")}]`}}`
}

/** The one text of a message whose content was a string: a string still. */
const plain = (item: Item): string | undefined => {
  if (item._tag !== "Entry" || item.entered.part._tag !== "Text" || item.entered.origin._tag !== "Read")
    return undefined
  const raw = item.record.slice(...spanOf(item, item.entered.origin.path))
  if (!raw.startsWith('"')) return undefined
  return item.replaced === undefined ? raw : JSON.stringify(item.replaced)
}

const block = (item: Item): string => {
  if (item._tag === "Words") return textBlock(JSON.stringify(item.text))
  if (item._tag === "Closed") {
    const id = JSON.stringify(item.call)
    return `{"type":"tool_result","tool_use_id":${id},"content":${JSON.stringify(item.text)},"is_error":true}`
  }
  const { origin, part } = item.entered
  if (origin._tag === "Made") return made(part, item.replaced)
  const raw = item.record.slice(...spanOf(item, origin.path))
  const { replaced } = item
  if (part._tag === "Text") {
    const isString = raw.startsWith('"')
    if (replaced !== undefined)
      return isString ? textBlock(JSON.stringify(replaced)) : put(raw, "text", JSON.stringify(replaced))
    return isString ? textBlock(raw) : raw
  }
  if (replaced === undefined) return raw
  switch (part._tag) {
    case "Result":
      return put(raw, "content", JSON.stringify(replaced))
    case "Call":
      return put(raw, "input", replaced)
    case "Reasoning":
      return raw // sent byte for byte or not at all: there is nothing that could stand in its place
    default:
      return textBlock(JSON.stringify(replaced))
  }
}

const put = (raw: string, name: string, value: string): string =>
  apply(raw, [setMember(raw, [0, raw.length], name, value)])

/** An entry of the host's own, which has words and no record. */
const made = (part: Part, words: Entry["replaced"]): string => {
  if (words === undefined) throw new Error(`a ${part._tag} that was read from no record has no words to render`)
  switch (part._tag) {
    case "Result": {
      const error = part.status === "error" ? `,"is_error":true` : ""
      return `{"type":"tool_result","tool_use_id":${JSON.stringify(part.call)},"content":${JSON.stringify(words)}${error}}`
    }
    case "Call":
      return `{"type":"tool_use","id":${JSON.stringify(part.call)},"name":${JSON.stringify(part.name)},"input":${words}}`
    default:
      return textBlock(JSON.stringify(words))
  }
}

const textBlock = (text: string): string => `{"type":"text","text":${text}}`

/**
 * One OpenAI chat message: the element that it was read from, with only what was replaced written anew.
 */
import type { Closed, Entry, Item, Message } from "../Shape.ts"
import { apply, setMember, spanOf, type Edit } from "./Splices.ts"

export const render = (message: Message): string => {
  const [first, more] = message.items
  if (first === undefined) return `{"role":"${message.role}","content":""}`
  if (first._tag === "Closed") {
    if (more !== undefined) throw new Error("a closed call is a chat message of its own")
    return closed(first)
  }
  if (first._tag === "Words") return `{"role":"${message.role}","content":${JSON.stringify(first.text)}}`
  const entries = message.items.filter(isEntry)
  if (entries.length !== message.items.length) throw new Error("a closed call is a chat message of its own")
  return first.entered.origin._tag === "Made" ? made(message, entries) : spliced(first, entries)
}

const spliced = (first: Entry, entries: ReadonlyArray<Entry>): string => {
  const { record } = first
  const root = spanOf(first, rootOf(pathOf(first)))
  const edits = entries.flatMap((entry) => (entry.replaced === undefined ? [] : edit(entry, entry.replaced, root)))
  const shifted = edits.map(({ span, text }) => ({ span: [span[0] - root[0], span[1] - root[0]] as const, text }))
  return apply(record.slice(...root), shifted)
}

const edit = (entry: Entry, replaced: string, root: Edit["span"]): ReadonlyArray<Edit> => {
  const words = JSON.stringify(replaced)
  const path = pathOf(entry)
  switch (entry.entered.part._tag) {
    case "Result":
      return [setMember(entry.record, root, "content", words)]
    case "Text": {
      const span = spanOf(entry, path)
      return [
        entry.record.charAt(span[0]) === '"' ? { span, text: words } : setMember(entry.record, span, "text", words)
      ]
    }
    case "Call":
      return [{ span: spanOf(entry, `${path}/function/arguments`), text: words }]
    case "Reasoning":
      return [] // sent byte for byte or not at all
    default:
      return path.includes("/content/") ? [{ span: spanOf(entry, path), text: `{"type":"text","text":${words}}` }] : []
  }
}

const closed = ({ call, text }: Closed): string =>
  `{"role":"tool","tool_call_id":${JSON.stringify(call)},"content":${JSON.stringify(text)}}`

/** A message of the host's own, which has words and no record. */
const made = (message: Message, entries: ReadonlyArray<Entry>): string => {
  const calls: Array<string> = []
  const texts: Array<string> = []
  for (const { entered, replaced } of entries) {
    const { part } = entered
    if (replaced === undefined) throw new Error(`a ${part._tag} that was read from no record has no words to render`)
    if (part._tag === "Result") return closed({ _tag: "Closed", call: part.call, text: replaced })
    if (part._tag === "Call") {
      const of = `{"name":${JSON.stringify(part.name)},"arguments":${JSON.stringify(replaced)}}`
      calls.push(`{"id":${JSON.stringify(part.call)},"type":"function","function":${of}}`)
    } else texts.push(replaced)
  }
  const content = texts.length === 0 && calls.length > 0 ? "null" : JSON.stringify(texts.join("\n\n"))
  const called = calls.length === 0 ? "" : `,"tool_calls":[${calls.join(",")}]`
  return `{"role":"${message.role}","content":${content}${called}}`
}

/** The element of a message: the record itself, or a member of its row's list. */
const rootOf = (path: string): string => /^\/(?:messages|traj)\/\d+/.exec(path)?.[0] ?? ""

const pathOf = (entry: Entry): string => (entry.entered.origin._tag === "Read" ? entry.entered.origin.path : "")

const isEntry = (item: Item): item is Entry => item._tag === "Entry"

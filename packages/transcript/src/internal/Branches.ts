/**
 * Where the user went back: a new text of theirs whose chain ends at an earlier message that the conversation had already
 * gone on from. The newest message then hangs below that one by another branch, with more than results on it; results of
 * parallel calls and progress lines make branches as well, and none of those count.
 */
import { objectOf, stringOf, wellFormed, type Json } from "./Json.ts"

export interface Branches {
  /** A line that is no message; it may still stand in the chain. */
  readonly passed: (line: Json) => void
  /**
   * A message line of the main run. `answered` are the calls it answers, undefined where it answers none. The keys that
   * stay, where this line is a fork.
   */
  readonly entered: (
    line: Json,
    key: string,
    answered: ReadonlyArray<string> | undefined
  ) => ReadonlyArray<string> | undefined
  /** The history is now these keys. */
  readonly restarted: (keys: ReadonlyArray<string>) => void
  /** The keys of the messages of these lines, each once, in their order. */
  readonly keysOf: (uuids: ReadonlyArray<string>) => ReadonlyArray<string>
}

export const make = (): Branches => {
  const nodes = new Map<string, Node>()
  let live = new Set<string>()
  let last: string | undefined

  const nearestMessage = (uuid: string): string | undefined => {
    let at: string = uuid
    for (let node = nodes.get(at); node !== undefined; node = nodes.get(at)) {
      if (node.key !== undefined) return at
      at = node.parent
    }
    return undefined
  }

  /** Whether the newest message hangs below `ancestor` with words between, and not by results alone. */
  const wentOnFrom = (ancestor: string): boolean => {
    const from = nodes.get(ancestor)?.key
    let goesOn = false
    let at = last ?? ""
    for (let node = nodes.get(at); node !== undefined; node = nodes.get(at)) {
      if (at === ancestor) return goesOn
      if (node.key !== undefined && node.key !== from && node.answered === undefined) goesOn = true
      at = node.parent
    }
    return false
  }

  const keepUpTo = (key: string): ReadonlyArray<string> => {
    const order = [...live]
    const staying = new Set(order.slice(0, order.indexOf(key) + 1))
    const calls = new Set([...nodes.values()].flatMap((node) => (staying.has(node.key ?? "") ? node.calls : [])))
    const late = [...nodes.values()].filter((node) => node.answered?.every((call) => calls.has(call)) === true)
    const answers = new Set(late.map((node) => node.key))
    return order.filter((member) => staying.has(member) || answers.has(member))
  }

  return {
    passed: (line) => {
      const uuid = stringOf(line["uuid"])
      if (uuid !== "") nodes.set(uuid, { parent: parentOf(line), key: undefined, answered: undefined, calls: [] })
    },
    entered: (line, key, answered) => {
      const uuid = stringOf(line["uuid"])
      const parent = parentOf(line)
      const isWords = line["type"] === "user" && answered === undefined
      const from = isWords ? nearestMessage(parent) : undefined
      const fromKey = from === undefined ? undefined : nodes.get(from)?.key
      const isFork = from !== undefined && fromKey !== undefined && from !== last && live.has(fromKey)
      const keeps = isFork && wentOnFrom(from) ? keepUpTo(fromKey) : undefined
      if (keeps !== undefined) live = new Set(keeps)
      live.add(key)
      if (uuid !== "") {
        nodes.set(uuid, { parent, key, answered, calls: callsOf(line) })
        last = uuid
      }
      return keeps
    },
    restarted: (keys) => void (live = new Set(keys)),
    keysOf: (uuids) => [...new Set(uuids.flatMap((uuid) => nodes.get(uuid)?.key ?? []))]
  }
}

interface Node {
  readonly parent: string
  readonly key: string | undefined
  readonly answered: ReadonlyArray<string> | undefined
  readonly calls: ReadonlyArray<string>
}

const parentOf = (line: Json): string => stringOf(line["parentUuid"])

const callsOf = (line: Json): ReadonlyArray<string> => {
  const content = objectOf(line["message"])["content"]
  if (!Array.isArray(content)) return []
  return content.map(objectOf).flatMap(({ id, type }) => (type === "tool_use" ? wellFormed(stringOf(id)) : []))
}

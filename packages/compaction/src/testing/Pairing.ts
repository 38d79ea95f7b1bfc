/**
 * What a provider refuses of calls and results, told from the items of a view.
 *
 * @since 0.1.0
 */
import type { Item, Message, Shape, Transcript } from "../Transcript.ts"

/**
 * What is wrong with the pairing of a view, in words: nothing, where it is well paired.
 *
 *     anthropic     [assistant: calls a, b] [user: results a, b, then anything else]      (equal roles are one message)
 *     openai-chat   [assistant: calls a, b] [tool: a] [tool: b]
 *
 * @since 0.1.0
 * @category validating
 */
export const faultsOf = ({ messages, shape }: Pick<Transcript, "messages" | "shape">): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const turns = turnsOf(shape, messages)
  const seen = new Set<string>()
  turns.forEach(({ items, role }, at) => {
    const asked = callsOf(turns[at - 1]?.role === "assistant" ? turns[at - 1]!.items : [])
    const answers = items.map(answeredBy).filter((call) => call !== undefined)
    if (role === "assistant") {
      const next = turns[at + 1]
      const calls = callsOf(items)
      const given = next?.role === ANSWERING[shape] ? next.items.slice(0, calls.length).map(answeredBy) : []
      if (given.join() !== calls.join()) faults.push(`calls ${calls.join()} are answered by ${given.join()}`)
      if (answers.length > 0) faults.push("a result in a message of the model")
      for (const call of calls) {
        if (seen.has(call)) faults.push(`the call ${call} stands twice`)
        seen.add(call)
      }
    } else if (answers.length > (role === ANSWERING[shape] ? asked.length : 0)) {
      faults.push(`results ${answers.join()} of calls ${asked.join()} in a message of role ${role}`)
    }
    if (role === "tool" && items.length > answers.length) faults.push("words in a message of role tool")
  })
  return faults
}

const ANSWERING = { anthropic: "user", "openai-chat": "tool" } as const

interface Turn {
  readonly role: Message["role"]
  readonly items: Array<Item>
}

/** Neighbours of one role, taken together as providers do; in chat, results alone. */
const turnsOf = (shape: Shape, messages: ReadonlyArray<Message>): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const { items, role } of messages) {
    const last = turns.at(-1)
    if (last?.role === role && (shape === "anthropic" || role === "tool")) last.items.push(...items)
    else turns.push({ role, items: [...items] })
  }
  return turns
}

const callsOf = (items: ReadonlyArray<Item>): ReadonlyArray<string> =>
  items.flatMap((item) => (item._tag === "Entry" && item.entered.part._tag === "Call" ? [item.entered.part.call] : []))

const answeredBy = (item: Item): string | undefined => {
  if (item._tag === "Closed") return item.call
  return item._tag === "Entry" && item.entered.part._tag === "Result" ? item.entered.part.call : undefined
}

/**
 * Turns of a transcript: what may leave it together. A turn is an answer of the model with the results of its calls (and
 * the view's own words, which stand between turns). Atoms are never split: what leaves whole is a whole turn (law 8).
 *
 *     [user: task] [assistant: text, call a, call b] [user: result a, result b] [assistant: call c] [user: result c] …
 *                  └────────────── one turn ────────────────────────────────┘ └────────── one turn ──────────────┘
 *
 * @since 0.1.0
 */
import type { Message, Item, Transcript } from "./Transcript.ts"
import { isWords } from "./internal/MessageOf.ts"

/**
 * A turn: its items, and the messages `[from, to)` that hold them. `isOpen` where a call of it waits for its result;
 * `isMixed` where the user speaks in the message of its results. Words of the view are a turn of their own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Turn {
  readonly from: number
  readonly to: number
  readonly items: ReadonlyArray<EntryItem>
  readonly isOpen: boolean
  readonly isWords: boolean
}

/**
 * An entry in a form, as a message holds it.
 *
 * @since 0.1.0
 * @category models
 */
export type EntryItem = Item & { readonly _tag: "Entry" }

/**
 * The turns of a view, in order. What the user and the system prompt said is in none.
 *
 * @since 0.1.0
 * @category turns
 */
export const turnsOf = (view: Transcript): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  const { messages } = view
  for (let at = 0; at < messages.length;) {
    const message = messages[at]!
    if (isWords(message)) {
      turns.push({ from: at, to: at + 1, items: [], isOpen: false, isWords: true })
      at++
    } else if (message.role !== "assistant") at++
    else {
      let to = at + 1
      while (to < messages.length && isAnswer(messages[to]!)) to++
      turns.push(turn(messages, at, to))
      at = to
    }
  }
  return turns
}

const turn = (messages: ReadonlyArray<Message>, from: number, to: number): Turn => {
  const items: Array<EntryItem> = []
  let isOpen = false
  for (let i = from; i < to; i++) {
    for (const item of messages[i]!.items) {
      if (item._tag === "Closed") isOpen = true
      if (item._tag !== "Entry" || (i > from && !isObserved(item))) continue
      if (item.entered.part._tag === "Result" && item.entered.part.status === "pending") isOpen = true
      items.push(item)
    }
  }
  return { from, to, items, isOpen, isWords: false }
}

/** Results stand first in the message behind their calls; in chat each is a message of its own, and so is a fresh read. */
const isAnswer = ({ items: [first] }: Message): boolean =>
  first._tag === "Closed" || (first._tag === "Entry" && isObserved(first))

/**
 * Whether an entry that the model did not say is an observation: a result, or a fresh read of a file that the harness put
 * there, and no words of the user.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isObserved = ({ entered: { observation, part, role } }: EntryItem): boolean =>
  part._tag === "Result" || (part._tag === "Text" && role === "user" && observation !== undefined)

/** A message of items, weighed; and what the items of a message are to each other. */
import type { Hiding } from "../Form.ts"
import { scalarsIn } from "../Splice.ts"
import type { Hidden, Item, Message } from "../Transcript.ts"
import { weigh } from "./Weight.ts"

/** What one medium is charged (tokens), as its size in a request does not follow its bytes. */
export const MEDIA_TOKENS = 1_500

export const build = (
  role: Message["role"],
  key: string,
  items: Message["items"],
  hidden: ReadonlyArray<Hidden> = NONE
): Message => {
  let scalars = 0
  let media = 0
  for (const item of items) {
    const weight = weigh(item)
    scalars += weight.scalars
    media += weight.media
  }
  return { key, role, items, hidden, scalars, tokens: Math.ceil(scalars / 4) + media * MEDIA_TOKENS }
}

/** The message of the view's own words in the place of what is hidden. */
export const wordsFor = (form: Hiding, hidden: readonly [Hidden, ...ReadonlyArray<Hidden>]): Message => {
  const [{ seq }] = hidden
  return build("user", `words-${seq}`, [{ _tag: "Words", seq, form, put: form.put }], hidden)
}

export const isWords = ({ items: [first] }: Message): boolean => first._tag === "Words"

export const callsOf = (message: Message): ReadonlyArray<string> =>
  message.items.flatMap((item) =>
    item._tag === "Entry" && item.entered.part._tag === "Call" ? [item.entered.part.call] : []
  )

export const callAnsweredBy = (item: Item): string | undefined => {
  if (item._tag === "Closed") return item.call
  return item._tag === "Entry" && item.entered.part._tag === "Result" ? item.entered.part.call : undefined
}

export const nonEmpty = (items: ReadonlyArray<Item>): Message["items"] => {
  const [first, ...rest] = items
  if (first === undefined) throw new Error("a message has at least one item")
  return [first, ...rest]
}

/** Whether a splice says anything. */
export const isSaid = ({ put }: Hiding): boolean => scalarsIn(put) > 0

const NONE: ReadonlyArray<Hidden> = []

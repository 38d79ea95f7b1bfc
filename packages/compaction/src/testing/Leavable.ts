/**
 * Which results may leave a view, told independently of the plan.
 *
 * @since 0.1.0
 */
import type { Item, Message } from "../Transcript.ts"

/**
 * Whether an item is a result of text alone that has come, and still stands as text of its own, whole or bounded.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTextResult = (item: Item): boolean =>
  item._tag === "Entry" &&
  item.entered.part._tag === "Result" &&
  item.entered.part.status !== "pending" &&
  (item.form._tag === "Whole" || item.form._tag === "Bounded") &&
  item.entered.part.blocks.every(({ encoding }) => encoding !== "bytes")

/**
 * Whether the model has seen an item that stands in the message at an index: it answered behind it, and after it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const seenIn = (messages: ReadonlyArray<Message>): ((at: number, item: Item) => boolean) => {
  const newest = messages.findLastIndex(({ role }) => role === "assistant")
  const said = Math.max(0, ...(messages[newest]?.items ?? []).map(({ seq }) => seq))
  return (at, { seq }) => at <= newest && seq <= said
}

/**
 * Scalar values that no stub of ours passes, with the gain below which a result is left where it is.
 *
 * @since 0.1.0
 * @category constants
 */
export const LONGEST_STUB = 260

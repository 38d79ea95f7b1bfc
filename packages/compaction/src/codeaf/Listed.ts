/**
 * A view as this preset counts it: one message for each result, one for each answer of the assistant (its texts together),
 * one for each word of anyone else; and what a pass over these changes, as changes of a decision.
 *
 * Results that hold media, or that are still pending, count and are never shortened: their text is not all that they are.
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Change } from "../Decision.ts"
import type { Item, Transcript } from "../Transcript.ts"
import { classOf, decayWithin } from "./Decay.ts"
import * as Decayer from "./Decayer.ts"
import { foldWithin } from "./Fold.ts"
import { bytesOfEntry, keyOf, type History } from "./History.ts"
import { assistantKey, keyOf as keyAt, liveTranscriptBytes, type Message } from "./Message.ts"
import type { Rewrite } from "./Pass.ts"
import { naming, pathIn } from "./Put.ts"
import { bytesIn, type Sized } from "./Sized.ts"
import { decayPath, type Spill } from "./Spill.ts"

/**
 * A message, and the entries that its text is of: `seq` is where words for it stand, `others` are what they stand for too.
 * No text is held: sizes are enough for a pass.
 *
 * @since 0.1.0
 * @category models
 */
export interface Listed extends Message {
  readonly seq: Seq
  readonly others: ReadonlyArray<Seq>
  readonly item: Item | undefined
}

/**
 * The messages of a view, in order. Labels are by the id of the call, and only needed where something is shortened.
 *
 * @since 0.1.0
 * @category constructors
 */
export const listOf = (view: Transcript, labels: ReadonlyMap<string, Sized> = new Map()): ReadonlyArray<Listed> =>
  view.messages.flatMap(({ items, role }): ReadonlyArray<Listed> => {
    if (role !== "assistant") return items.map((item) => listed(item, labels))
    const texts = items.filter((item) => item._tag === "Entry" && item.entered.part._tag === "Text")
    const [first, ...rest] = texts
    const bytes = texts.reduce((sum, item) => sum + bytesOfItem(item), 0)
    const others = rest.map(({ seq }) => seq)
    return [{ role, text: "", bytes, seq: first?.seq ?? items[0].seq, others, item: first }]
  })

/**
 * Bytes of all results and of what the assistant said.
 *
 * @since 0.1.0
 * @category sizes
 */
export const liveBytes = (view: Transcript): number => liveTranscriptBytes(listOf(view))

/**
 * What is rewritten before a request, and why; undefined where nothing is. Budgets are bytes.
 *
 * @since 0.1.0
 * @category planning
 */
export const rewriteOf = (
  messages: ReadonlyArray<Listed>,
  history: History,
  { safety, working }: { readonly working: number; readonly safety: number }
): { readonly cause: "schedule" | "ceiling"; readonly changes: ReadonlyArray<Change> } | undefined => {
  const decayer = stateOf(messages, history)
  const spill = spillOf(messages)
  const decayed = decayWithin(decayer, messages, working, safety, spill)
  const folded = foldWithin(decayed.decayer, decayed.messages, working, safety, spill)
  const cause = decayed.cause === "ceiling" ? decayed.cause : (folded.cause ?? decayed.cause)
  const rewrites = [...decayed.rewrites, ...folded.rewrites]
  if (cause === undefined || rewrites.length === 0) return undefined
  const newest = messages.findLastIndex(({ role }) => role === "assistant")
  const changes = rewrites.flatMap((rewrite): ReadonlyArray<Change> => {
    const message = messages[rewrite.index]
    if (message === undefined) return []
    const isSpent = classOf(decayer, rewrite.key, rewrite.index, newest) === "Spent"
    return changesOf(message, rewrite, isSpent)
  })
  return { cause, changes }
}

/**
 * The path of an entry's body: a name for the ledger's body, made from the address alone.
 *
 * @since 0.1.0
 * @category names
 */
export const pathOfEntry = (seq: Seq): string => decayPath(LEAF, String(seq))

/**
 * The leaf that paths name: every run is its own.
 *
 * @since 0.1.0
 * @category constants
 */
export const LEAF = "run"

const changesOf = ({ others, seq }: Listed, { _tag, path, put }: Rewrite, isSpent: boolean): ReadonlyArray<Change> => {
  const words = naming(put, path)
  const rest = { seq }
  if (_tag === "Stubbed") {
    return [{ entries: [seq, seq], form: { _tag: "Stub", why: isSpent ? CONSUMED : AGED, rest, put: words } }]
  }
  return [
    { entries: [seq, seq], form: { _tag: "Fold", rest, put: words } },
    ...others.map((other): Change => ({
      entries: [other, other],
      form: { _tag: "Collapse", why: isSpent ? CONSUMED : AGED, rest: { seq: other }, put: [] }
    }))
  ]
}

const CONSUMED = { _tag: "Consumed" } as const
const AGED = { _tag: "Aged" } as const

const listed = (item: Item, labels: ReadonlyMap<string, Sized>): Listed => {
  const { seq } = item
  const bytes = bytesOfItem(item)
  const base = { text: "", bytes, seq, others: [], item }
  if (item._tag !== "Entry" || item.entered.part._tag !== "Result") return { ...base, role: "user" }
  const label = labels.get(item.entered.part.call)
  return { ...base, role: "tool", answers: keyOf(seq), ...(label === undefined ? {} : { label }) }
}

const bytesOfItem = (item: Item): number =>
  item._tag === "Entry" ? bytesOfEntry(item.entered, item.form) : bytesIn(item.put)

/** What the history knows, by the keys and places of this list. */
const stateOf = (messages: ReadonlyArray<Listed>, history: History): Decayer.Decayer => {
  const before = messages.findIndex(({ seq }) => seq >= history.decayer.consumedFrom)
  let decayer: Decayer.Decayer = { ...history.decayer, consumedFrom: before < 0 ? messages.length : before }
  for (const [index, message] of messages.entries()) {
    const { item } = message
    if (item?._tag !== "Entry") continue
    if (item.form._tag === "Fold") decayer = Decayer.retire(decayer, assistantKey(index), pathIn(item.form.put))
    if (isFixed(item)) decayer = Decayer.retire(decayer, keyAt(message, index), undefined)
  }
  return decayer
}

const isFixed = ({ entered: { part } }: Item & { readonly _tag: "Entry" }): boolean =>
  part._tag === "Result" && (part.status === "pending" || part.blocks.some(({ encoding }) => encoding === "bytes"))

const spillOf = (messages: ReadonlyArray<Listed>): Spill => {
  const seqs = new Map(
    messages.map((message, index) => [
      message.role === "assistant" ? assistantKey(index) : keyAt(message, index),
      message.seq
    ])
  )
  return (key) => {
    const seq = seqs.get(key)
    return seq === undefined ? undefined : pathOfEntry(seq)
  }
}

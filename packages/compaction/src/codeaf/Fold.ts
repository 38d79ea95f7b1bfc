/**
 * Fold: what the assistant said long ago is shortened, only after decay and only where results and text together are
 * still over (CA-17 to CA-20).
 *
 * 1. The newest three assistant messages are never touched, at the safety limit neither (CA-18).
 * 2. Under the safety limit only text before the last change of the workspace is folded, and only where that reaches the
 *    low-water mark (CA-19).
 * 3. No address, no fold: without one the text stays (CA-20).
 * 4. Only text is replaced; the calls of a message stay as they are (law 8).
 *
 * Keeps CA-W1 (arguments cannot be folded) and CA-W14 (the budgets of decay, which count less).
 *
 * @since 0.1.0
 */
import { preserve, retired, type Decayer } from "./Decayer.ts"
import { lowWater } from "./Inflow.ts"
import { assistantKey, liveTranscriptBytes, type Message } from "./Message.ts"
import { quiet, rewriting, type Pass, type Rewrite } from "./Pass.ts"
import type { Spill } from "./Spill.ts"
import { folded } from "./Stubs.ts"

/**
 * Newest assistant messages that stay whole.
 *
 * @since 0.1.0
 * @category constants
 */
export const KEEP_ASSISTANT_TURNS = 3

/**
 * One budget for both cost and safety.
 *
 * @since 0.1.0
 * @category passes
 */
export const fold = <M extends Message>(
  decayer: Decayer,
  messages: ReadonlyArray<M>,
  budget: number,
  spill: Spill
): Pass<M> => foldWithin(decayer, messages, budget, budget, spill)

/**
 * The pass after decay. Budgets are bytes of results and assistant text together.
 *
 * @since 0.1.0
 * @category passes
 */
export const foldWithin = <M extends Message>(
  decayer: Decayer,
  messages: ReadonlyArray<M>,
  working: number,
  safety: number,
  spill: Spill
): Pass<M> => {
  const live = liveTranscriptBytes(messages)
  if (live <= working) return quiet(decayer, messages, live)
  const target = lowWater(decayer.inflow, working)
  const soft = canFoldTo(quiet(decayer, messages, live), target, spill)
  const before = quiet(soft.decayer, messages, live)
  if (soft.can) return foldTo(before, target, true, spill, "schedule")
  if (safety > working && live <= safety) return before
  return foldTo(before, lowWater(decayer.inflow, safety), false, spill, "ceiling")
}

/** Whether consumed text alone reaches the target: by what it holds at most, then by its stubs. */
const canFoldTo = (
  pass: Pass<Message>,
  target: number,
  spill: Spill
): { readonly can: boolean; readonly decayer: Decayer } => {
  const most = foldable(pass, true).reduce((sum, { message }) => sum + message.bytes, 0)
  if (pass.live - most > target) return { can: false, decayer: pass.decayer }
  const exact = choose(pass, target, true, spill)
  return { can: exact.live <= target, decayer: exact.decayer }
}

const foldTo = <M extends Message>(
  pass: Pass<M>,
  target: number,
  consumedOnly: boolean,
  spill: Spill,
  cause: "schedule" | "ceiling"
): Pass<M> => {
  const { decayer, rewrites } = choose(pass, target, consumedOnly, spill)
  return rewriting({ ...pass, decayer }, rewrites, cause)
}

const choose = (
  pass: Pass<Message>,
  target: number,
  consumedOnly: boolean,
  spill: Spill
): { readonly decayer: Decayer; readonly rewrites: ReadonlyArray<Rewrite>; readonly live: number } => {
  const rewrites: Array<Rewrite> = []
  let { decayer, live } = pass
  for (const { index, key, message, turn } of foldable(pass, consumedOnly)) {
    if (live <= target) break
    const kept = preserve(decayer, spill, key, message.text)
    decayer = kept.decayer
    if (kept.path === undefined) continue
    const put = folded(turn, message.bytes, kept.path)
    if (put.bytes >= message.bytes) continue
    rewrites.push({ _tag: "Folded", index, key, bytes: message.bytes, path: kept.path, put })
    live -= message.bytes - put.bytes
  }
  return { decayer, rewrites, live }
}

interface Foldable {
  readonly index: number
  readonly key: string
  /** Which assistant message it is, from 1. */
  readonly turn: number
  readonly message: Message
}

/** Those that are old enough, still whole, and not shorter than the shortest words for them; the oldest first. */
const foldable = ({ decayer, messages }: Pass<Message>, consumedOnly: boolean): ReadonlyArray<Foldable> => {
  const said = messages.flatMap((message, index) => (message.role === "assistant" ? [{ index, message }] : []))
  return said.slice(0, Math.max(0, said.length - KEEP_ASSISTANT_TURNS)).flatMap(({ index, message }, at) => {
    const key = assistantKey(index)
    const turn = at + 1
    if (consumedOnly && index >= decayer.consumedFrom) return []
    if (retired(decayer, key) !== undefined || folded(turn, message.bytes).bytes >= message.bytes) return []
    return [{ index, key, turn, message }]
  })
}

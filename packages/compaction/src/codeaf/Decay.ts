/**
 * Decay: old results are shortened, in batches (CA-04 to CA-10, CA-12, CA-15).
 *
 *     live ≤ working ─────────────────────────────> nothing
 *     spent alone reaches the low-water mark ─────> spent, down to it            (all or nothing)
 *     working < live ≤ safety ────────────────────> nothing: what is needed stays
 *     live > safety ──────────────────────────────> spent, then needed, down to the safety limit's mark;
 *                                                   then fresh, only to the safety limit itself
 *
 * 1. A result is retired by how long ago it was last *needed*: spent, needed, fresh; the oldest first in each.
 * 2. A stub is written once, and only where it is shorter than what it stands for.
 * 3. With working and safety alike, what can be shortened is, until the budget holds.
 *
 * Keeps CA-W2 and CA-W3 (a stub may name no path), CA-W11 (between the two budgets nothing happens, however long), CA-W13
 * (the oldest goes first, which re-bills the longest tail), CA-W17 (each pass scans, and asks for paths ahead) and CA-W18
 * (what the model never read may be a bare stub).
 *
 * @since 0.1.0
 */
import { isConsumed, pathOf, inherit, retired, type Decayer } from "./Decayer.ts"
import { lowWater } from "./Inflow.ts"
import { keyOf, liveObservationBytes, type Message } from "./Message.ts"
import { quiet, rewriting, type Pass, type Rewrite } from "./Pass.ts"
import type { Spill } from "./Spill.ts"
import { standIn, superseded } from "./Stubs.ts"

/**
 * What a result is still worth: acted on; not seen to be acted on; not read yet, as it came after the newest assistant
 * message.
 *
 * @since 0.1.0
 * @category models
 */
export type Class = "Spent" | "Needed" | "Fresh"

/**
 * @since 0.1.0
 * @category classes
 */
export const classOf = (decayer: Decayer, key: string, index: number, newestAssistant: number): Class =>
  index > newestAssistant ? "Fresh" : isConsumed(decayer, key, index) ? "Spent" : "Needed"

/**
 * One budget for both cost and safety.
 *
 * @since 0.1.0
 * @category passes
 */
export const decay = <M extends Message>(
  decayer: Decayer,
  messages: ReadonlyArray<M>,
  budget: number,
  spill: Spill
): Pass<M> => decayWithin(decayer, messages, budget, budget, spill)

/**
 * The pass before a request. Budgets are bytes of results.
 *
 * @since 0.1.0
 * @category passes
 */
export const decayWithin = <M extends Message>(
  decayer: Decayer,
  messages: ReadonlyArray<M>,
  working: number,
  safety: number,
  spill: Spill
): Pass<M> => {
  const live = liveObservationBytes(messages)
  if (live <= working) return quiet(decayer, messages, live)
  const target = lowWater(decayer.inflow, working)
  const soft = canRetireTo(decayer, messages, target, ["Spent"], spill)
  const before = quiet(soft.decayer, messages, live)
  if (soft.can) return retireTo(before, target, ["Spent"], spill, "schedule")
  if (safety > working && live <= safety) return before
  const hard = retireTo(before, lowWater(decayer.inflow, safety), ["Spent", "Needed"], spill, "ceiling")
  return hard.live > safety ? retireTo(hard, safety, ["Fresh"], spill, "ceiling") : hard
}

/**
 * Whether retiring these classes reaches the target, in bytes. First by what the bodies hold at most; then by the stubs
 * themselves, in the order in which they would go, which may keep bodies but changes no message.
 *
 * @since 0.1.0
 * @category planning
 */
export const canRetireTo = (
  decayer: Decayer,
  messages: ReadonlyArray<Message>,
  target: number,
  classes: ReadonlyArray<Class>,
  spill: Spill
): { readonly can: boolean; readonly decayer: Decayer } => {
  const live = liveObservationBytes(messages)
  if (live <= target) return { can: true, decayer }
  const most = classes
    .flatMap((one) => candidates(decayer, messages, one))
    .filter(({ message: { bytes, label } }) => superseded(label, bytes).bytes < bytes)
    .reduce((sum, { message }) => sum + message.bytes, 0)
  if (live - most > target) return { can: false, decayer }
  const exact = choose(quiet(decayer, messages, live), target, classes, spill)
  return { can: exact.live <= target, decayer: exact.decayer }
}

const retireTo = <M extends Message>(
  pass: Pass<M>,
  target: number,
  classes: ReadonlyArray<Class>,
  spill: Spill,
  cause: "schedule" | "ceiling"
): Pass<M> => {
  const { decayer, rewrites } = choose(pass, target, classes, spill)
  return rewriting({ ...pass, decayer }, rewrites, cause)
}

/** The rewrites that bring a pass to its target, or as near as can be; and the bodies that are kept for them. */
const choose = (
  pass: Pass<Message>,
  target: number,
  classes: ReadonlyArray<Class>,
  spill: Spill
): { readonly decayer: Decayer; readonly rewrites: ReadonlyArray<Rewrite>; readonly live: number } => {
  const rewrites: Array<Rewrite> = []
  let { decayer, live } = pass
  for (const one of classes) {
    for (const { index, key, message } of candidates(decayer, pass.messages, one)) {
      if (live <= target) return { decayer, rewrites, live }
      const { bytes, label, text } = message
      // No body is kept for a result that stays: the bare stub is the shorter of the two.
      if (superseded(label, bytes).bytes >= bytes) continue
      const path = pathOf(decayer, key) ?? spill(key, text)
      decayer = inherit(decayer, key, path)
      const stub = standIn(label, bytes, path)
      if (stub === undefined) continue
      rewrites.push({ _tag: "Stubbed", index, key, bytes, ...stub })
      live -= bytes - stub.put.bytes
    }
  }
  return { decayer, rewrites, live }
}

interface Candidate {
  readonly index: number
  readonly key: string
  readonly message: Message
}

const candidates = (decayer: Decayer, messages: ReadonlyArray<Message>, wanted: Class): ReadonlyArray<Candidate> => {
  const newest = messages.findLastIndex(({ role }) => role === "assistant")
  return messages.flatMap((message, index) => {
    if (message.role !== "tool") return []
    const key = keyOf(message, index)
    const is = retired(decayer, key) === undefined && classOf(decayer, key, index, newest) === wanted
    return is ? [{ index, key, message }] : []
  })
}

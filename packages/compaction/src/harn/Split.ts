/**
 * Which messages are archived: those from `start` up to `split`; the first ones and the newest stay.
 *
 *     [0 … start) kept   [start … split) archived   [split … end) kept
 *
 * The split moves back to a message of the user; to the beginning of a turn with reasoning or calls; then off a run of
 * results, back to their request where that still archives something, else forward past them. Last, no call and its
 * result end up on two sides, whatever stands between them, at `start` too; a call that still waits for its result is
 * never archived (law 8; the seed held this for adjacent results only).
 *
 * Kept: HA-W8 (where a list is all results the split moves forward and archives the newest as well) and HA-W9 (a few
 * huge messages are never compacted, as the kept window counts messages).
 *
 * @since 0.1.0
 */
import { answersOf, callsOf, isResult, isUserTurn, type Message } from "./Message.ts"

/**
 * The archived range. `start < split`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Window {
  readonly start: number
  readonly split: number
}

/**
 * The range to archive; undefined where there is none, and nothing is compacted.
 *
 * @since 0.1.0
 * @category planning
 */
export const windowOf = (messages: ReadonlyArray<Message>, keepFirst: number, keepLast: number): Window | undefined => {
  if (messages.length <= keepFirst + keepLast) return undefined
  const user = userSplit(messages, keepFirst, messages.length - keepLast)
  const split = snapOffResults(messages, keepFirst, wholeTurn(messages, keepFirst, user))
  return split <= keepFirst ? undefined : paired(messages, keepFirst, split)
}

/**
 * A split that does not stand before a result: back to the request where that archives something, else past the run.
 *
 * @since 0.1.0
 * @category planning
 */
export const snapOffResults = (messages: ReadonlyArray<Message>, start: number, split: number): number => {
  let back = split
  while (back > start && resultAt(messages, back)) back--
  return back > start ? back : pastRun(messages, split)
}

const pastRun = (messages: ReadonlyArray<Message>, split: number): number => {
  let at = split
  while (resultAt(messages, at)) at++
  return at
}

const resultAt = (messages: ReadonlyArray<Message>, at: number): boolean => {
  const message = messages[at]
  return message !== undefined && isResult(message)
}

const userSplit = (messages: ReadonlyArray<Message>, start: number, naive: number): number => {
  let at = naive
  while (at > start && messages[at]?.role !== "user") at--
  return at <= start ? naive : at
}

/** Back to the words of the user that began the turn which the first reasoning or call of the kept part belongs to. */
const wholeTurn = (messages: ReadonlyArray<Message>, start: number, split: number): number => {
  const first = messages.findIndex((message, at) => at >= split && isWorking(message))
  if (first < 0) return split
  const begins = messages.findLastIndex((message, at) => at <= first && isUserTurn(message))
  return begins > start && begins < split ? begins : split
}

const isWorking = (message: Message): boolean =>
  message.role === "assistant" && (message.reasoning !== undefined || callsOf(message).length > 0)

/** A call and its result, by their places; the result of a call that still waits stands behind the last message. */
type Pair = readonly [call: number, result: number]

const paired = (messages: ReadonlyArray<Message>, first: number, wanted: number): Window | undefined => {
  const pairs = pairsOf(messages)
  const start = settle(pairs, first, ([, result]) => result + 1)
  if (start >= wanted) return undefined
  const back = settle(pairs, wanted, ([call]) => call)
  if (back > start) return { start, split: back }
  const forward = settle(pairs, wanted, ([, result]) => result + 1)
  return forward > messages.length ? undefined : { start, split: forward }
}

/** Moves a cut until no pair lies on both sides of it. */
const settle = (pairs: ReadonlyArray<Pair>, from: number, move: (pair: Pair) => number): number => {
  let cut = from
  for (;;) {
    const torn = pairs.find(([call, result]) => call < cut && cut <= result)
    if (torn === undefined) return cut
    cut = move(torn)
  }
}

const pairsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Pair> => {
  const pairs: Array<Pair> = []
  const waiting = new Map<string, number>()
  const called = new Map<string, number>()
  let request = -1
  for (const [at, message] of messages.entries()) {
    const answers = answersOf(message)
    for (const id of answers) {
      const call = id === undefined ? request : called.get(id)
      if (call !== undefined && call >= 0) pairs.push([call, at])
      if (id !== undefined) waiting.delete(id)
    }
    // What nobody answered before the user spoke is abandoned: no provider takes its result any more.
    if (answers.length === 0 && message.role !== "assistant") waiting.clear()
    const calls = callsOf(message)
    for (const { id } of calls) {
      if (id === undefined) continue
      called.set(id, at)
      waiting.set(id, at)
    }
    if (answers.length === 0) request = calls.length > 0 ? at : -1
  }
  return [...pairs, ...[...waiting.values()].map((at): Pair => [at, messages.length])]
}

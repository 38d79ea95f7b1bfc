/** What two requests of a run share, in tokens. */
import type { Message } from "@palimpsest/compaction/Transcript"
import { scalarsOf } from "@palimpsest/ledger/Body"

/** The tokens of the leading messages. */
export const tokensBefore = (messages: ReadonlyArray<Message>, from: number): number => {
  let tokens = 0
  for (let i = 0; i < from; i++) tokens += messages[i]!.tokens
  return tokens
}

/** A section is one text: what two share is counted in whole tokens of their common prefix. */
export const sharedTokens = (before: string, now: string): number => {
  let same = 0
  while (same < before.length && before.charCodeAt(same) === now.charCodeAt(same)) same++
  if (same > 0 && (now.charCodeAt(same - 1) & 0xfc00) === 0xd800) same--
  return Math.floor(scalarsOf(now.slice(0, same)) / 4)
}

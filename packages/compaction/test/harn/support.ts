/** What the tests of the preset `harn` stand on: the engine as one record, so that a test can be run against a wrong one. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import { reconcileCall, recordOf } from "../../src/harn/CallRecord.ts"
import { clamp } from "../../src/harn/Clamp.ts"
import { compact, type Compacted, type CompactionRefused } from "../../src/harn/Compact.ts"
import { type AutoCompactConfig, decode } from "../../src/harn/Config.ts"
import { isFailureLine } from "../../src/harn/FailureLines.ts"
import * as Lifecycle from "../../src/harn/Lifecycle.ts"
import { mask } from "../../src/harn/Mask.ts"
import { discardedSourceContext } from "../../src/harn/Measurement.ts"
import type { Message } from "../../src/harn/Message.ts"
import { microcompact } from "../../src/harn/Microcompact.ts"
import { modeOf, visibleOf } from "../../src/harn/Policy.ts"
import { promptOf } from "../../src/harn/Prompt.ts"
import * as Receipt from "../../src/harn/Receipt.ts"
import { recap } from "../../src/harn/Recap.ts"
import { ledgerOf } from "../../src/harn/RepairLedger.ts"
import { windowOf } from "../../src/harn/Split.ts"
import type { Host, StrategyFailed } from "../../src/harn/Strategy.ts"
import {
  type Answer,
  Asked,
  type NotRecorded,
  type Request,
  scripted,
  type SummarizerFailed
} from "../../src/harn/Summarizer.ts"
import { tokensOf } from "../../src/harn/TokenEstimate.ts"
import { truncate } from "../../src/harn/Truncate.ts"

export type Script = ReadonlyArray<string | Answer | SummarizerFailed>

/** A compaction by a scripted summariser, with what that was asked. */
export interface Ran {
  readonly result: Either.Either<Option.Option<Compacted>, CompactionRefused | StrategyFailed | NotRecorded>
  readonly asked: ReadonlyArray<Request>
}

export const config = (keys: Record<string, unknown> = {}): AutoCompactConfig => Either.getOrThrow(decode(keys))

export const scriptedRun = (
  messages: ReadonlyArray<Message>,
  keys: Record<string, unknown>,
  script: Script = [],
  host: Partial<Host> = {},
  window?: number
): Ran =>
  Effect.gen(function* () {
    const result = yield* Effect.either(compact(messages, config(keys), { hash, ...host }))
    return { result, asked: yield* yield* Asked }
  }).pipe(Effect.provide(scripted(script, window)), Effect.runSync)

export const ours = {
  microcompact,
  isFailureLine,
  windowOf,
  truncate,
  mask,
  recap,
  clamp,
  tokensOf,
  discardedSourceContext,
  ledgerOf,
  promptOf,
  recordOf,
  reconcileCall,
  modeOf,
  visibleOf,
  receipt: { decode: Receipt.decode, encode: Receipt.encode, receiptOf: Receipt.receiptOf },
  lifecycle: Lifecycle.run,
  modified: Lifecycle.modified,
  run: scriptedRun
}
export type Engine = typeof ours

/** A test of a row, and wrong engines that it must tell from ours. */
export const row = (
  name: string,
  check: (engine: Engine) => void,
  mutants: Readonly<Record<string, Partial<Engine>>> = {}
): void => {
  describe(name, () => {
    it("holds", () => check(ours))
    for (const [wrong, parts] of Object.entries(mutants)) {
      it(`kills: ${wrong}`, () => expect(fault(() => check({ ...ours, ...parts }))).toBe("AssertionError"))
    }
  })
}

/** What a check ended with: a mutant dies by what was expected of it, not by a crash. */
const fault = (check: () => void): string => {
  try {
    check()
    return "none"
  } catch (error) {
    return error instanceof Error ? error.name : "other"
  }
}

/** Keys without one of them. */
export const without = (keys: Record<string, unknown>, key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => name !== key))

/** The compaction that was made; fails where none was. */
export const made = ({ result }: Ran): Compacted => {
  if (Either.isLeft(result)) expect.fail(result.left.message)
  if (Option.isNone(result.right)) expect.fail("no compaction was due")
  return result.right.value
}

export const isNotDue = ({ result }: Ran): boolean => Either.isRight(result) && Option.isNone(result.right)

export const refusal = ({ result }: Ran): CompactionRefused | StrategyFailed => {
  if (Either.isRight(result)) expect.fail("it was not refused")
  if (result.left._tag === "NotRecorded") expect.fail(result.left.message)
  return result.left
}

/** A mutant of the runs: ours, with what it made put wrong. */
export const making = (change: (done: Compacted) => Compacted): Partial<Engine> => ({
  run: (...args) => {
    const ran = scriptedRun(...args)
    return { ...ran, result: Either.map(ran.result, Option.map(change)) }
  }
})

export const user = (content: string): Message => ({ role: "user", content })
export const assistant = (content: string): Message => ({ role: "assistant", content })
export const tool = (content: string, id?: string): Message => ({
  role: "tool",
  content,
  ...(id === undefined ? {} : { tool_call_id: id })
})
export const calling = (id: string, name = "read", content: string | null = null): Message => ({
  role: "assistant",
  content,
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }]
})
export const useBlock = (id: string, name = "read"): Message => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name, input: {} }]
})
export const resultBlock = (id: string, content: string): Message => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }]
})
/** The same words as one text block. */
export const asBlocks = (message: Message): Message => ({
  ...message,
  content: typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
})

/** A user and an assistant in turns. */
export const talk = (n: number, text = (i: number) => `message ${i}`): ReadonlyArray<Message> =>
  Array.from({ length: n }, (_, i) => (i % 2 === 0 ? user(text(i)) : assistant(text(i))))

export const noise = (n: number): string => Array.from({ length: n }, (_, i) => `verbose output line ${i}`).join("\n")

export const bytes = (text: string): number => new TextEncoder().encode(text).length

export const count = (text: string, part: string): number => text.split(part).length - 1

/** A deep copy to hold against later: what a function was given must be the same afterwards. */
export const copy = <A>(value: A): A => structuredClone(value)

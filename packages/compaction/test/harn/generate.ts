/** Transcripts of all kinds: parallel batches, late and missing results, both shapes, foreign scripts, lone surrogates, pins. */
import * as FastCheck from "effect/FastCheck"
import type { Block, Json, Message } from "../../src/harn/Message.ts"
import { noise } from "./support.ts"

const words = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: FastCheck.constantFrom("", "error: no such file", "👍日é", "exit code 0", "[no-compact] keep")
  },
  { weight: 1, arbitrary: FastCheck.constant("half \ud800 a character") },
  { weight: 2, arbitrary: FastCheck.nat(60).map((n) => `head\n${noise(n)}\n--- FAIL: T${n}`) },
  { weight: 1, arbitrary: FastCheck.nat(40).map((n) => "日本".repeat(n * 10)) },
  {
    weight: 1,
    arbitrary: FastCheck.constant("[auto-compacted 3 older messages via observation masking]\n[user] before")
  }
)

/** One step of a session: someone speaks, or a batch of calls whose results come in some order, late, or never. */
type Step =
  | { readonly _tag: "Say"; readonly role: "user" | "assistant" | "system"; readonly text: string }
  | {
      readonly _tag: "Batch"
      readonly text: string
      readonly results: ReadonlyArray<{ readonly text: string; readonly fate: "now" | "late" | "never" }>
      readonly thinks: boolean
    }
  | { readonly _tag: "Orphan"; readonly text: string; readonly named: boolean }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Say" as const),
      role: FastCheck.constantFrom("user" as const, "user" as const, "assistant" as const, "system" as const),
      text: words
    })
  },
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Batch" as const),
      text: words,
      results: FastCheck.array(
        FastCheck.record({
          text: words,
          fate: FastCheck.constantFrom("now" as const, "now" as const, "late" as const, "never" as const)
        }),
        { minLength: 1, maxLength: 3 }
      ),
      thinks: FastCheck.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Orphan" as const),
      text: words,
      named: FastCheck.boolean()
    })
  }
)

/** The messages of some steps in one shape; late results come one step later than their call. */
const messagesOf = (steps: ReadonlyArray<Step>, blocks: boolean): ReadonlyArray<Message> => {
  const out: Array<Message> = []
  let late: Array<Message> = []
  const result = (id: string, text: string): Message =>
    blocks
      ? { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] }
      : { role: "tool", content: text, tool_call_id: id }
  for (const [at, each] of steps.entries()) {
    const due = late
    late = []
    if (each._tag === "Say")
      out.push({ role: each.role, content: blocks ? [{ type: "text", text: each.text }] : each.text })
    if (each._tag === "Orphan")
      out.push(each.named ? result(`orphan-${at}`, each.text) : { role: "tool", content: each.text })
    if (each._tag === "Batch") {
      const ids = each.results.map((_, i) => `${at}-${i}`)
      const calls: ReadonlyArray<Json> = ids.map((id) => ({ id, function: { name: "run", arguments: "{}" } }))
      const uses = ids.map((id): Block => ({ type: "tool_use", id, name: "run", input: {} }))
      const text: ReadonlyArray<Block> = each.text === "" ? [] : [{ type: "text", text: each.text }]
      const reasoning = each.thinks ? { reasoning: "thought" } : {}
      out.push(
        blocks
          ? { role: "assistant", content: [...text, ...uses], ...reasoning }
          : { role: "assistant", content: each.text, tool_calls: calls, ...reasoning }
      )
      for (const [i, { text, fate }] of each.results.entries()) {
        if (fate === "now") out.push(result(ids[i]!, text))
        if (fate === "late") late.push(result(ids[i]!, text))
      }
    }
    out.push(...due)
  }
  return out
}

export const transcript: FastCheck.Arbitrary<ReadonlyArray<Message>> = FastCheck.tuple(
  FastCheck.array(step, { maxLength: 24 }),
  FastCheck.boolean()
).map(([steps, blocks]) => messagesOf(steps, blocks))

/** Settings that fire. */
export const settings = FastCheck.record({
  keep_first: FastCheck.nat(3),
  keep_last: FastCheck.nat(8),
  token_threshold: FastCheck.constant(0),
  recap_budget_bytes: FastCheck.oneof(FastCheck.nat(400), FastCheck.constant(16_000)),
  tool_output_max_chars: FastCheck.constantFrom(0, 200, 400, 16_000),
  compact_strategy: FastCheck.constantFrom("observation_mask", "truncate", "llm")
})

/** A well-formed text with failure lines among others, and a limit. */
export const output = FastCheck.tuple(
  FastCheck.array(
    FastCheck.oneof(
      { weight: 5, arbitrary: FastCheck.string({ unit: "grapheme", maxLength: 60 }) },
      { weight: 1, arbitrary: FastCheck.nat(30).map((n) => `a.go:${n}: undefined: 日本${n}`) },
      { weight: 1, arbitrary: FastCheck.nat(400).map((n) => "👍".repeat(n)) }
    ),
    { maxLength: 60 }
  ).map((lines) => lines.join("\n")),
  FastCheck.oneof(FastCheck.integer({ min: 190, max: 2_000 }), FastCheck.nat(250))
)

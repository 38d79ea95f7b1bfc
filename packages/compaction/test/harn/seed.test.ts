/** The nineteen tests of the seed, in its order (`spec` §4.1). */
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import { reconcileCall } from "../../src/harn/CallRecord.ts"
import { CompactionRefused } from "../../src/harn/Compact.ts"
import { contentHash } from "../../src/harn/Manifest.ts"
import { discardedSourceContext } from "../../src/harn/Measurement.ts"
import { bodyOf, type Message } from "../../src/harn/Message.ts"
import { microcompact } from "../../src/harn/Microcompact.ts"
import { DEFAULT_RECAP_BUDGET_BYTES, recap, RECAP_HEADER_SENTINEL } from "../../src/harn/Recap.ts"
import { tokensOf } from "../../src/harn/TokenEstimate.ts"
import {
  assistant,
  bytes,
  copy,
  count,
  isNotDue,
  made,
  noise,
  refusal,
  scriptedRun,
  talk,
  tool,
  user
} from "./support.ts"

describe("the seed's tests", () => {
  it("1 the strategy llm asks once, without a system prompt, in one message, and says so in its records", () => {
    const messages = [
      user("edited src/a.go"),
      assistant("applied the fix to src/a.go"),
      user("next"),
      assistant("done")
    ]
    const ran = scriptedRun(messages, { token_threshold: 1, keep_last: 2, compact_strategy: "llm" }, [
      "the model's words"
    ])
    const done = made(ran)
    expect(done.strategy).toBe("llm")
    expect(done.summary).toContain("the model's words")
    expect(done.summary).not.toContain("repair-ledger")
    expect(ran.asked).toHaveLength(1)
    expect(ran.asked[0]!.messages).toHaveLength(1)
    expect(Object.keys(ran.asked[0]!).sort()).toEqual(["callRole", "messages"])
    expect(done.calls).toHaveLength(1)
    const { request, manifest } = done.calls[0]!
    expect([request.type, request.call_role]).toEqual(["provider_call_request", "compaction"])
    expect(request.served_context).toMatchObject({ system_prompt_bytes: 0, message_count: 1 })
    expect(request.served_context.manifest_content_hash).toBe(manifest.content_hash)
    expect(manifest.type).toBe("context_manifest")
    expect(contentHash(hash, manifest.manifest)).toBe(manifest.content_hash)
    expect(manifest.manifest).toMatchObject({ call_role: "compaction", root: "transformed", system_prompt_bytes: 0 })
    expect(Either.isRight(reconcileCall(hash, done.calls[0]!, ran.asked[0]!))).toBe(true)
  })

  it("2 50,000 bytes at 10,000 are snipped, and 40,000 exactly are dropped", () => {
    const { text, droppedBytes } = microcompact("x".repeat(50_000), 10_000)
    expect(bytes(text)).toBeLessThan(15_000)
    expect(text).toContain("snipped")
    expect(droppedBytes).toBe(40_000)
  })

  it("3 a small output is unchanged", () => {
    expect(microcompact("hello world", 10_000)).toEqual({ text: "hello world", droppedBytes: 0 })
  })

  it("4 strong words survive without a place in a file", () => {
    const lines = noise(200).split("\n")
    lines.splice(90, 0, "--- FAIL: TestEmpty", "thread main panicked at the disco", "FAILED tests/test_parser.py")
    const { text, droppedBytes } = microcompact(lines.join("\n"), 2_000)
    for (const words of ["--- FAIL: TestEmpty", "panicked at", "FAILED tests/test_parser.py"])
      expect(text).toContain(words)
    expect(droppedBytes).toBeGreaterThan(0)
  })

  it("5 truncation of 20 messages leaves at most 7", () => {
    const done = made(scriptedRun(talk(20), { token_threshold: 1, keep_last: 6, compact_strategy: "truncate" }))
    expect(done.messages.length).toBeLessThanOrEqual(7)
    expect(bodyOf(done.messages[0]!)).toContain("auto-compacted")
  })

  it("6 no more messages than are kept: nothing is done", () => {
    const messages = talk(4)
    const before = copy(messages)
    expect(isNotDue(scriptedRun(messages, { token_threshold: 1, keep_last: 6 }))).toBe(true)
    expect(messages).toEqual(before)
  })

  it("7 below the threshold nothing is done", () => {
    expect(isNotDue(scriptedRun(talk(20), { token_threshold: 48_000 }))).toBe(true)
  })

  it("8 the mask keeps assistant lines, errors and exit codes, and masks a verbose file", () => {
    const messages = [
      user("build it"),
      assistant("I will write a.go"),
      user(`File created: a.go\n${noise(60)}`),
      assistant("running the build"),
      user("error: undefined symbol\nexit code 1"),
      user("fix it please"),
      assistant("the kept window"),
      assistant("kept too")
    ]
    const done = made(scriptedRun(messages, { token_threshold: 1, keep_last: 2 }))
    expect(done.messages).toHaveLength(4)
    for (const words of [
      "[assistant] I will write a.go",
      "undefined symbol",
      "exit code 1",
      "masked]",
      "File created: a.go"
    ])
      expect(done.summary).toContain(words)
    expect(done.summary).not.toContain("verbose output line 30")
    for (const words of ["fix it please", "the kept window", "kept too"]) expect(done.summary).not.toContain(words)
  })

  it("9 short results are kept verbatim", () => {
    const { text } = recap([user("OK"), user("Done.")])
    expect(text.split("\n").slice(1)).toEqual(["[user] OK", "[user] Done."])
    expect(text.replace(RECAP_HEADER_SENTINEL, "")).not.toContain("masked")
  })

  it("10 a verbose call is previewed, and the failing lines of its result survive", () => {
    const call = `calling write with ${"content ".repeat(400)}END`
    const { text, metrics } = recap([
      assistant(call),
      user(`running the tests\n${noise(60)}\n--- FAIL: TestX\nx.go:12: expected 3 got 4`)
    ])
    expect(text).toContain("assistant turn truncated")
    expect(text).not.toContain("END")
    for (const words of ["--- FAIL: TestX", "x.go:12: expected 3 got 4", "chars masked"]) expect(text).toContain(words)
    expect(metrics.keptResultsCount).toBeGreaterThanOrEqual(1)
  })

  it("11 a prior recap is carried once, and recaps do not compound", () => {
    const big = (n: number) => Array.from({ length: 40 }, (_, i) => user(`${n}.${i} ${"w".repeat(400)}`))
    const budget = 8_000
    const first = recap(big(1), budget)
    const second = recap([user(first.text), ...big(2)], budget)
    expect(count(second.text, "[prior recap]")).toBe(1)
    expect(second.metrics.carriedPriorRecap).toBe(true)
    expect(bytes(second.text)).toBeLessThanOrEqual(budget + 8_000)
  })

  it("12 the budget is kept, and the drops are counted", () => {
    const budget = 4_000
    const { text, metrics } = recap(
      Array.from({ length: 60 }, (_, i) => user(`${i} ${"w".repeat(300)}`)),
      budget
    )
    expect(metrics.budgetBytes).toBe(budget)
    expect(metrics.recapBytes).toBe(bytes(text))
    expect(bytes(text)).toBeLessThanOrEqual(budget + 4_000)
    expect(metrics.droppedCount).toBeGreaterThan(0)
    expect(text).toContain("dropped to fit recap budget")
  })

  it("13 five lines that read the same are one with (x5)", () => {
    const { text } = recap(Array.from({ length: 5 }, () => user("again")))
    expect(text.split("\n").slice(1)).toEqual(["[user] again (x5)"])
  })

  it("14 the mask's metrics are in the result", () => {
    const done = made(scriptedRun(talk(20), { token_threshold: 1, keep_last: 4 }))
    expect(done.recapMetrics?.budgetBytes).toBe(DEFAULT_RECAP_BUDGET_BYTES)
  })

  it("15 400 and 400 bytes are 200 tokens", () => {
    expect(tokensOf([user("a".repeat(400)), assistant("b".repeat(400))])).toBe(200)
  })

  it.each(["👍", "é", "日"])("16 %s is cut on characters", (char) => {
    const { text } = microcompact(char.repeat(2_000), 400)
    expect(text).toContain("snipped")
    expect(text).not.toContain("�")
  })

  it("17 an empty answer over blocks loses nothing", () => {
    const messages: ReadonlyArray<Message> = ["ONE", "TWO", "THREE"].map((word, i) => ({
      role: i === 1 ? "assistant" : "user",
      content: [{ type: "text", text: `marker ${word}` }]
    }))
    const before = copy(messages)
    const ran = scriptedRun(messages, { token_threshold: 1, keep_last: 1, compact_strategy: "llm" }, [""])
    expect(messages).toEqual(before)
    const all = made(ran).messages.map(bodyOf).join("\n")
    for (const word of ["ONE", "TWO", "THREE"]) expect(all).toContain(`marker ${word}`)
  })

  it("18 a summary that carries nothing is refused, and the messages are the same", () => {
    const messages = Array.from({ length: 12 }, (_, i) => tool(`result ${i} ${"r".repeat(100)}`))
    const before = copy(messages)
    const ran = scriptedRun(messages, { token_threshold: 1, keep_last: 2, recap_budget_bytes: 1 })
    const error = refusal(ran)
    expect(error).toBeInstanceOf(CompactionRefused)
    expect(error.message).toContain("carried 0 of")
    expect(error.message).toContain("across 12 archived messages")
    expect(messages).toEqual(before)
  })

  it("19 unknown is not none", () => {
    expect(discardedSourceContext({})).toBe(false)
    expect(discardedSourceContext({ sourceBytes: 900, carriedSourceBytes: 0 })).toBe(true)
    expect(discardedSourceContext({ sourceBytes: 0, carriedSourceBytes: 0 })).toBe(false)
  })
})

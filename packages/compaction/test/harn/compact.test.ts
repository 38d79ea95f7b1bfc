/** The rows of the checklist about the compaction itself, with wrong engines that each test tells from ours. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import { clamp } from "../../src/harn/Clamp.ts"
import { CompactionRefused } from "../../src/harn/Compact.ts"
import { AutoCompactConfig, decode, defaults } from "../../src/harn/Config.ts"
import { bodyOf } from "../../src/harn/Message.ts"
import {
  asBlocks,
  assistant,
  bytes,
  calling,
  config,
  copy,
  isNotDue,
  made,
  making,
  noise,
  ours,
  refusal,
  resultBlock,
  row,
  scriptedRun,
  talk,
  tool,
  useBlock,
  user,
  without
} from "./support.ts"

row(
  "HA-03 at the threshold, or with few messages, nothing is done; threshold 0 always fires",
  (engine) => {
    const messages = talk(10, () => "a".repeat(40))
    expect(isNotDue(engine.run(messages, { token_threshold: 100, keep_last: 2 }))).toBe(true)
    expect(isNotDue(engine.run(messages, { token_threshold: 99, keep_last: 2 }))).toBe(false)
    expect(isNotDue(engine.run(messages, { token_threshold: 0, keep_last: 10 }))).toBe(true)
    expect(isNotDue(engine.run(messages, { token_threshold: 0, keep_first: 4, keep_last: 6 }))).toBe(true)
    expect(
      isNotDue(
        engine.run(
          talk(3, () => ""),
          { token_threshold: 0, keep_last: 1 }
        )
      )
    ).toBe(false)
  },
  {
    "fires at the threshold": {
      run: (messages, keys, ...rest) =>
        scriptedRun(messages, { ...keys, token_threshold: Math.max(0, Number(keys.token_threshold) - 1) }, ...rest)
    },
    "forgets what is kept first": {
      run: (messages, keys, ...rest) => scriptedRun(messages, { ...keys, keep_first: 0 }, ...rest)
    }
  }
)

row(
  "HA-04 a split falls on the user, never between a call and its result, and HA-W8 is kept",
  (engine) => {
    expect(engine.windowOf(talk(8), 0, 3)).toEqual({ start: 0, split: 4 })
    for (const [call, result] of [
      [calling("a"), tool("r", "a")],
      [useBlock("a"), resultBlock("a", "r")]
    ] as const) {
      expect(engine.windowOf([user("t"), assistant("x"), call, result, assistant("end")], 0, 2)).toEqual({
        start: 0,
        split: 2
      })
      // Words of the user between a call and its late result: adjacency is not enough.
      expect(engine.windowOf([user("t"), call, user("wait"), result, assistant("end")], 0, 3)).toEqual({
        start: 0,
        split: 1
      })
      expect(engine.windowOf([call, result, user("t"), assistant("x"), user("u")], 1, 1)).toEqual({
        start: 2,
        split: 4
      })
      expect(engine.windowOf([call, assistant("still waiting")], 0, 1)).toBeUndefined()
    }
    expect(
      engine.windowOf(
        Array.from({ length: 12 }, () => tool("r")),
        0,
        2
      )
    ).toEqual({ start: 0, split: 12 })
  },
  {
    "counts messages": { windowOf: (messages, first, last) => ({ start: first, split: messages.length - last }) },
    "knows results in messages of their own only": {
      windowOf: (messages, first, last) =>
        ours.windowOf(
          messages.map((m) => ({ ...m, content: bodyOf(m) })),
          first,
          last
        )
    }
  }
)

row(
  "HA-05 the second tier runs its strategy on the first tier's summary, above the hard limit only",
  (engine) => {
    const messages = talk(20, (i) => `number ${i} ${"w".repeat(200)}`)
    const keys = { token_threshold: 1, keep_last: 2, recap_budget_bytes: 2_000 }
    const first = made(engine.run(messages, { ...keys, hard_limit_tokens: 10_000 }, ["short"]))
    expect([first.strategy, first.calls.length]).toEqual(["observation_mask", 0])
    const ran = engine.run(messages, { ...keys, hard_limit_tokens: 200 }, ["short"])
    const second = made(ran)
    expect([second.strategy, second.recapMetrics]).toEqual(["llm", undefined])
    expect(second.summary).toBe("[auto-compacted 18 older messages]\nshort")
    expect(ran.asked[0]!.messages[0].content).toContain("via observation masking]")
    expect(second.fates.filter((fate) => fate === "dropped").length).toBe(first.recapMetrics!.droppedCount)
    expect(second.measurement.carriedSourceBytes).toBe(5)
  },
  {
    "no second tier": { run: (m, keys, ...rest) => scriptedRun(m, without(keys, "hard_limit_tokens"), ...rest) },
    "the second tier always": {
      run: (m, keys, ...rest) => scriptedRun(m, { ...keys, hard_limit_tokens: 1 }, ...rest)
    }
  }
)

row(
  "HA-06 four strategies by name, a fallback where one fails, and typed errors",
  (engine) => {
    const messages = talk(8)
    const keys = { token_threshold: 1, keep_last: 2 }
    const strategy = (name: string) => made(engine.run(messages, { ...keys, compact_strategy: name }, ["words"], host))
    const host = { custom: () => Effect.succeed({ text: "custom words" }) }
    expect(strategy("llm").summary).toContain("words")
    expect(strategy("truncate").summary).toContain("via truncate strategy]")
    expect(strategy("observation_mask").summary).toContain("via observation masking]")
    expect(strategy("custom").summary).toBe("custom words")
    const fails = { ...keys, compact_strategy: "llm" }
    expect(refusal(engine.run(messages, fails))).toMatchObject({ _tag: "StrategyFailed", strategy: "llm" })
    const fell = made(engine.run(messages, { ...fails, fallback_strategy: "truncate" }))
    expect([fell.primary, fell.strategy, fell.calls.length]).toEqual(["llm", "truncate", 1])
    const empty = { custom: () => Effect.succeed({ summary: " " }) }
    expect(made(engine.run(messages, { ...keys, compact_strategy: "custom" }, [], empty)).strategy).toBe("truncate")
    const broken = { custom: () => Effect.fail(new Error("no room")) }
    expect(refusal(engine.run(messages, { ...keys, compact_strategy: "custom" }, [], broken)).message).toContain(
      "no room"
    )
  },
  {
    "no fallback": { run: (m, keys, ...rest) => scriptedRun(m, without(keys, "fallback_strategy"), ...rest) },
    "tells the strategy that was asked for": making((done) => ({ ...done, strategy: done.primary }))
  }
)

row("HA-06 settings decode strictly, with the seed's defaults", () => {
  expect(defaults).toMatchObject({
    keepFirst: 0,
    tokenThreshold: 48_000,
    toolOutputMaxChars: 16_000,
    keepLast: 12,
    compactStrategy: "observation_mask",
    hardLimitStrategy: "llm",
    policyStrategy: "observation_mask",
    recapBudgetBytes: 16_000
  })
  expect(Object.keys(defaults)).not.toContain("hardLimitTokens")
  const bad = decode({ compact_strategy: "shrink" })
  expect(Either.isLeft(bad) && bad.left.message).toContain("expected one of llm, truncate, custom, observation_mask")
  for (const keys of [{ keepLast: 2 }, { keep_last: -1 }, { compact_strategy: "LLM" }, { policy: { who: "x" } }])
    expect(Either.isLeft(decode(keys))).toBe(true)
  expect(Either.isLeft(decode({ compact_strategy: "llm", fallback_strategy: "llm" }))).toBe(true)
  const wire = { keep_last: 3, request_provenance: { threshold_source: "target_tokens" } }
  expect(Schema.encodeSync(AutoCompactConfig)(config(wire))).toMatchObject(wire)
})

row(
  "HA-16 an empty answer is replaced by the source's beginnings, and the call is recorded",
  (engine) => {
    for (const [blank, messages] of [
      ["", talk(6)],
      [" \n", talk(6).map(asBlocks)]
    ] as const) {
      const done = made(engine.run(messages, { token_threshold: 1, keep_last: 2, compact_strategy: "llm" }, [blank]))
      expect(done.summary.split("\n")[0]).toBe(
        "[auto-compact fallback: LLM summarizer returned empty; 4 older messages abbreviated to ~500 chars each]"
      )
      for (const i of [0, 1, 2, 3]) expect(done.summary).toContain(`message ${i}`)
      expect([done.strategy, done.calls.length]).toEqual(["truncate", 1])
    }
  },
  { "takes it as a summary": making((done) => ({ ...done, summary: "[auto-compacted 4 older messages]\n" })) }
)

row(
  "HA-17 what is unknown is not none, and what was measured is the summary alone",
  (engine) => {
    expect(engine.discardedSourceContext({})).toBe(false)
    expect(engine.discardedSourceContext({ sourceBytes: 900 })).toBe(false)
    expect(engine.discardedSourceContext({ carriedSourceBytes: 0 })).toBe(false)
    expect(engine.discardedSourceContext({ sourceBytes: 900, carriedSourceBytes: 0 })).toBe(true)
    const policy = { instructions: "keep it", scope: "summary" }
    const messages = [user("four"), assistant("seven77"), user("end")]
    const done = made(engine.run(messages, { token_threshold: 1, keep_last: 1, policy }))
    const summary = done.summary.split("\n\n[compaction instructions]")[0]!
    expect(done.measurement).toEqual({
      sourceMessageCount: 2,
      sourceBytes: 11,
      summaryBytes: bytes(summary),
      carriedSourceBytes: 11
    })
  },
  {
    "reads unknown as none": {
      discardedSourceContext: ({ sourceBytes, carriedSourceBytes }) =>
        (sourceBytes ?? 0) > 0 && (carriedSourceBytes ?? 0) === 0
    },
    "measures the scaffold": making((done) => ({
      ...done,
      measurement: { ...done.measurement, summaryBytes: bytes(done.summary) }
    }))
  }
)

row(
  "HA-18 nothing carried is a typed refusal in exact words, before any second tier, and changes nothing",
  (engine) => {
    const messages = [...talk(10, () => "w".repeat(100)), tool(noise(3_000))]
    const before = copy(messages)
    const keys = { token_threshold: 1, keep_last: 2, recap_budget_bytes: 1, tool_output_max_chars: 1_000 }
    const scaffold =
      "[auto-compacted 8 older messages via observation masking]\n[8 older message(s) dropped to fit recap budget]"
    for (const more of [{}, { hard_limit_tokens: 1 }]) {
      const ran = engine.run(messages, { ...keys, ...more }, ["made up"])
      const error = refusal(ran)
      expect(error).toBeInstanceOf(CompactionRefused)
      expect(error.message).toBe(
        `transcript compaction refused: the summary carried 0 of 800 source bytes across 8 archived messages (summary was ${bytes(scaffold)} bytes, all generated scaffold); the source context was preserved`
      )
      expect(ran.asked).toEqual([])
      expect(messages).toEqual(before)
    }
    expect(
      made(
        engine.run(
          talk(4, () => ""),
          { token_threshold: 0, keep_last: 2 }
        )
      ).measurement.sourceBytes
    ).toBe(0)
  },
  {
    "clamps before it refuses": {
      run: (messages, ...rest) => {
        for (const message of messages) if (message.role === "tool") Object.assign(message, { content: "clamped" })
        return scriptedRun(messages, ...rest)
      }
    },
    "reports success": {
      run: (messages, keys, ...rest) => scriptedRun(messages, { ...keys, recap_budget_bytes: 16_000 }, ...rest)
    }
  }
)

row(
  "HA-19 blocks are compacted as the same words in strings",
  (engine) => {
    const strings = [
      user("the goal"),
      assistant("a".repeat(400)),
      user("v\n" + noise(60)),
      user("u"),
      assistant("e"),
      user("z")
    ]
    for (const name of ["observation_mask", "truncate", "llm"]) {
      const keys = { token_threshold: 1, keep_last: 2, compact_strategy: name }
      const [one, other] = [strings, strings.map(asBlocks)].map((messages) => engine.run(messages, keys, [""]))
      expect(made(other!).summary).toBe(made(one!).summary)
      expect(made(other!).measurement).toEqual(made(one!).measurement)
      expect(other!.asked).toEqual(one!.asked)
    }
    const big = noise(500)
    const clamped = engine.clamp([tool(big, "a"), resultBlock("a", big)], 1_000).messages.map(bodyOf)
    expect(clamped[0]).toBe(clamped[1])
    expect(engine.recap([calling("a"), useBlock("b")]).text).toContain("[assistant] read({}) (x2)")
  },
  {
    "reads strings only": {
      run: (messages, ...rest) =>
        scriptedRun(
          messages.map((m) => (typeof m.content === "string" ? m : { ...m, content: null })),
          ...rest
        )
    },
    "clamps strings only": {
      clamp: (messages, max) => ({
        messages: messages.map((m) => (typeof m.content === "string" ? clamp([m], max).messages[0]! : m)),
        changes: []
      })
    }
  }
)

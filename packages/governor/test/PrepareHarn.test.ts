import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { receiptOf, type Compacted } from "@palimpsest/compaction/CompactionFact"
import { reconcileCall } from "@palimpsest/compaction/harn/CallRecord"
import { deterministic } from "@palimpsest/compaction/harn/Compact"
import { decode as settingsOf } from "@palimpsest/compaction/harn/Config"
import type { Message } from "@palimpsest/compaction/harn/Message"
import * as Receipt from "@palimpsest/compaction/harn/Receipt"
import { Asked, scripted } from "@palimpsest/compaction/Summarizer"
import { Seq } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as SynchronizedRef from "effect/SynchronizedRef"
import * as Audit from "../src/Audit.ts"
import type { Config } from "../src/Config.ts"
import * as Draft from "../src/Draft.ts"
import * as Governor from "../src/Governor.ts"
import { prepareWith } from "../src/PrepareHarn.ts"
import * as Recall from "../src/Recall.ts"
import * as Runs from "../src/Runs.ts"
import * as Session from "../src/Session.ts"
import * as ViewAt from "../src/ViewAt.ts"
import { cuts } from "./support/Cuts.ts"
import { eventsOf, govern, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { unpaired, unstable } from "./support/Laws.ts"
import { decode, example, NAMES, shapeOf } from "./support/Sessions.ts"
import { begin, observed, RUN, sent } from "./support/Turns.ts"

const settings = (keys: Record<string, unknown>) => Either.getOrThrow(settingsOf(keys))

const harn = (shape: Config["shape"], keys: Record<string, unknown> = {}): Config => ({
  preset: "harn",
  shape,
  settings: settings(keys)
})

const SMALL = { token_threshold: 700, keep_last: 4, tool_output_max_chars: 800 }

interface Turn {
  readonly said: string
  readonly results: ReadonlyArray<string>
  readonly asks: string | undefined
}

const drafts = ({ asks, results, said }: Turn, n: number): ReadonlyArray<Draft.EntryDraft> => [
  Draft.said("assistant", `a${n}`, said),
  ...results.map((_, i) => Draft.called(`a${n}`, `c${n}.${i}`, "sh", { cmd: `run ${n} ${i}` })),
  ...results.map((text, i) => Draft.result(`r${n}.${i}`, `c${n}.${i}`, text, observed("tool", "sh"))),
  ...(asks === undefined ? [] : [Draft.said("user", `u${n}`, asks)])
]

/** The same turn as the engine's messages. */
const messagesOf = ({ asks, results, said }: Turn, n: number): ReadonlyArray<Message> => [
  {
    role: "assistant",
    content: said,
    ...(results.length === 0
      ? {}
      : {
          tool_calls: results.map((_, i) => ({
            id: `c${n}.${i}`,
            type: "function",
            function: { name: "sh", arguments: `{"cmd":"run ${n} ${i}"}` }
          }))
        })
  },
  ...results.map((content, i) => ({ role: "tool", tool_call_id: `c${n}.${i}`, content })),
  ...(asks === undefined ? [] : [{ role: "user", content: asks }])
]

const governed = (turns: ReadonlyArray<Turn>, keys: Record<string, unknown>, resumed = false) =>
  Effect.gen(function* () {
    let live = yield* begin(harn("openai-chat", keys))
    yield* Governor.observe(live, [Draft.said("user", "u", "Begin.")])
    const requests = [(yield* sent(live)).messages]
    for (const [n, turn] of turns.entries()) {
      if (resumed) live = yield* Governor.resume({ log: RUN, hash, policy: permissive })
      yield* Governor.observe(live, drafts(turn, n))
      requests.push((yield* sent(live)).messages)
    }
    return requests.map((messages) => messages.map((text): unknown => JSON.parse(text)))
  })

const played = (turns: ReadonlyArray<Turn>, keys: Record<string, unknown>) => {
  let messages: ReadonlyArray<Message> = [{ role: "user", content: "Begin." }]
  const step = () => {
    const made = Either.getOrElse(deterministic(messages, settings(keys), { hash }), () => Option.none())
    if (Option.isSome(made)) messages = made.value.messages
    return messages
  }
  return [
    step(),
    ...turns.map((turn, n) => {
      messages = [...messages, ...messagesOf(turn, n)]
      return step()
    })
  ]
}

const permissive = Either.getOrThrow(compile(Policy.permissive))
const words = FastCheck.oneof(
  FastCheck.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
  FastCheck.integer({ min: 1, max: 90 }).map(
    (n) => `error: broken at line ${n}\n${"verbose output line\n".repeat(n)}end`
  ),
  FastCheck.integer({ min: 60, max: 1_600 }).map((n) => "größer 🙂 ".repeat(200).slice(0, n * 2)),
  FastCheck.constant(`[no-compact] keep this as it is ${"x".repeat(300)}`)
).map((text) => text.replace(/\p{Surrogate}/gu, "?"))
const turns = FastCheck.array(
  FastCheck.record({
    said: words,
    results: FastCheck.array(words, { maxLength: 3 }),
    asks: FastCheck.option(words, { nil: undefined })
  }),
  { minLength: 1, maxLength: 16 }
)
const run = <A, E>(effect: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<typeof begin>>>) =>
  Effect.runPromise(Effect.provide(effect, memory))

const LONG: ReadonlyArray<Turn> = Array.from({ length: 8 }, (_, n) => ({
  said: `Step ${n}. ${"I look at it. ".repeat(30)}`,
  results: [`line\n`.repeat(200), `FAIL: case ${n}\n${"noise\n".repeat(60)}`],
  asks: n % 3 === 2 ? `Go on with ${n}.` : undefined
}))

describe("the preset harn through the governor", () => {
  it("HA-01 HA-03 HA-04 HA-08 HA-09 HA-10 HA-11 HA-13 HA-26: what is sent is what the engine says, byte for byte", async () => {
    let compacted = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(turns, FastCheck.constantFrom(4, 6), async (given, keep_last) => {
        const keys = { ...SMALL, keep_last }
        const requests = await run(governed(given, keys))
        expect(requests).toEqual(played(given, keys))
        if (JSON.stringify(requests).includes("via observation masking]")) compacted++
      }),
      { numRuns: 60 }
    )
    expect(compacted).toBeGreaterThan(10)
  }, 120_000)

  it("HA-07: so it is under truncate", async () => {
    const keys = { ...SMALL, compact_strategy: "truncate" }
    expect(await run(governed(LONG, keys))).toEqual(played(LONG, keys))
  })

  it("law 7: a restart before every turn decides the same: equal events, equal bytes", async () => {
    const all = (resumed: boolean) =>
      run(
        Effect.flatMap(governed(LONG, SMALL, resumed), () =>
          Effect.map(eventsOf(RUN), (all) => all.map(({ fact }) => fact))
        )
      )
    expect(await all(true)).toEqual(await all(false))
  })

  it.effect("HA-14 HA-17 HA-22 law 9: one id, requested and effective, and every source message by name", () =>
    Effect.gen(function* () {
      const keys = {
        ...SMALL,
        request_provenance: { requested_strategy: "hybrid", threshold_source: "compact_threshold" }
      }
      yield* governed(LONG, keys)
      const facts = (yield* eventsOf(RUN)).map(({ fact }) => fact)
      const done = facts.flatMap((fact): ReadonlyArray<Compacted> => (fact._tag === "Compacted" ? [fact] : []))
      expect(done.length).toBeGreaterThan(2)
      expect(new Set(done.map(({ id }) => id)).size).toBe(done.length)
      const covered = new Set<number>()
      for (const one of done) {
        expect(one).toMatchObject({ requested: "hybrid", effective: "observation_mask", threshold: 700, calls: 0 })
        expect(one).toMatchObject({ thresholdSource: "compact_threshold", recap: { budgetBytes: 16_000 } })
        expect("hardLimit" in one).toBe(false)
        expect(one.measurement?.sourceMessageCount).toBe(one.archived.length)
        for (const { entries } of one.archived) {
          for (let seq: number = entries?.[0] ?? 1; seq <= (entries?.[1] ?? 0); seq++) covered.add(seq)
        }
        const receipt = receiptOf(one, "s", RUN, "threshold")
        expect(receipt.id).toBe(one.id)
        expect(Option.isNone(receipt.hardLimitTokens)).toBe(true)
        expect(Either.getOrThrow(Receipt.decode(Receipt.encode(receipt)))).toEqual(receipt)
      }
      const found = yield* Runs.find(hash, RUN)
      const view = yield* ViewAt.at(hash, found, LONG.length + 1)
      if (view._tag !== "Sent") return expect.fail("refused")
      const gone = view.entries.filter(({ form }) => form._tag === "Recap")
      expect(gone.length).toBeGreaterThan(10)
      for (const { form, seq } of gone) {
        expect(covered.has(seq)).toBe(true)
        const rest = "rest" in form ? form.rest : { seq }
        yield* Recall.recall(hash, permissive, { run: RUN, address: rest })
      }
      const first = yield* Recall.recall(hash, permissive, { run: RUN, address: { seq: Seq.make(2) } })
      expect(decode(first.bytes)).toBe("Begin.")
      expect(yield* Audit.audit(hash, found, undefined)).toMatchObject({ differ: 0, findings: [] })
    }).pipe(Effect.provide(memory))
  )

  it.effect("HA-18: carrying nothing is refused with the measurement, and the view stays exactly as it was", () =>
    Effect.gen(function* () {
      const requests = yield* governed(LONG, { ...SMALL, recap_budget_bytes: 1 })
      expect(JSON.stringify(requests)).not.toContain("auto-compacted")
      const refused = (yield* eventsOf(RUN)).flatMap(({ fact }) => (fact._tag === "CompactionRefused" ? [fact] : []))
      expect(refused.length).toBeGreaterThan(0)
      for (const one of refused) {
        expect(one.why).toBe("ZeroCarry")
        expect(one.says).toContain(`carried 0 of ${one.measurement?.sourceBytes}`)
        expect(one.measurement?.carriedSourceBytes).toBe(0)
      }
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "HA-05 HA-06: without a summarizer the strategy llm is refused, or falls back where a fallback is named",
    () =>
      Effect.gen(function* () {
        yield* governed(LONG, { ...SMALL, compact_strategy: "llm" })
        const refused = (yield* eventsOf(RUN)).flatMap(({ fact }) => (fact._tag === "CompactionRefused" ? [fact] : []))
        expect(refused[0]).toMatchObject({ why: "StrategyFailed", strategy: "llm", calls: 0 })
        expect(refused[0] !== undefined && "measurement" in refused[0]).toBe(false)
      }).pipe(Effect.provide(memory), Effect.zipRight(fallsBack.pipe(Effect.provide(memory))))
  )

  it.effect(
    "HA-15 HA-16 HA-20: every call of a summarizer is a fact whose manifest reconciles with what was sent",
    () =>
      Effect.gen(function* () {
        const live = yield* begin(harn("openai-chat", { ...SMALL, token_threshold: 100_000, compact_strategy: "llm" }))
        yield* Governor.observe(live, [Draft.said("user", "u", "Begin."), ...LONG.flatMap(drafts)])
        const { session } = yield* SynchronizedRef.get(live.state)
        const config = harn("openai-chat", { ...SMALL, compact_strategy: "llm" })
        const made = yield* Effect.all({
          prepared: prepareWith(Session.fold({ ...session, config }), live.reader),
          asked: Effect.flatten(Asked)
        }).pipe(Effect.provide(scripted(["A summary of it all."])))
        const calls = made.prepared.facts.flatMap((fact) => (fact._tag === "Summarized" ? [fact] : []))
        const done = made.prepared.facts.find((fact) => fact._tag === "Compacted")
        expect(made.prepared.facts.map(({ _tag }) => _tag)).toEqual(["Summarized", "Decided", "Compacted", "Requested"])
        expect(calls.map(({ id }) => id)).toEqual(done?._tag === "Compacted" ? [done.id] : [])
        const [request] = made.asked
        if (request === undefined || calls[0] === undefined) return expect.fail("no call")
        expect(Either.isRight(reconcileCall(hash, calls[0].record, request))).toBe(true)
        const other = { ...request, messages: [{ role: "user" as const, content: "other" }] as const }
        expect(Either.isRight(reconcileCall(hash, calls[0].record, other))).toBe(false)
      }).pipe(Effect.provide(memory))
  )
})

const fallsBack = Effect.gen(function* () {
  yield* governed(LONG, { ...SMALL, compact_strategy: "llm", fallback_strategy: "truncate" })
  const done = (yield* eventsOf(RUN)).flatMap(({ fact }) => (fact._tag === "Compacted" ? [fact] : []))
  expect(done[0]).toMatchObject({ effective: "truncate", calls: 0 })
})

describe("recorded sessions under harn", () => {
  it.effect.each(NAMES)("HA-04 HA-19 law 6 law 8: %s stays paired and valid, and every request renders again", (name) =>
    Effect.gen(function* () {
      const shape = shapeOf(name)
      for (const keys of [{}, { token_threshold: 3_000, keep_last: 4, tool_output_max_chars: 1_000 }]) {
        for (const { lines, report } of yield* govern(example(name), harn(shape, keys))) {
          expect(report.audit.findings).toEqual([])
          expect(unstable(lines)).toEqual([])
          expect(unpaired(lines, shape)).toEqual([])
        }
      }
    }).pipe(Effect.provide(memory))
  )
})

describe("law 7: import under harn", () => {
  cuts(harn("anthropic", { token_threshold: 1_500, keep_last: 4 }))
})

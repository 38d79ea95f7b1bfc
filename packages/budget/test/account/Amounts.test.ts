import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as Calibration from "../../src/Calibration.ts"
import { utf8Bytes } from "../../src/Estimate.ts"
import * as Hold from "../../src/Hold.ts"
import * as LimitsDocument from "../../src/LimitsDocument.ts"
import * as Line from "../../src/Line.ts"
import * as Measure from "../../src/Measure.ts"
import * as Media from "../../src/Media.ts"
import { standard } from "../../src/Rules.ts"
import * as Spend from "../../src/Spend.ts"
import * as Tariff from "../../src/Tariff.ts"
import * as UpperBound from "../../src/UpperBound.ts"
import * as Usage from "../../src/Usage.ts"
import * as UsageShape from "../../src/UsageShape.ts"

const { measured } = Measure

describe("limits as people write them", () => {
  it("LE-W12, law 14: every fault at its exact place, with what was expected and what stands there", () => {
    const error = Either.flip(
      LimitsDocument.decodeWorkflow({
        budgets: {
          max_total_tokens: 0,
          max_wall_seconds: { elapsed: "1h", cpu: 3 },
          max_depth: -1,
          max_tokens: 5,
          landing: { calls: 2, share: 1, extra: 1 },
          unmeasured: "guess"
        }
      })
    ).pipe(Either.getOrThrow)
    expect(error.message.split("\n")).toEqual([
      "budgets.max_total_tokens: expected a whole number of at least 1, got 0",
      'budgets.max_wall_seconds.elapsed: expected a whole number of at least 1, got "1h"',
      "budgets.max_wall_seconds.cpu: unknown key; known are elapsed, busy, in-flight",
      "budgets.max_depth: expected a whole number of at least 0, got -1",
      expect.stringMatching(/^budgets\.max_tokens: unknown key; known are max_total_tokens, /),
      "budgets.landing.extra: unknown key; known are calls, share",
      "budgets.landing.share: expected a share of at least 0.0001 and at most 0.9999, got 1",
      'budgets.unmeasured: expected "charge" or "refuse", got "guess"'
    ])
    expect(error.faults[1]?.keys).toEqual(["budgets", "max_wall_seconds", "elapsed"])
  })

  it("LE-01: every axis and rule can be written, a clock by its name", () => {
    const written = {
      max_total_tokens: 1,
      max_cost_micros: 2,
      max_wall_seconds: { elapsed: 3, busy: 4, "in-flight": 5 },
      max_depth: 0,
      max_calls: 6,
      max_children: 0,
      max_live_children: 7,
      max_context_bytes: 8,
      unmeasured: "refuse",
      expiry: "charge",
      lease_seconds: 9,
      warn_at: false,
      landing: { calls: 2, share: 0.05 }
    }
    expect(LimitsDocument.decode(written)).toEqual(
      Either.right({
        limits: {
          tokens: 1,
          micros: 2,
          elapsed: 3,
          busy: 4,
          inFlight: 5,
          depth: 0,
          calls: 6,
          children: 0,
          liveChildren: 7,
          contextBytes: 8
        },
        rules: { unmeasured: "refuse", expiry: "charge", leaseMs: 9_000, landing: { calls: 2, basisPoints: 500 } }
      })
    )
    expect(LimitsDocument.decode({ warn_at: 0.5 })).toEqual(
      Either.right({ limits: {}, rules: { ...standard, warnAt: 5_000 } })
    )
    for (const wrong of [null, [], "x", 7]) expect(Either.isLeft(LimitsDocument.decode(wrong))).toBe(true)
  })
})

describe("usage, by provider", () => {
  it("B76, law 10: the same tokens in each provider's words are the same counts", () => {
    const [fresh, read, output, reasoning] = [100, 900, 50, 250]
    const counts = { uncached: measured(100), cacheRead: measured(900), cacheWrite: measured(0) }
    const told = { output: measured(50), reasoning: measured(250) }
    const chat = UsageShape.read("openai-chat", {
      prompt_tokens: fresh + read,
      completion_tokens: output + reasoning,
      prompt_tokens_details: { cached_tokens: read },
      completion_tokens_details: { reasoning_tokens: reasoning }
    })
    const responses = UsageShape.read("openai-responses", {
      input_tokens: fresh + read,
      output_tokens: output + reasoning,
      input_tokens_details: { cached_tokens: read },
      output_tokens_details: { reasoning_tokens: reasoning }
    })
    const gemini = UsageShape.read("gemini", {
      promptTokenCount: fresh + read,
      cachedContentTokenCount: read,
      candidatesTokenCount: output,
      thoughtsTokenCount: reasoning,
      totalTokenCount: 1_300
    })
    for (const { total, usage } of [chat, responses, gemini]) {
      expect([usage, total]).toEqual([{ ...counts, ...told }, measured(1_300)])
    }
    const anthropic = UsageShape.read("anthropic", {
      input_tokens: fresh,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: 0,
      output_tokens: output + reasoning,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 3 }
    })
    expect([anthropic.total, Usage.outputTokens(anthropic.usage)]).toEqual([measured(1_300), measured(300)])
    expect(UsageShape.longWrite({ cache_creation: { ephemeral_1h_input_tokens: 3 } })).toEqual(measured(3))
  })

  it("law 11: the parts may be unknown and the total known; a form that is not known gives a floor and no count", () => {
    const gemini = UsageShape.read("gemini", { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 })
    expect([gemini.usage.uncached._tag, gemini.total]).toEqual(["Unmeasured", measured(15)])
    const chat = UsageShape.read("openai-chat", { prompt_tokens: 10, completion_tokens: 5 })
    expect([chat.usage.uncached._tag, chat.total]).toEqual(["Unmeasured", measured(15)])
    const tools = UsageShape.read("gemini", {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 7,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 0
    })
    expect(tools.total).toEqual(measured(22))
    const unknown = { prompt_tokens: 100, cache_read_input_tokens: 300, completion_tokens: 5 }
    expect(UsageShape.read("unknown", unknown)).toMatchObject({ total: { _tag: "Unmeasured" }, atLeast: 305 })
    expect(Spend.of(UsageShape.read("unknown", unknown)).atLeast.tokens).toBe(305)
    expect(Spend.make(measured(9e15), measured(0)).tokens._tag).toBe("Unmeasured")
  })
})

const rates = {
  uncached: 3_000_000,
  cacheRead: 300_000,
  cacheWrite: 3_750_000,
  longWrite: 6_000_000,
  output: 15_000_000
}
const tariff: Tariff.Tariff = {
  rates,
  above: [{ inputTokens: 200_000, rates: { ...rates, uncached: 6_000_000, longWrite: 12_000_000, output: 22_500_000 } }]
}

describe("what a reservation holds", () => {
  const count = FastCheck.nat(400_000)
  const usage = FastCheck.record({
    uncached: count.map(measured),
    cacheRead: count.map(measured),
    cacheWrite: count.map(measured),
    output: FastCheck.nat(60_000).map(measured),
    reasoning: FastCheck.nat(60_000).map(measured)
  })

  it("law 10: no call within its bounds costs more than was held for it, and none within its overshoot more than both", () => {
    FastCheck.assert(
      FastCheck.property(
        usage,
        FastCheck.nat(5_000),
        FastCheck.option(count.map(measured), { nil: undefined }),
        (usage, over, long) => {
          const [input, output] = [Usage.inputTokens(usage), Usage.outputTokens(usage)]
          if (!Measure.isMeasured(input) || !Measure.isMeasured(output)) return false
          const exact = Hold.make({ inputBound: input.n, outputCap: Math.max(1, output.n), tariff })
          const less = Hold.make({
            inputBound: Math.max(0, input.n - over),
            outputCap: Math.max(1, output.n - over),
            overshoot: over,
            tariff
          })
          const actual = Tariff.cost(tariff, usage, long)
          if (Either.isLeft(exact) || Either.isLeft(less) || !Measure.isMeasured(actual)) return false
          const { micros = 0, overshoot } = less.right
          return actual.n <= (exact.right.micros ?? 0) && actual.n <= micros + overshoot.micros
        }
      ),
      { numRuns: 300 }
    )
  })

  it("LE-W5: it is the input's bound and the output's cap, at the dearest rate that the input reaches", () => {
    expect(Hold.make({ inputBound: 100_000, outputCap: 8_000, tariff })).toEqual(
      Either.right({ tokens: 108_000, micros: 600_000 + 120_000, overshoot: { tokens: 0, micros: 0 } })
    )
    expect(Hold.make({ inputBound: 10, outputCap: 5 })).toEqual(
      Either.right({ tokens: 15, overshoot: { tokens: 0, micros: 0 } })
    )
    expect(Either.isLeft(Hold.make({ inputBound: 10, outputCap: 0 }))).toBe(true)
    expect(Either.isLeft(Hold.make({ inputBound: Number.NaN, outputCap: 1 }))).toBe(true)
  })

  it("law 11: what is not measured has no price; a price is rounded up once", () => {
    const usage = UsageShape.read("openai-chat", { prompt_tokens: 10, completion_tokens: 5 }).usage
    expect(Tariff.cost(tariff, usage)._tag).toBe("Unmeasured")
    const one = { uncached: measured(1), cacheRead: measured(1), cacheWrite: measured(0), output: measured(0) }
    expect(Tariff.cost(tariff, { ...one, reasoning: measured(0) }, measured(0))).toEqual(measured(4))
  })
})

describe("estimates of whole requests", () => {
  it("IO-34, IO-W15: estimate and count of one request stand on one row, and the next estimate is the better for it", () => {
    let known = Calibration.none
    for (let n = 0; n < 30; n++) {
      known = Calibration.observe(known, {
        model: "m",
        estimate: 1_000,
        counted: measured(n % 2 === 0 ? 1_400 : 1_440)
      })
    }
    const estimate = Calibration.expected(known, "m", 1_000)
    expect(estimate).toBeGreaterThan(1_390)
    expect(estimate).toBeLessThan(1_450)
    const { inputBound, overshoot } = Calibration.bound(known, "m", { estimate: 1_000 })
    expect(inputBound).toBeGreaterThan(1_440)
    expect(inputBound).toBeLessThan(1_700)
    expect(Math.abs(overshoot - (inputBound - estimate))).toBeLessThanOrEqual(1)
    expect(Calibration.expected(known, "other", 1_000)).toBe(1_000)
  })

  it("IO-34, law 11: a request that was not counted teaches nothing, nor does an estimate of nothing", () => {
    const known = Calibration.observe(Calibration.none, { model: "m", estimate: 10, counted: measured(12) })
    expect(Calibration.observe(known, { model: "m", estimate: 10, counted: Measure.unmeasured("no usage") })).toBe(
      known
    )
    expect(Calibration.observe(known, { model: "m", estimate: 0, counted: measured(12) })).toBe(known)
  })

  it("IO-W15, B74: a model that counts three times the estimate is bounded before and after it is known", () => {
    const proven = 4_000
    expect(Calibration.bound(Calibration.none, "cjk", { estimate: 1_000, proven })).toEqual({
      inputBound: proven,
      overshoot: 0
    })
    let known = Calibration.none
    for (let n = 0; n < 5; n++)
      known = Calibration.observe(known, { model: "cjk", estimate: 1_000, counted: measured(3_000) })
    const { inputBound } = Calibration.bound(known, "cjk", { estimate: 1_000, proven })
    expect(inputBound).toBeGreaterThanOrEqual(3_000)
    expect(inputBound).toBeLessThanOrEqual(proven)
  })

  it("IO-W15: no bound is above the proven one, nor with its overshoot", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.tuple(FastCheck.integer({ min: 1, max: 9_999 }), FastCheck.nat(50_000)), {
          maxLength: 9
        }),
        FastCheck.nat(9_999),
        FastCheck.nat(99_999),
        (seen, estimate, proven) => {
          const known = seen.reduce(
            (known, [estimate, n]) => Calibration.observe(known, { model: "m", estimate, counted: measured(n) }),
            Calibration.none
          )
          const { inputBound, overshoot } = Calibration.bound(known, "m", { estimate, proven })
          return overshoot >= 0 && inputBound + overshoot <= proven
        }
      )
    )
  })

  it("IO-W16, B78: the bound is of the whole request: system, tools, words of every alphabet and media", () => {
    const body = {
      system: "Du bist.",
      tools: [{ name: "read" }],
      messages: [{ role: "user", content: "漢字 🟡\u0000" }]
    }
    const mediaTokens = Media.tokensOf(Media.RULES.anthropic, { width: 1_000, height: 750 })
    const bound = UpperBound.ofRequest({ bodyBytes: utf8Bytes(JSON.stringify(body)), mediaTokens, added: 346 })
    const texts = [
      body.system,
      ...body.tools.map(({ name }) => name),
      ...body.messages.flatMap(({ content, role }) => [role, content])
    ]
    expect(bound).toBeGreaterThan(utf8Bytes(texts.join("")) + mediaTokens + 346)
    expect(Either.isLeft(Line.managed(24_000, 42_000))).toBe(true)
  })

  it("IO-W16, B70, B72: an image costs what its dimensions say, not its base64, and never nothing", () => {
    const { anthropic } = Media.RULES
    expect(Media.tokensOf(anthropic, { width: 200, height: 200 })).toBe(54)
    expect(Media.tokensOf(anthropic, { width: 1_092, height: 1_092 })).toBe(1_590)
    expect(Media.tokensOf(anthropic, { width: 8_000, height: 8_000 })).toBe(1_600)
    const tiles = Media.RULES["openai-tiles"]
    expect(Media.tokensOf(tiles, { width: 1_024, height: 1_024 })).toBe(765)
    expect(Media.tokensOf(tiles, { width: 2_048, height: 4_096 })).toBe(1_105)
    expect(Media.tokensOf(tiles, { width: 4_096, height: 8_192, detail: "low" })).toBe(85)
    expect(Media.tokensOf(Media.RULES["openai-patches"], { width: 1_024, height: 1_024 })).toBe(1_024)
    const edge = FastCheck.oneof(FastCheck.integer({ min: 1, max: 20_000 }), FastCheck.constantFrom(0, -1, Number.NaN))
    FastCheck.assert(
      FastCheck.property(edge, edge, (width, height) =>
        Object.values(Media.RULES).every((rule) => {
          const tokens = Media.tokensOf(rule, { width, height })
          return Number.isSafeInteger(tokens) && tokens >= 1 && tokens <= Media.tokensOf(rule, undefined)
        })
      )
    )
    expect(Media.dearest({ width: 64, height: 64 })).toBe(255)
  })
})

import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as Measure from "../src/Measure.ts"
import * as Price from "../src/Price.ts"
import * as Reported from "../src/Reported.ts"
import { Arbitraries } from "../src/testing.ts"
import * as Usage from "../src/Usage.ts"

const { measured, unmeasured } = Measure

describe("measure", () => {
  it("law 11: what is no count is not measured, and no sum or difference makes it one", () => {
    for (const n of [Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(Measure.isMeasured(measured(n)), String(n)).toBe(false)
    }
    expect(Measure.add(measured(1), unmeasured("lost"))).toEqual(unmeasured("lost"))
    expect(Measure.add(unmeasured("first"), unmeasured("second"))).toEqual(unmeasured("first"))
    expect(Measure.isMeasured(Measure.subtract(measured(1), measured(2)))).toBe(false)
    expect(Measure.isMeasured(Measure.add(measured(Number.MAX_SAFE_INTEGER), measured(1)))).toBe(false)
    expect(Measure.sum([])).toEqual(measured(0))
  })

  it("law 11: a consumer says what it does without a number", () => {
    const cases = { measured: (n: number) => `${n}`, unmeasured: (why: string) => `? (${why})` }
    expect(Measure.match(measured(0), cases)).toBe("0")
    expect(Measure.match(unmeasured("no usage"), cases)).toBe("? (no usage)")
  })
})

describe("usage", () => {
  it("law 11: Anthropic's counts are disjoint as they come; null and missing are unmeasured", () => {
    const usage = Usage.fromAnthropic({
      input_tokens: 12,
      cache_read_input_tokens: 40_000,
      cache_creation_input_tokens: null,
      output_tokens: 0
    })
    expect(usage).toEqual({
      uncached: measured(12),
      cacheRead: measured(40_000),
      cacheWrite: unmeasured("no cache_creation_input_tokens"),
      output: measured(0),
      reasoning: unmeasured("within output_tokens, not told apart")
    })
    expect(Measure.isMeasured(Usage.totalTokens(usage))).toBe(false)
    expect(Usage.totalTokens({ ...usage, cacheWrite: measured(8) })).toEqual(measured(40_020))
  })

  it("law 11: OpenAI's prompt has the cached tokens in it, and its completion the reasoning", () => {
    const usage = Usage.fromOpenAiChat({
      prompt_tokens: 1_000,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 900 },
      completion_tokens_details: { reasoning_tokens: 250 }
    })
    expect(usage).toEqual({
      uncached: measured(100),
      cacheRead: measured(900),
      cacheWrite: measured(0),
      output: measured(50),
      reasoning: measured(250)
    })
    expect(Usage.totalTokens(usage)).toEqual(measured(1_300))
  })

  it("law 11: without details neither part of the prompt is known; the completion is, as one", () => {
    const usage = Usage.fromOpenAiChat({ prompt_tokens: 1_000, completion_tokens: 300 })
    expect([usage.uncached, usage.cacheRead, usage.cacheWrite].some(Measure.isMeasured)).toBe(false)
    expect(Usage.outputTokens(usage)).toEqual(measured(300))
  })

  it("law 11: a server that counts cache writes has them taken off the prompt as well", () => {
    const usage = Usage.fromOpenAiChat({
      prompt_tokens: 1_000,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 }
    })
    expect([usage.uncached, usage.cacheRead, usage.cacheWrite]).toEqual([measured(100), measured(600), measured(300)])
  })

  it("law 11: more cached than sent, or no usage at all, is not measured", () => {
    const odd = Usage.fromOpenAiChat({ prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 2 } })
    expect(Measure.isMeasured(odd.uncached)).toBe(false)
    for (const json of [undefined, null, 7, "usage", [], { toString: 1 }]) {
      for (const usage of [Usage.fromAnthropic(json), Usage.fromOpenAiChat(json)]) {
        expect(Object.values(usage).some(Measure.isMeasured), JSON.stringify(json)).toBe(false)
      }
    }
  })

  it("law 14: a report goes through JSON unchanged, and what the schema generates it decodes", () => {
    const decode = Schema.decodeUnknownEither(Reported.Reported)
    FastCheck.assert(
      FastCheck.property(Arbitraries.usage, (usage) => {
        const reported: Reported.Reported = { _tag: "Reported", step: 3, request: 3, usage }
        expect(decode(JSON.parse(JSON.stringify(reported)))).toEqual(Either.right(reported))
      })
    )
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(Reported.Reported), (reported) => Either.isRight(decode(reported))),
      { numRuns: 50 }
    )
  })
})

describe("price", () => {
  it("a request costs what is cheaper: the cache, written where it is fresh, or no cache at all", () => {
    expect(Price.standard).toEqual({ uncached: 1, cacheRead: 0.1, cacheWrite: 1.25 })
    expect(Price.requestCost({ cached: 1_000, fresh: 100 })).toBe(225)
    expect(Price.requestCost({ cached: 0, fresh: 100 })).toBe(100)
    expect(Price.requestCost({ cached: 10, fresh: 20 }, { uncached: 3, cacheRead: 1, cacheWrite: 2 })).toBe(50)
  })

  it("law 14: a price is finite and not negative, and every price is named", () => {
    const decode = Schema.decodeUnknownEither(Price.PriceTable)
    expect(decode({ uncached: 1, cacheRead: 0, cacheWrite: 1.25 })._tag).toBe("Right")
    expect(decode({ uncached: 1, cacheRead: 0.1 })._tag).toBe("Left")
    expect(decode({ ...Price.standard, cache_read: 0.1 })._tag).toBe("Left")
    expect(decode({ ...Price.standard, cacheRead: -0.1 })._tag).toBe("Left")
  })
})

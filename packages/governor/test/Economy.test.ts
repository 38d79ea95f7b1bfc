import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { standard } from "@palimpsest/budget/Price"
import * as Economy from "../src/Economy.ts"
import { govern, memory } from "./support/Governed.ts"
import { accountOf } from "./support/Account.ts"
import { balanced, raw, section } from "./support/Presets.ts"
import { example } from "./support/Sessions.ts"

const tallied = (requests: ReadonlyArray<Economy.Sent>, fixed: number): Economy.Tally =>
  requests.reduce((tally, request) => Economy.add(tally, request, fixed, standard), Economy.zero)

describe("what requests cost", () => {
  it("a first request is all new: it goes uncached, as writing it to the cache costs more", () => {
    expect(tallied([{ tokens: 1_000, shared: 0 }], 3_000)).toEqual({
      sent: 1,
      tokens: 4_000,
      cached: 0,
      cost: 4_000,
      peakTokens: 1_000
    })
  })

  it("a grown request reads its prefix and the fixed part at a tenth and writes the rest at a quarter more", () => {
    const { cached, cost, tokens } = tallied(
      [
        { tokens: 1_000, shared: 0 },
        { tokens: 1_200, shared: 1_000 }
      ],
      3_000
    )
    expect({ cached, tokens }).toEqual({ cached: 4_000, tokens: 8_200 })
    expect(cost).toBeCloseTo(4_000 + 0.1 * 4_000 + 1.25 * 200, 9)
  })

  it("where little is cached the whole goes at the plain price, if that is less", () => {
    const { cost } = tallied(
      [
        { tokens: 1_000, shared: 0 },
        { tokens: 2_000, shared: 100 }
      ],
      0
    )
    expect(cost).toBeCloseTo(1_000 + Math.min(0.1 * 100 + 1.25 * 1_900, 2_000), 9)
    expect(cost).toBe(3_000)
  })

  it("a request that repeats the one before costs a tenth; the peak is of one request, without the fixed part", () => {
    const twice = tallied(
      [
        { tokens: 500, shared: 0 },
        { tokens: 500, shared: 500 },
        { tokens: 100, shared: 0 }
      ],
      100
    )
    expect(twice.cost).toBeCloseTo(600 + 60 + Math.min(0.1 * 100 + 1.25 * 100, 200), 9)
    expect(twice.peakTokens).toBe(500)
  })

  it("the total is the sum, whatever the runs", () => {
    const sent = FastCheck.tuple(FastCheck.nat({ max: 9_999 }), FastCheck.nat({ max: 100 })).map(
      ([tokens, share]): Economy.Sent => ({ tokens, shared: Math.floor((tokens * share) / 100) })
    )
    const runs = FastCheck.array(FastCheck.array(sent, { maxLength: 6 }), { maxLength: 5 })
    const law = (total: typeof Economy.total) =>
      FastCheck.property(runs, FastCheck.nat({ max: 5_000 }), (given, fixed) => {
        const tallies = given.map((requests) => tallied(requests, fixed))
        const sum = total(tallies)
        const by = (of: (tally: Economy.Tally) => number) => tallies.reduce((n, tally) => n + of(tally), 0)
        return (
          sum.sent === by((tally) => tally.sent) &&
          sum.tokens === by((tally) => tally.tokens) &&
          sum.cached === by((tally) => tally.cached) &&
          Math.abs(sum.cost - by((tally) => tally.cost)) < 1e-6 &&
          sum.peakTokens === Math.max(0, ...tallies.map((tally) => tally.peakTokens))
        )
      })
    FastCheck.assert(law(Economy.total))
    const summed = (tallies: ReadonlyArray<Economy.Tally>) => ({
      ...Economy.total(tallies),
      peakTokens: tallies.reduce((n, tally) => n + tally.peakTokens, 0)
    })
    const newest = (tallies: ReadonlyArray<Economy.Tally>) => tallies.at(-1) ?? Economy.zero
    for (const mutant of [summed, newest]) expect(FastCheck.check(law(mutant)).failed).toBe(true)
  })

  it("elided counts are added by reason, and a reason without a count is not told", () => {
    const sum = Economy.addElided({ aged: 2 }, { aged: 1, bounded: 3, refused: 0 })
    expect(sum).toEqual({ aged: 3, bounded: 3 })
    expect(Economy.addElided({}, {})).toEqual({})
  })
})

describe("law 11: the report is what anyone can compute from the requests", () => {
  const CONFIGS = [
    ["anthropic-messages.json", balanced("anthropic", 900)],
    ["anthropic-messages.json", section("anthropic", 1_500)],
    ["openai-chat-rows.jsonl", balanced("openai-chat", 700, 2_500)],
    ["openai-chat-rows.jsonl", raw("openai-chat")],
    ["openai-chat-rows.jsonl", section("openai-chat", 2_000)]
  ] as const

  it.effect("tokens, cached and cost of each run, refused requests skipped", () =>
    Effect.forEach(CONFIGS, ([name, config]) =>
      Effect.gen(function* () {
        for (const { lines, report } of yield* govern(example(name), config, 3_000)) {
          const account = accountOf(lines, 3_000, config.preset === "io-harness")
          const { cached, cost, peakTokens, sent, tokens } = report.governed
          expect({ cached, peakTokens, sent, tokens }).toEqual({ ...account, cost: undefined })
          expect(cost).toBeCloseTo(account.cost, 6)
          expect(report.refused).toBe(lines.filter(({ refused }) => refused !== undefined).length)
          expect(report.requests).toBe(lines.length)
        }
      }).pipe(Effect.provide(memory))
    )
  )
})

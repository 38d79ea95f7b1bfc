import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as ContextBudget from "../src/ContextBudget.ts"
import { Arbitraries } from "../src/testing.ts"

const { effectiveTokens, entryCapScalars, standard } = ContextBudget
const decode = Schema.decodeUnknownEither(ContextBudget.ContextBudget)
const encode = Schema.encodeSync(ContextBudget.ContextBudget)

/** The single-precision product of the source of IO-12. */
const f32 = (remaining: number, share: number) =>
  Math.max(2_000, Math.trunc(Math.fround(Math.fround(remaining) * Math.fround(share))))

/** IO-12 and IO-14 as tables, so that a wrong implementation can be held against them too. */
const effectiveTable = [
  [24_000, undefined, 24_000],
  [24_000, 100_000, 24_000],
  [24_000, 40_000, 20_000],
  [24_000, 20_000, 10_000],
  [24_000, 1_000, 2_000],
  [24_000, 10, 2_000],
  [24_000, 0, 2_000],
  [500, 0, 500],
  [500, undefined, 500],
  [24_000, -5, 2_000]
] as const

const holds = (candidate: typeof effectiveTokens) =>
  effectiveTable.every(([maxTokens, left, expected]) => candidate({ ...standard, maxTokens }, left) === expected)

describe("context budget", () => {
  it("IO-12 effective_tokens_is_the_ceiling_when_no_budget_is_set", () => {
    expect(effectiveTokens(standard, undefined)).toBe(24_000)
    expect(effectiveTokens({ maxTokens: 0, basisPoints: 1 }, undefined)).toBe(0)
  })

  it("IO-12 effective_tokens_takes_the_configured_share_of_what_is_left", () => {
    expect([100_000, 40_000, 20_000].map((left) => effectiveTokens(standard, left))).toEqual([24_000, 20_000, 10_000])
    expect(holds(effectiveTokens)).toBe(true)
    expect(effectiveTokens({ maxTokens: 24_000, basisPoints: 7_000 }, 10_001.5)).toBe(7_000)
  })

  it("IO-12 a_nearly_exhausted_budget_still_gets_a_usable_floor", () => {
    expect([1_000, 10, 0].map((left) => effectiveTokens(standard, left))).toEqual([2_000, 2_000, 2_000])
    expect(effectiveTokens({ ...standard, maxTokens: 500 }, 0)).toBe(500)
  })

  it("IO-12 every mutant dies: no floor, floor over an explicit ceiling, no ceiling, unlimited as 0, rounded up", () => {
    const mutants: ReadonlyArray<typeof effectiveTokens> = [
      (budget, left) => (left === undefined ? budget.maxTokens : Math.min(budget.maxTokens, Math.floor(left / 2))),
      (budget, left) => Math.max(2_000, effectiveTokens(budget, left)),
      (budget, left) => effectiveTokens({ ...budget, maxTokens: Number.MAX_SAFE_INTEGER }, left),
      (budget, left) => effectiveTokens(budget, left ?? 0),
      (budget, left) => effectiveTokens(budget, left === undefined ? left : left + 10)
    ]
    expect(mutants.filter(holds)).toEqual([])
  })

  it("IO-12 the integers agree with the source's single precision, to the token for exact shares", () => {
    // Its product has 24 bits: eighths of more than 2^21 are rounded there, and not here.
    const exact = FastCheck.nat(2 ** 21)
    FastCheck.assert(
      FastCheck.property(exact, FastCheck.constantFrom(0.125, 0.25, 0.5, 0.75, 1), (left, share) => {
        expect(ContextBudget.flooredShare(share * 10_000, left)).toBe(f32(left, share))
      }),
      { numRuns: 500 }
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(2 ** 24), Arbitraries.basisPoints, (left, basisPoints) => {
        const off = Math.abs(ContextBudget.flooredShare(basisPoints, left) - f32(left, basisPoints / 10_000))
        expect(off).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 }
    )
  })

  it("IO-12 the share is exact where a product would leave the safe integers", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.maxSafeNat(), Arbitraries.basisPoints, (left, basisPoints) => {
        const exact = Number((BigInt(left) * BigInt(basisPoints)) / 10_000n)
        expect(ContextBudget.flooredShare(basisPoints, left)).toBe(Math.max(2_000, exact))
      }),
      { numRuns: 500 }
    )
  })

  it("IO-13 the_budget_derives_the_prompt_ceiling_and_the_entry_cap_from_one_number", () => {
    FastCheck.assert(
      FastCheck.property(Arbitraries.contextBudget, Arbitraries.tokens, (budget, left) => {
        const { entryScalars, promptTokens } = ContextBudget.limits(budget, left)
        expect(promptTokens).toBe(effectiveTokens(budget, left))
        expect(entryScalars).toBe(entryCapScalars(promptTokens))
      })
    )
    expect(ContextBudget.limits(standard, 20_000)).toEqual({ promptTokens: 10_000, entryScalars: 5_000 })
  })

  it("IO-14 entry_cap_chars_is_an_eighth_of_the_budget_with_a_floor", () => {
    expect([24_000, 2_000, 0, 4_001].map(entryCapScalars)).toEqual([12_000, 2_000, 2_000, 2_000])
    expect(entryCapScalars(10_001)).toBe(5_000)
  })

  it("IO-18 IO-32 notes take a quarter, stubs an eighth or 64", () => {
    expect([24_000, 7, 0].map(ContextBudget.noteSlice)).toEqual([6_000, 1, 0])
    expect([24_000, 512, 519, 520, 0].map(ContextBudget.stubCeiling)).toEqual([3_000, 64, 64, 65, 64])
  })

  it("IO-11 the two keys are max_tokens and share, each with its own default; unknown keys are rejected", () => {
    expect(decode({})).toEqual(Either.right(standard))
    expect(decode({ max_tokens: 500 })).toEqual(Either.right({ maxTokens: 500, basisPoints: 5_000 }))
    expect(decode({ share: 0.1 })).toEqual(Either.right({ maxTokens: 24_000, basisPoints: 1_000 }))
    expect(encode(standard)).toEqual({ max_tokens: 24_000, share: 0.5 })
    for (const json of [{ maxTokens: 1 }, { max_token: 1 }, { share: 0.5, extra: 0 }, [], null, "0.5"]) {
      expect(Either.isLeft(decode(json)), JSON.stringify(json)).toBe(true)
    }
  })

  it("IO-11 a share that is no whole number of basis points is rounded to the nearest, once", () => {
    const read = (share: number) => Either.getOrThrow(ContextBudget.make({ share })).basisPoints
    expect([1 / 3, 2 / 3, 0.1, 0.7, 0.29, 1, 0.0001, 0.00006].map(read)).toEqual([
      3_333, 6_667, 1_000, 7_000, 2_900, 10_000, 1, 1
    ])
    FastCheck.assert(
      FastCheck.property(Arbitraries.contextBudget, (budget) => {
        expect(decode(encode(budget))).toEqual(Either.right(budget))
      })
    )
  })

  it("law 14: IO-W17 a share of NaN, nothing, less or more than all is refused, and named", () => {
    for (const share of [Number.NaN, -0.5, 0, 1.000_1, 0.000_01, Number.POSITIVE_INFINITY]) {
      expect(Either.flip(ContextBudget.make({ share })).pipe(Either.getOrThrow)).toMatchObject({
        _tag: "BudgetInfeasible",
        field: "share",
        actual: share
      })
    }
    const refused = Either.flip(decode({ share: 2 })).pipe(Either.getOrThrow)
    expect(ParseResult.ArrayFormatter.formatErrorSync(refused).map(({ path }) => path)).toEqual([["share"]])
    expect(Either.isLeft(ContextBudget.make({ maxTokens: 1.5 }))).toBe(true)
  })
})

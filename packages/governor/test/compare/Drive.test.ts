/** One run driven, its costs worked out by hand. A token is four characters; the fixed part is 0 unless it is said. */
import { describe, expect, it } from "vitest"
import type { Config } from "../../src/Config.ts"
import * as LowerBound from "../../src/compare/LowerBound.ts"
import * as Restore from "../../src/compare/Restore.ts"
import * as Uses from "../../src/compare/Uses.ts"
import { driven, read, result, runOf, says, TERMS, user, words } from "./Chat.ts"

const said = (tokens: number) => words("said", tokens * 4)
const T = words("tee", 800)

/** Entries 0 to 4. The call's `{}` is half a token, so the second message has 11. `z` has no call: no request holds it. */
const opening = [user(said(100)), says(said(10), { id: "a" }), result("a", words("ah", 800)), result("z", T)]
const chat = read(...opening, says(said(10)), says(said(10)), says(said(10)))

const missing = (request: number, from = 100, to = 160): Uses.Use => ({
  request,
  sources: [{ entry: 4, kind: "result", block: 1, from, to }]
})

describe("raw", () => {
  it("costs what each request shares at a tenth, and what is new at five quarters", () => {
    const { costs, tally } = driven(chat, [])
    expect(costs.map((cost) => Number(cost.toFixed(9)))).toEqual([
      100, // all new: cheaper without a cache
      10 + 211 * 1.25, // 11 and 200 behind 100
      31.1 + 10 * 1.25,
      32.1 + 10 * 1.25
    ])
    expect(tally).toMatchObject({ sent: 4, tokens: 100 + 311 + 321 + 331, cached: 100 + 311 + 321, peakTokens: 331 })
  })

  it("costs the fixed part with every request: new in the first, cached after", () => {
    const { costs } = driven(chat, [], undefined, { fixed: 3_000 })
    expect(costs[0]).toBe(3_100)
    expect(costs[1]).toBeCloseTo(310 + 211 * 1.25, 9)
  })

  it("loses nothing that it holds, and what it does not hold it loses", () => {
    const held: Uses.Use = { request: 3, sources: [{ entry: 3, kind: "result", block: 1, from: 0, to: 60 }] }
    expect(driven(chat, [held])).toMatchObject({ uses: 1, lost: 0 })
    expect(driven(chat, [held, missing(3)])).toMatchObject({ uses: 2, lost: 1 })
    const either: Uses.Use = { request: 3, sources: [missing(3).sources[0], held.sources[0]] }
    expect(driven(chat, [either])).toMatchObject({ uses: 1, lost: 0 })
  })
})

describe("the closed loop", () => {
  const closed = (uses: ReadonlyArray<Uses.Use>, recall: Restore.Recall = Restore.whole) =>
    driven(chat, uses, undefined, { recall })

  it("pays for a miss a call of 60 tokens at 5, and one more request with the source at its end", () => {
    const { tally } = closed([missing(3)])
    // {"address":"@6"} is 16 characters: 4 tokens, and the result 200.
    const restore = 300 + 32.1 + 204 * 1.25
    expect(tally.cost).toBeCloseTo(100 + 273.75 + 43.6 + restore + (52.5 + 12.5), 9)
    expect(tally.sent).toBe(5)
  })

  it("serves later uses from what came back, in the same answer and after", () => {
    expect(closed([missing(3), missing(3, 300, 350), missing(4)]).lost).toBe(1)
    expect(driven(chat, [missing(3), missing(3, 300, 350), missing(4)]).lost).toBe(3)
  })

  it("pays less for a slice, which serves only what lies in it", () => {
    const slice: Restore.Recall = { _tag: "Slice", chars: 400 }
    const once = closed([missing(3)], slice)
    expect(once.tally.cost).toBeCloseTo(100 + 273.75 + 43.6 + (300 + 32.1 + 104 * 1.25) + (42.5 + 12.5), 9)
    expect(closed([missing(3), missing(4, 340, 400)], slice).lost).toBe(1)
    expect(closed([missing(3), missing(4, 341, 401)], slice).lost).toBe(2)
  })
})

describe("a result that left", () => {
  const tight: Config = { preset: "balanced", shape: "openai-chat", line: 300, lowWater: 50, schedule: "hysteresis" }
  const wide: Config = { ...tight, line: 50_000 }
  const turns = Array.from({ length: 4 }, (_, i) => [
    says("more", { id: `m${i}`, args: { i } }),
    result(`m${i}`, words(`m${i}`, 800))
  ]).flat()
  const long = read(user("go"), says("look", { id: "a" }), result("a", T), ...turns, says(T.slice(50, 110)), says("ok"))
  const uses = Uses.of(runOf(long))

  it("is lost where it was needed, and costs less than raw until it is asked for again", () => {
    expect(uses).toHaveLength(1)
    const open = driven(long, uses, tight)
    expect(open.lost).toBe(1)
    expect(open.rewrites).toBeGreaterThan(0)
    expect(driven(long, uses, wide)).toMatchObject({ lost: 0, rewrites: 0, costs: driven(long, uses).costs })
    const closed = driven(long, uses, tight, { recall: Restore.whole })
    expect(closed.tally.cost).toBeGreaterThan(open.tally.cost + 300)
    expect(closed.costs.slice(0, 6)).toEqual(open.costs.slice(0, 6))
  })

  it("is bounded where it is large: what stays at its ends is no loss, what left in its middle is", () => {
    const large = words("large", 60_000)
    const bound: Config = { ...wide, line: 4_000 }
    const asking = (from: number) => {
      const recording = read(
        user("go"),
        says("look", { id: "a" }),
        result("a", large),
        says("hm"),
        says(large.slice(from, from + 80)),
        says("ok")
      )
      return driven(recording, Uses.of(runOf(recording)), bound)
    }
    expect([0, 30_000, 59_900].map((from) => asking(from).lost)).toEqual([0, 1, 0])
  })

  it("that is refused at a ceiling sends nothing, and everything it needed is lost", () => {
    const none: Config = { ...tight, line: 60, lowWater: 10, ceiling: 60 }
    const big = read(user(said(100)), says("look", { id: "a" }), result("a", T), says("hm"), says(T.slice(50, 110)))
    const { refused, ...rest } = driven(big, Uses.of(runOf(big)), none, { recall: Restore.whole })
    expect([refused, rest.lost, rest.tally.cost]).toEqual([3, 1, 0])
  })
})

describe("the lower bound", () => {
  it("writes each entry once, carries it to its last use, and the user to the end", () => {
    const recording = read(
      user(said(100)),
      says(said(10), { id: "a" }),
      result("a", T),
      says(said(10)),
      says(T.slice(0, 80)),
      says(said(10))
    )
    const uses = Uses.of(runOf(recording))
    expect(uses.map(({ request }) => request)).toEqual([3])
    const { cost, peakTokens } = LowerBound.of(runOf(recording), uses, TERMS)
    // 100 uncached; 10.5 and 200 behind 100; 10 behind 100 and 200; 20 behind 100.
    expect(cost).toBeCloseTo(100 + (10 + 211 * 1.25) + (30 + 12.5) + (10 + 25), 9)
    expect(peakTokens).toBe(311)
  })

  it("is not above raw, which it equals where nothing can leave", () => {
    const alone = read(user(said(100)), says(said(10)))
    expect(LowerBound.of(runOf(alone), [], TERMS)).toEqual(driven(alone, []).tally)
  })
})

import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import * as Line from "../src/Line.ts"

const fieldOf = (made: Either.Either<unknown, { readonly field: string }>) =>
  Either.match(made, { onLeft: ({ field }) => field, onRight: () => undefined })

describe("line", () => {
  it("law 5: the defaults are a line of 50,000 and a low water of 30,000, and no ceiling", () => {
    expect(Line.make({})).toEqual(Either.right({ line: 50_000, lowWater: 30_000 }))
    expect(Line.make({ line: 1_001 })).toEqual(Either.right({ line: 1_001, lowWater: 600 }))
    expect(Line.make({ line: 1 })).toEqual(Either.right({ line: 1, lowWater: 0 }))
  })

  it("law 5: an infeasible window is an error that names the field, what it must be, and what it is", () => {
    expect(fieldOf(Line.make({ line: 0 }))).toBe("line")
    expect(fieldOf(Line.make({ line: 10, lowWater: 10 }))).toBe("lowWater")
    expect(fieldOf(Line.make({ ceiling: 0 }))).toBe("ceiling")
    const error = Either.flip(Line.make({ lowWater: 60_000 })).pipe(Either.getOrThrow)
    expect(error).toMatchObject({ _tag: "BudgetInfeasible", field: "lowWater", actual: 60_000 })
    expect(error.message).toBe("lowWater is 60000: expected a whole number of tokens below the line of 50000")
  })

  it("law 5: a line above the ceiling is feasible: the ceiling then causes the rewrites", () => {
    expect(Either.isRight(Line.make({ ceiling: 10_000 }))).toBe(true)
  })

  it("law 5: the ceiling is the least of the explicit one, the window less its reserve, and the share of what is left", () => {
    const window = { size: 200_000, reserve: 32_000 }
    expect(Line.ceilingOf({})).toEqual(Either.right(undefined))
    expect(Line.ceilingOf({ window })).toEqual(Either.right(168_000))
    expect(Line.ceilingOf({ explicit: 100_000, window })).toEqual(Either.right(100_000))
    const left = { tokens: 150_000, basisPoints: 5_000 }
    expect(Line.ceilingOf({ explicit: 100_000, window, left })).toEqual(Either.right(75_000))
    expect(Line.ceilingOf({ window, left: { ...left, tokens: -1 } })).toEqual(Either.right(2_000))
    expect(Line.ceilingOf({ explicit: 500, left: { ...left, tokens: 0 } })).toEqual(Either.right(500))
  })

  it("law 5: a reserve that fills the window, or a fixed part that fills the ceiling, is infeasible", () => {
    expect(fieldOf(Line.ceilingOf({ window: { size: 8_000, reserve: 8_000 } }))).toBe("window.reserve")
    expect(fieldOf(Line.ceilingOf({ explicit: 0 }))).toBe("explicit")
    expect(fieldOf(Line.ceilingOf({ left: { tokens: Number.NaN, basisPoints: 1 } }))).toBe("left.tokens")
    expect(fieldOf(Line.ceilingOf({ left: { tokens: 1, basisPoints: 0 } }))).toBe("left.basisPoints")
    expect(Line.managed(100_000, 42_000)).toEqual(Either.right(58_000))
    expect(fieldOf(Line.managed(24_000, 42_000))).toBe("fixed")
  })
})

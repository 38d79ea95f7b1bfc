/** Quoted passages: against a plain search over every pair of places, and at the edges of what counts. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as Quotes from "../../src/compare/Quotes.ts"
import { words } from "./Chat.ts"

const A = words("alpha", 300)
const B = words("beta", 300)

const found = (given: ReadonlyArray<string>, text: string) => {
  const quotes = Quotes.make()
  for (const one of given) quotes.give(one)
  return quotes.find(text)
}

describe("a passage", () => {
  it("of 40 characters is one, wherever in the blocks it begins; of 39 it is none", () => {
    for (let at = 0; at < 20; at++) {
      expect(found([A], `<${A.slice(at, at + 40)}>`)).toEqual([
        { from: 1, to: 41, holders: [{ given: 0, from: at, to: at + 40 }] }
      ])
      expect(found([A], `<${A.slice(at, at + 39)}>`)).toEqual([])
    }
  })

  it("has 12 different characters at least", () => {
    const eleven = "abcdefghijk".repeat(8)
    expect(found([eleven], `<${eleven}>`)).toEqual([])
    const twelve = "abcdefghijkl".repeat(8)
    expect(found([twelve], `<${twelve}>`)).toMatchObject([{ from: 1, to: 97 }])
  })

  it("is the longest that there is, and the next one begins behind it", () => {
    const text = `${A.slice(10, 110)}#${B.slice(50, 100)}`
    expect(found([A, B], text)).toEqual([
      { from: 0, to: 100, holders: [{ given: 0, from: 10, to: 110 }] },
      { from: 101, to: 151, holders: [{ given: 1, from: 50, to: 100 }] }
    ])
  })

  it("is held by every text that has all of it but a block, and by none that has less", () => {
    const held = [A, `?${A.slice(33)}`, A.slice(0, 185), A.slice(0, 150)]
    const [passage] = found(held, A.slice(0, 200))
    expect(passage?.holders.map(({ given }) => given).sort()).toEqual([0, 2])
    const [later] = found(held, A.slice(20, 200))
    expect(later?.holders).toEqual(
      expect.arrayContaining([
        { given: 0, from: 20, to: 200 },
        { given: 1, from: 1, to: 168 },
        { given: 2, from: 20, to: 185 }
      ])
    )
  })

  it("is found at every place where a plain search finds one", () => {
    const piece = FastCheck.tuple(FastCheck.nat(1), FastCheck.nat(250), FastCheck.integer({ min: 10, max: 120 }))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.map(([which, at, length]) => `~${[A, B][which]!.slice(at, at + length)}`).join("")
        const covered = found([A, B], text)
        let floor = 0
        for (const { from, holders, to } of covered) {
          expect(from).toBeGreaterThanOrEqual(floor)
          floor = to
          for (const holder of holders) expect([A, B][holder.given]).toContain(text.slice(from, to).slice(20, -20))
        }
        for (let at = 0; at + Quotes.LEAST <= text.length; at++) {
          const stretch = text.slice(at, at + Quotes.LEAST)
          if (!A.includes(stretch) && !B.includes(stretch)) continue
          expect(covered.some(({ from, to }) => from <= at && to >= at + Quotes.LEAST)).toBe(true)
        }
      }),
      { seed: 7 }
    )
  })
})

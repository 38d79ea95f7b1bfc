import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Replay, VECTORS } from "./replay.ts"
import { fromLine, generate, toLine, turnsOf } from "./workload.ts"

const BUDGET = 24_000
const CAP = 12_000

describe("IO-22..IO-36 the vectors of the compiled original", () => {
  for (const [name, size, turns] of [
    ["w100", 100, 61],
    ["w1000", 1000, 686]
  ] as const) {
    it(`${name}: the generator makes the workload`, () => {
      expect(generate(size, 7).map(toLine)).toEqual(lines(`${name}.tsv`))
    })

    it(`${name}: all ${turns} turns, every column and the bytes`, () => {
      const expected = lines(`${name}.expected`)
      const run = new Replay()
      const found = turnsOf(lines(`${name}.tsv`).map(fromLine)).map((rows) => {
        for (const row of rows) run.row(row, CAP)
        const { plan, text } = run.turn(BUDGET, VECTORS)
        run.request()
        const { carried, collapsed, estTokens, reread, stubbed } = plan.assembled
        const counts = [run.step, run.observations.length, carried, stubbed, reread, collapsed ? 1 : 0, estTokens]
        return `${counts.join(" ")} ${hash(text)}`
      })
      expect(found.length).toBe(turns)
      expect(found).toEqual(expected)
    })
  }
})

const lines = (name: string): ReadonlyArray<string> =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")

const hash = (text: string): string => {
  let f = 0x811c9dc5
  let g = 7
  for (const byte of new TextEncoder().encode(text)) {
    f = Math.imul(f ^ byte, 0x01000193)
    g = (Math.imul(g, 31) + byte) | 0
  }
  return [f, g].map((n) => (n >>> 0).toString(16).padStart(8, "0")).join("")
}

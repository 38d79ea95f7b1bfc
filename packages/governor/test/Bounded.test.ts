import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { estimateOf } from "./support/Account.ts"
import { govern, memory, type Line } from "./support/Governed.ts"
import { balanced, section } from "./support/Presets.ts"
import { example, NAMES, shapeOf } from "./support/Sessions.ts"

const CEILINGS = [500, 2_000, 8_000, 20_000]

/** The requests that are neither within the ceiling nor refused for it, and those that say a wrong estimate. */
const over = (lines: ReadonlyArray<Line>, ceiling: number, estimate = estimateOf): ReadonlyArray<number> =>
  lines
    .filter(({ messages, refused, ...line }) =>
      refused === undefined
        ? estimate(messages) > ceiling || estimate(messages) !== line.estimate
        : refused.need <= ceiling || refused.have !== ceiling
    )
    .map(({ request }) => request)

describe("law 5: whatever the ceiling", () => {
  it.effect.each(NAMES)("each request of %s, recomputed from its messages, is within it or refused", (name) =>
    Effect.forEach(CEILINGS, (ceiling) =>
      Effect.gen(function* () {
        const config = balanced(shapeOf(name), Math.min(ceiling, 10_000), ceiling)
        const lines = (yield* govern(example(name), config)).flatMap(({ lines }) => lines)
        expect(over(lines, ceiling)).toEqual([])
        const isMeasured = (messages: Line["messages"]) => estimateOf(messages.slice(1))
        const sent = lines.filter(({ refused }) => refused === undefined)
        expect(sent.length === 0 || over(lines, ceiling, isMeasured).length > 0).toBe(true)
        expect(
          over(
            sent.map((line) => ({ ...line, estimate: line.estimate + 1 })),
            ceiling
          )
        ).toHaveLength(sent.length)
        const least = Math.min(...sent.map((line) => line.estimate))
        expect(over(sent, least - 1)).toHaveLength(sent.length)
        return { refused: lines.length - sent.length, sent: sent.length }
      }).pipe(Effect.provide(memory))
    ).pipe(
      Effect.map((counts) => {
        expect(counts.at(-1)!.sent).toBeGreaterThan(0)
        const refused = counts.map((count) => count.refused)
        expect(refused).toEqual([...refused].sort((a, b) => b - a))
      })
    )
  )

  it.effect("and a section is within its budget or says so by what it carries", () =>
    Effect.forEach([1_000, 2_000, 8_000], (budget) =>
      Effect.gen(function* () {
        for (const name of ["anthropic-messages.json", "openai-chat-rows.jsonl"] as const) {
          const lines = (yield* govern(example(name), section(shapeOf(name), budget))).flatMap(({ lines }) => lines)
          const wrong = lines.filter(({ estimate, messages }) => estimate !== estimateOf(messages))
          expect(wrong).toEqual([])
          expect(lines.some(({ estimate }) => estimate > 0)).toBe(true)
        }
      }).pipe(Effect.provide(memory))
    )
  )
})

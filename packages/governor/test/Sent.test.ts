import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { estimateOf } from "./support/Account.ts"
import { govern, memory, type Line } from "./support/Governed.ts"
import { isResult, over, unpaired, unstable } from "./support/Laws.ts"
import { balanced, raw, section } from "./support/Presets.ts"
import { abridged, claude, example, joined, NAMES, shapeOf, type Name } from "./support/Sessions.ts"

const CEILINGS = [500, 2_000, 8_000, 20_000]

const cases = NAMES.flatMap((name) => CEILINGS.map((ceiling) => ({ name, ceiling })))

/** Raw requests grow with the square of a session; of the largest, its abridged form will do. */
const rawOf = (name: Name) => (name === "claude-code.jsonl" ? claude(joined(abridged())) : example(name))

/** Runs, each without the requests that were refused. */
const sentOf = (runs: ReadonlyArray<ReadonlyArray<Line>>) =>
  runs.map((lines) => lines.filter(({ refused }) => refused === undefined))

const governed = (name: Name, ...config: Parameters<typeof balanced>) =>
  Effect.map(govern(example(name), balanced(...config)), (runs) => runs.map(({ lines }) => lines))

describe("law 5 law 6 law 8: whatever the ceiling", () => {
  it.effect.each(cases)("$name under $ceiling tokens", ({ ceiling, name }) =>
    Effect.gen(function* () {
      const shape = shapeOf(name)
      const runs = yield* governed(name, shape, Math.min(ceiling, 6_000), ceiling)
      const sent = sentOf(runs)
      for (const [i, lines] of runs.entries()) {
        expect(over(lines, ceiling), "over the ceiling").toEqual([])
        expect(unstable(lines), "rewritten without an epoch").toEqual([])
        expect(unpaired(sent[i]!, shape), "not paired").toEqual([])
      }
      const all = sent.flat().slice(-8)
      const requests = all.map(({ request }) => request)
      expect(
        over(
          all.map((line) => ({ ...line, messages: [...line.messages, ...LONG] })),
          ceiling
        )
      ).toEqual(requests)
      expect(
        over(
          all.map((line) => ({ ...line, estimate: line.estimate - 1 })),
          ceiling
        )
      ).toEqual(requests)
      expect(over(all, Math.min(...all.map(({ estimate }) => estimate)) - 1)).toEqual(requests)
      const withResults = all.filter(({ messages }) => messages.some(isResult))
      const dropped = withResults.map((line) => ({ ...line, messages: line.messages.filter((m) => !isResult(m)) }))
      expect(unpaired(dropped, shape)).toEqual(withResults.map(({ request }) => request))
    }).pipe(Effect.provide(memory))
  )

  it.effect("a higher ceiling never refuses more, and a low one refuses", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.forEach([200, ...CEILINGS], (ceiling) =>
        Effect.map(
          governed("openai-chat.json", "openai-chat", Math.min(ceiling, 6_000), ceiling),
          (runs) => runs.flat().filter((line) => line.refused !== undefined).length
        )
      )
      expect(refused).toEqual([...refused].sort((a, b) => b - a))
      expect(refused[0]).toBeGreaterThan(0)
      expect(refused.at(-1)).toBe(0)
    }).pipe(Effect.provide(memory))
  )
})

describe("law 6 law 8: raw", () => {
  it.effect.each(NAMES)("%s is sent as the client sent it, its open calls closed", (name) =>
    Effect.gen(function* () {
      const shape = shapeOf(name)
      for (const { lines } of yield* govern(rawOf(name), raw(shape))) {
        expect(unstable(lines)).toEqual([])
        expect(unpaired(lines, shape)).toEqual([])
        const last = lines.slice(-4)
        const short = last.map((line, i) => (i % 2 === 0 ? line : { ...line, messages: line.messages.slice(1) }))
        expect(unstable(short)).toEqual(last.slice(1).map(({ request }) => request))
      }
    }).pipe(Effect.provide(memory))
  )
})

describe("law 5: a section", () => {
  it.effect.each([1_000, 2_000, 8_000])("says the estimate of its text under %d tokens", (budget) =>
    Effect.gen(function* () {
      for (const name of ["anthropic-messages.json", "openai-chat-rows.jsonl"] as const) {
        const lines = (yield* govern(example(name), section(shapeOf(name), budget))).flatMap(({ lines }) => lines)
        expect(lines.filter(({ estimate, messages }) => estimate !== estimateOf(messages))).toEqual([])
        expect(lines.some(({ estimate }) => estimate > 0)).toBe(true)
      }
    }).pipe(Effect.provide(memory))
  )
})

const LONG = [{ role: "user", content: "word ".repeat(20_000) }]

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { estimate, utf8Bytes } from "../src/Estimate.ts"
import { TokenEstimatorContract } from "../src/testing.ts"
import { charsOverFour, TokenEstimator, upperBound } from "../src/TokenEstimator.ts"

const { boundChecks, checks } = TokenEstimatorContract

describe.each([
  ["charsOverFour", charsOverFour],
  ["upperBound", upperBound]
] as const)("the contract of TokenEstimator, on %s", (_, layer) => {
  for (const { check, name } of checks()) it.effect(name, () => Effect.provide(check, layer))
})

describe("law 5: upperBound bounds", () => {
  const bounds = [
    ...boundChecks(estimate, "a quarter of the scalar values"),
    ...boundChecks(
      (text) => new TextEncoder().encode(text).length,
      "a token for each byte, the most a byte-level one makes"
    )
  ]
  for (const { check, name } of bounds) it.effect(name, () => Effect.provide(check, upperBound))
  it.effect("mutant: charsOverFour is no bound of bytes, and is caught", () =>
    Effect.gen(function* () {
      for (const { check } of boundChecks(utf8Bytes, "bytes")) {
        expect(yield* Effect.flip(Effect.provide(check, charsOverFour))).toMatchObject({ _tag: "Violation" })
      }
    })
  )
})

let asked = 0

describe("every wrong estimator is caught", () => {
  it.effect.each<readonly [string, (text: string) => number]>([
    ["a fraction", (text) => text.length / 4],
    ["rounded down", (text) => Math.floor(text.length / 4)],
    ["a token for the empty text", (text) => 1 + estimate(text)],
    ["another answer each time", (text) => estimate(text) + (text === "" ? 0 : asked++ % 2)],
    ["cut at a thousand characters", (text) => estimate(text.slice(0, 1_000))],
    ["not of half a character", (text) => (/\p{Surrogate}/u.test(text) ? Number.NaN : estimate(text))],
    ["a special token is refused", (text) => estimate(text.includes("<|endoftext|>") ? thrown() : text)],
    ["negative", (text) => -estimate(text)],
    ["distinct words", (text) => new Set(text).size]
  ])("%s", ([, wrong]) =>
    Effect.gen(function* () {
      const layer = Layer.succeed(TokenEstimator, { estimate: wrong })
      const answers = yield* Effect.forEach(checks(), ({ check }) => Effect.exit(Effect.provide(check, layer)))
      expect(answers.filter(({ _tag }) => _tag === "Failure").length).toBeGreaterThan(0)
    })
  )
})

const thrown = (): string => {
  throw new Error("a special token")
}

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Source } from "../src/Import.ts"
import { alone, byteCuts, cuts, grown } from "./support/Cuts.ts"
import { imported, memory } from "./support/Governed.ts"
import { balanced, section } from "./support/Presets.ts"
import { bytesOf, decode, encode, example } from "./support/Sessions.ts"
import { heads } from "./support/Store.ts"

describe("law 7: import under balanced", () => {
  cuts(balanced("anthropic", 2_000))
  byteCuts(balanced("anthropic", 2_000))
})

describe("law 7: import under io-harness", () => {
  cuts(section("anthropic", 1_500))
})

describe("law 7: import of a list of messages", () => {
  const all = JSON.parse(decode(bytesOf("anthropic-messages.json"))) as ReadonlyArray<unknown>

  it.effect("grown by a message at a time, it reaches the heads of the whole", () =>
    Effect.forEach([balanced("anthropic", 900), section("anthropic", 1_000)], (config) =>
      Effect.gen(function* () {
        const whole = yield* alone(example("anthropic-messages.json"), config)
        const stages = all.map((_, i) => encode(`${JSON.stringify(all.slice(0, i + 1), null, 2)}\n`))
        const from = all.findIndex((message) => JSON.stringify(message).includes('"user"'))
        const sources = stages.slice(from).map((bytes): Source => ({ format: "anthropic-messages", bytes }))
        expect(yield* grown(sources, config, whole)).toBe(true)
      })
    )
  )

  it.effect("two machines: another store, at another time, has equal heads", () =>
    Effect.forEach(["openai-chat-rows.jsonl", "anthropic-messages.json"] as const, (name) =>
      Effect.gen(function* () {
        const config = balanced(name.startsWith("openai") ? "openai-chat" : "anthropic", 900)
        const once = imported(example(name), config).pipe(Effect.zipRight(heads), Effect.provide(memory))
        const first = yield* once
        yield* TestClock.adjust("400 days")
        expect(yield* once).toEqual(first)
      })
    )
  )
})

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Validate from "@palimpsest/transcript/Validate"
import { govern, memory, type Line } from "./support/Governed.ts"
import type { Json } from "./support/Json.ts"
import { objectOf } from "./support/Json.ts"
import { balanced, raw } from "./support/Presets.ts"
import { bytesOf, example, NAMES, shapeOf } from "./support/Sessions.ts"
import { textsOf, words } from "./support/Source.ts"

const faults = ({ messages }: Line, shape: "anthropic" | "openai-chat") =>
  shape === "anthropic" ? Validate.anthropic(messages) : Validate.openAiChat(messages)

describe("law 8: calls and their results stay together", () => {
  it.effect.each(NAMES)("a provider would take every request of %s, raw and governed", (name) =>
    Effect.gen(function* () {
      const shape = shapeOf(name)
      const isResult = (message: Json) =>
        message["role"] === "tool" || JSON.stringify(message["content"]).includes('"tool_result"')
      for (const config of [balanced(shape, 1_500), balanced(shape, 20_000), raw(shape)]) {
        const lines = (yield* govern(example(name), config)).flatMap(({ lines }) => lines)
        expect(lines.filter((line) => faults(line, shape).length > 0).map(({ request }) => request)).toEqual([])
        const withResults = lines.filter(({ messages }) => messages.some(isResult))
        const without = withResults.map((line) => ({ ...line, messages: line.messages.filter((m) => !isResult(m)) }))
        expect(withResults.length).toBeGreaterThan(0)
        expect(without.every((line) => faults(line, shape).length > 0)).toBe(true)
      }
    }).pipe(Effect.provide(memory))
  )
})

describe("law 9: the words of the user", () => {
  const source = words(bytesOf("claude-code.jsonl"))

  /** The words of a request's segment that do not stand in it verbatim. */
  const lost = ({ messages, refused, request }: Line): ReadonlyArray<string> => {
    if (refused !== undefined) return []
    const texts = new Set(messages.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content)))
    const segment = source.segments[request - 1]
    return source.said
      .filter((word) => word.segment === segment && word.after < request && !texts.has(word.text))
      .map(({ text }) => text)
  }

  it.effect("stand verbatim in every later request of their segment, under a line that elides all it can", () =>
    Effect.gen(function* () {
      const [main] = yield* govern(example("claude-code.jsonl"), balanced("anthropic", 1_500))
      const lines = main!.lines
      expect(lines.length).toBe(source.segments.length)
      expect(new Set(source.segments).size).toBe(2)
      expect(source.said.length).toBeGreaterThan(8)
      expect(lines.flatMap(lost)).toEqual([])
      const last = lines.at(-1)!
      expect(last.epoch).toBeGreaterThan(2)
      const cut = (message: Json): Json => ({ ...message, content: [{ type: "text", text: "[left out]" }] })
      const said = last.messages.findIndex((m) => m["role"] === "user" && textsOf(m["content"]).length > 0)
      const mutant = { ...last, messages: last.messages.map((message, i) => (i === said ? cut(message) : message)) }
      expect(lost(mutant).length).toBeGreaterThan(0)
    }).pipe(Effect.provide(memory))
  )
})

describe("law 6: between epochs a request begins with the one before it", () => {
  /** The requests that rewrite what was sent before, although no epoch began. */
  const unstable = (lines: ReadonlyArray<Line>): ReadonlyArray<number> => {
    const sent = lines.filter(({ refused }) => refused === undefined)
    return sent.slice(1).flatMap((line, i) => {
      const before = sent[i]!
      const isPrefix = before.messages.every((m, k) => JSON.stringify(m) === JSON.stringify(line.messages[k]))
      return line.epoch === before.epoch && !isPrefix ? [line.request] : []
    })
  }

  it.effect.each(NAMES)("in %s, under two lines, and raw", (name) =>
    Effect.gen(function* () {
      const shape = shapeOf(name)
      for (const config of [balanced(shape, 1_000), balanced(shape, 8_000, 12_000), raw(shape)]) {
        for (const { lines } of yield* govern(example(name), config)) {
          expect(unstable(lines), config.preset).toEqual([])
          const mutant = lines.map((line) => ({ ...line, messages: line.messages.slice(1) }))
          const rewritten = mutant.map((line, i) => (i === lines.length - 1 ? { ...line, messages: [] } : line))
          const last = lines.at(-1)!
          const isInEpoch = lines.length > 1 && last.epoch === lines.at(-2)!.epoch && lines.at(-2)!.messages.length > 1
          expect(!isInEpoch || unstable(rewritten).includes(last.request) || last.refused !== undefined).toBe(true)
        }
      }
      expect(objectOf({}).length).toBeUndefined()
    }).pipe(Effect.provide(memory))
  )
})

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { govern, memory, type Line } from "./support/Governed.ts"
import type { Json } from "./support/Json.ts"
import { balanced } from "./support/Presets.ts"
import { bytesOf, example } from "./support/Sessions.ts"
import { textsOf, words } from "./support/Source.ts"

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

describe("law 9: the words of the user", () => {
  it.effect("stand verbatim in every later request, under a line that elides all it can; where not, it is found", () =>
    Effect.gen(function* () {
      const [main] = yield* govern(example("claude-code.jsonl"), balanced("anthropic", 1_500))
      const lines = main!.lines
      expect(lines.length).toBe(source.segments.length)
      expect(new Set(source.segments).size).toBe(2)
      expect(source.said.length).toBeGreaterThan(8)
      expect(lines.flatMap(lost)).toEqual([])
      expect(main!.report.elided.aged).toBeGreaterThan(100)
      const last = lines.at(-1)!
      const isSaid = (message: Json) => message["role"] === "user" && textsOf(message["content"]).length > 0
      const changed = (change: (message: Json) => ReadonlyArray<Json>): Line => ({
        ...last,
        messages: last.messages.flatMap((message) => (isSaid(message) ? change(message) : [message]))
      })
      const texts = (message: Json, say: (text: string) => string): Json => ({
        ...message,
        content: textsOf(message["content"]).map((text) => ({ type: "text", text: say(text) }))
      })
      expect(lost(changed((message) => [texts(message, (text) => text)]))).toEqual([])
      for (const mutant of [
        changed(() => []),
        changed((message) => [texts(message, () => "[left out]")]),
        changed((message) => [texts(message, (text) => text.slice(0, -1))])
      ]) {
        expect(lost(mutant).length).toBeGreaterThan(0)
      }
    }).pipe(Effect.provide(memory))
  )
})

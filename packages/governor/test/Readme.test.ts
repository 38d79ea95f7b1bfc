import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { program } from "../examples/turn.ts"

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

describe("README", () => {
  const readme = text("../README.md")
  const [before = "", rest = ""] = readme.split("```ts\n")
  const [fence = "", after = ""] = rest.split("```")

  it("says in two sentences what it is, and shows the example as it stands in its file", () => {
    expect(fence).toBe(text("../examples/turn.ts"))
    expect(before.split("\n\n")[1]?.match(/\.(?=\s|$)/g)).toHaveLength(2)
    expect(after.trim()).toBe("")
  })

  it.effect("the example builds a ledger by hand and prepares what to send", () =>
    Effect.gen(function* () {
      const turn = yield* program
      expect(turn).toMatchObject({ _tag: "Send", request: 1 })
      const messages = turn._tag === "Send" ? turn.messages.map((message): unknown => JSON.parse(message)) : []
      expect(messages).toEqual([
        { role: "user", content: [{ type: "text", text: "What does a.ts export?" }] },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "call-1", name: "Read", input: { file_path: "a.ts" } }]
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "call-1", content: "export const answer = 42\n" }]
        }
      ])
    })
  )
})

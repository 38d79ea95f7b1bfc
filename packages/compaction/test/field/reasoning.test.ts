/** Reported faults of reasoning (§2.2): each kind is impossible, whatever the session and the marks. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { ruleOf } from "../../src/Reasoning.ts"
import { Implementation, leavingLaws, Rendered } from "../../src/testing.ts"
import type { Rule } from "../../src/Reasoning.ts"
import { scriptedRun, talk } from "../harn/support.ts"
import type { Message } from "../../src/harn/Message.ts"
import { always, entries, turning } from "./field.ts"

const thinking = turning((turn) => ({ ...turn, thought: turn.thought ?? { alphabet: "astral", scalars: 90 } }))

const lawOf = (rule: Rule) => leavingLaws.filter(({ name, number }) => number === 8 && name.includes(` ${rule} `))

describe("2.2 reasoning", () => {
  it("B19: reasoning stands byte for byte or goes whole: it is never cut, folded or marked", () => {
    always(
      ({ view }, { texts }) =>
        entries(view.messages).every(
          (item) =>
            item.entered.part._tag !== "Reasoning" ||
            (item.form._tag === "Whole" && Rendered.textOfItem(texts, item) === texts.get(item.seq)?.join(""))
        ),
      { script: thinking }
    )
  })

  it("B21: a block keeps its signature, and a model that nobody knows gets the strictest rule", () => {
    always(
      ({ view }) =>
        entries(view.messages).every(
          ({ entered: { part } }) => part._tag !== "Reasoning" || part.signature !== undefined
        ),
      { script: thinking }
    )
    for (const model of [undefined, "", "a-model-of-tomorrow", "claude"]) expect(ruleOf(model)).toBe("prefix-bound")
  })

  it("B23: what is compacted right after thinking goes to the summariser as text, and no block of thinking does", () => {
    const thought: Message = {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "signed" },
        { type: "text", text: "so" }
      ]
    }
    const llm = { token_threshold: 1, keep_last: 2, compact_strategy: "llm" }
    const { asked } = scriptedRun([thought, ...talk(8), thought], llm, ["words"])
    expect(asked.length).toBe(1)
    expect(asked[0]?.messages.map(({ content }) => typeof content)).toEqual(["string"])
    expect(JSON.stringify(asked[0])).not.toMatch(/"signature"|"type":"thinking"/)
  })

  it.each(["loop-bound", "prefix-bound", "item-bound"] as const)(
    "B24: nothing of a chain that is still bound is dropped (%s)",
    (rule) => {
      const laws = lawOf(rule)
      expect(laws.length).toBe(1)
      for (const law of laws) FastCheck.assert(law.property(Implementation.investing(rule)), { numRuns: 30 })
    }
  )
})

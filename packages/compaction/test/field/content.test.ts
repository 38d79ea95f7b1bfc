/** Reported losses of instructions and content (§2.4): each kind is impossible, whatever the session and the marks. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Seq } from "@palimpsest/ledger/Ids"
import { bounded, boundedBlocks } from "../../src/Bound.ts"
import { pointers } from "../../src/Duplication.ts"
import { scalarsIn } from "../../src/Splice.ts"
import { Implementation, leavingLaws, Rendered, Words } from "../../src/testing.ts"
import { evolve, type Transcript } from "../../src/Transcript.ts"
import { seen, Talk, text } from "../transcript/talk.ts"
import { always, entries, hidden } from "./field.ts"

const seq = Seq.make(41)

/** The same view, in which two results have the same bytes. */
const withSameBody = (view: Transcript, of: Seq, as: Seq): Transcript => {
  const part = entries(view.messages).find((item) => item.seq === as)?.entered.part
  return {
    ...view,
    messages: view.messages.map((message) => {
      const [first, ...rest] = message.items
      if (first._tag !== "Entry" || first.seq !== of || part?._tag !== "Result") return message
      if (first.entered.part._tag !== "Result") return message
      const entered = { ...first.entered, part: { ...first.entered.part, blocks: part.blocks } }
      return { ...message, items: [{ ...first, entered }, ...rest] as const }
    })
  }
}

describe("2.4 lost instructions and content", () => {
  it("B51: the system prompt and the user's words are outside of what may leave", () => {
    always(
      ({ view }, { texts }) =>
        hidden(view).every(({ entered: { part, role } }) => role === "assistant" || part._tag === "Result") &&
        entries(view.messages).every(
          (item) =>
            item.entered.role === "assistant" ||
            item.entered.part._tag !== "Text" ||
            Rendered.textOfItem(texts, item) === texts.get(item.seq)?.join("")
        )
    )
  })

  it("B52, B55, B56: every entry stands or is hidden under words that name it; none vanishes", () => {
    for (const law of leavingLaws.filter(({ number }) => number === 9 || number === 4)) {
      FastCheck.assert(law.property(Implementation.investing("free")), { numRuns: 30 })
    }
  })

  it("B58: each entry is in a request at most once, and folding a decision twice changes nothing more", () => {
    always(({ decided, view }) => {
      const all = [...entries(view.messages), ...hidden(view)].map((one) => one.seq)
      const again = decided === undefined ? view : evolve(view, [{ _tag: "Decided", decided }])
      return new Set(all).size === all.length && again.tokens === view.tokens
    })
  })

  it("B60: only the same bytes are a duplicate: another read of the same file is none, whatever it is called", () => {
    const talk = new Talk()
    const first = talk.ask(seen("read", "a"), text(2_000))
    const second = talk.ask(seen("read", "a"), text(2_000))
    expect(pointers(talk.view, () => true)).toEqual([])
    const same = withSameBody(talk.view, second, first)
    expect(pointers(same, () => true)).toMatchObject([{ entries: [second, second], form: { to: first } }])
  })

  it("B62: a mark that comes back in a result is bytes like others, and gets one address of its own", () => {
    const talk = new Talk()
    const [one, two] = talk.batch(
      [seen("read", "a"), "[@3 left out: read a, 9,999 chars, aged]\n".repeat(60)],
      [seen("read", "b"), text(2_000)]
    )
    talk.answer()
    talk.rewrite({ line: 1, lowWater: 0, ceiling: undefined })
    for (const each of [one!, two!]) {
      expect(talk.form(each)).toMatchObject({ rest: { seq: each } })
      expect(talk.texts.get(each)?.[0]).not.toBe("")
    }
  })

  it("B65: few very long lines are bounded inside their lines, by an address of the whole", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 5_000, max: 90_000 }),
        FastCheck.integer({ min: 400, max: 4_000 }),
        (scalars, cap) => {
          const { put, rest } = bounded({ seq }, Words.textOf({ alphabet: "endless", scalars }), cap)
          return scalarsIn(put) <= cap && put.some((piece) => typeof piece !== "string") && rest.seq === seq
        }
      ),
      { numRuns: 40 }
    )
  })

  it("B67: results in blocks are bounded as one in a string is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(Words.words, { minLength: 1, maxLength: 5 }), (all) => {
        const [first = "", ...others] = all.map(Words.textOf)
        return scalarsIn(boundedBlocks(seq, [first, ...others], 2_000).put) <= 2_000
      }),
      { numRuns: 40 }
    )
  })
})

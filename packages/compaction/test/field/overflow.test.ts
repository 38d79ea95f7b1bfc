/** Reported faults of loops and overflow (§2.3) that a plan can meet; those of a summariser are in `harn/field.test.ts`. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Step } from "@palimpsest/ledger/Ids"
import * as Attention from "../../src/Attention.ts"
import { entryCap } from "../../src/Ladder.ts"
import { Implementation, Rendered, Script, Simulation } from "../../src/testing.ts"
import { weigh } from "../../src/Transcript.ts"
import { seen, Talk, text } from "../transcript/talk.ts"
import { always, asking, entries, frozen, RULES, turning } from "./field.ts"

const { evolve, plan } = Implementation.investing("free")
const asked = { step: 301, cached: 0, attention: Attention.none, ended: [] }

const tight = FastCheck.integer({ min: 1, max: 900 }).map((ceiling) => ({ line: 1_000, lowWater: 500, ceiling }))

describe("2.3 loops and overflow", () => {
  it("B26: planning one view again and again ends: every rewrite makes it smaller, or there is none", () => {
    FastCheck.assert(
      FastCheck.property(Script.script, Script.marks, FastCheck.constantFrom(...RULES), (script, marks, rule) => {
        const one = Implementation.investing(rule)
        const last = Simulation.play(one, script, marks).requests.at(-1)
        let view = last?.view
        if (last === undefined || view === undefined) return true
        for (let n = 0; n < 60; n++) {
          const planned = one.plan(view, marks, { ...last.asked, cached: view.messages.length })
          if (planned._tag !== "Rewrite" || planned.changes.length === 0) return true
          const after: typeof view = evolve(view, [
            {
              _tag: "Decided",
              decided: { _tag: "Decided", step: last.decided?.step ?? Step.make(301), changes: planned.changes }
            }
          ])
          if (after.tokens >= view.tokens) return false
          view = after
        }
        return false
      }),
      { numRuns: 40 }
    )
  })

  it("B27: a floor above the ceiling is a refusal that says need and have, and nothing is rewritten for it", () => {
    const talk = new Talk()
    talk.say(text(8_000))
    talk.ask(seen("read", "a"), "short")
    talk.say("go on")
    const refused = plan(talk.view, { line: 1_000, lowWater: 500, ceiling: 400 }, asked)
    expect(refused).toEqual({ _tag: "Refuse", need: expect.any(Number), have: 400 })
    expect(refused._tag === "Refuse" ? refused.need : 0).toBeGreaterThan(400)
    expect(plan(talk.view, { line: 1_000, lowWater: 500, ceiling: 400 }, asked)).toEqual(refused)
  })

  it("B28: where what may not leave is above the line from the start, nothing is compacted for it", () => {
    const talk = new Talk()
    talk.say(text(8_000))
    talk.answer()
    talk.say("go on")
    expect(plan(talk.view, { line: 1_000, lowWater: 500, ceiling: undefined }, asked)._tag).toBe("Keep")
  })

  it("B29: one result above the window enters bounded", () => {
    always(
      ({ view }, { marks }) =>
        entries(view.messages).every(
          (item) =>
            item.entered.part._tag !== "Result" ||
            item.entered.part.blocks.some(({ encoding }) => encoding === "bytes") ||
            weigh(item).scalars <= entryCap(Math.min(marks.line, marks.ceiling ?? marks.line))
        ),
      {
        runs: 15,
        script: asking((one) => ({ ...one, blocks: [{ alphabet: "plain", scalars: 90_000 }], picture: false }))
      }
    )
  })

  it("B32, B37: a history that is over the limit already is shed without a model, under any smaller limit", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 3, max: 12 }),
        FastCheck.integer({ min: 600, max: 3_000 }),
        (n, to) => {
          const talk = new Talk()
          talk.say("the task")
          for (let i = 0; i < n; i++) talk.ask(seen("read", `file-${i}`), text(9_000))
          talk.answer()
          talk.say("go on")
          const planned = plan(talk.view, { line: 100_000, lowWater: 50_000, ceiling: to }, asked)
          if (planned._tag !== "Rewrite") return false
          talk.decide(planned.changes, planned.cause)
          return planned.cause === "ceiling" && talk.view.tokens <= to
        }
      ),
      { numRuns: 30 }
    )
  })

  it("B44, B45: planning and folding write to nothing: what failed in between has changed nothing", () => {
    FastCheck.assert(
      FastCheck.property(Script.script, Script.marks, (script, marks) => {
        for (const { admitted, asked: given, decided } of Simulation.play(Implementation.ours, script, marks)
          .requests) {
          const view = frozen(structuredClone(admitted))
          plan(view, marks, { ...given, attention: Attention.none })
          if (decided !== undefined) evolve(view, [frozen({ _tag: "Decided", decided: structuredClone(decided) })])
        }
        return true
      }),
      { numRuns: 15 }
    )
  })

  it("B46: what leaves under words again is under the newest ones alone", () => {
    always(({ view }, { texts }) =>
      view.messages.every(({ hidden, items }) => {
        const words = items.filter(({ _tag }) => _tag === "Words")
        return hidden.length === 0 || words.length <= 1 || words.every((one) => Rendered.textOfItem(texts, one) !== "")
      })
    )
  })

  it("B49: a refusal is of one request: with room for it, the same view is sent", () => {
    FastCheck.assert(
      FastCheck.property(Script.script, tight, (script, marks) =>
        Simulation.play(Implementation.investing("free"), script, marks).requests.every(
          ({ admitted, asked: given, plan: planned }) =>
            planned._tag !== "Refuse" ||
            plan(admitted, { ...marks, ceiling: admitted.tokens + 1 }, given)._tag !== "Refuse"
        )
      ),
      { numRuns: 30 }
    )
  })

  it("B50: a rewrite that is made at all makes the request smaller", () => {
    always(({ admitted, plan: planned, view }) =>
      planned._tag === "Rewrite" && planned.changes.length > 0 ? view.tokens < admitted.tokens : true
    )
  })

  it("B42: with nothing that may leave there is no decision", () => {
    always(({ plan: planned }) => planned._tag !== "Rewrite" || planned.changes.length + planned.folds.length > 0, {
      script: turning((turn) => ({ ...turn, asked: [] }))
    })
  })
})

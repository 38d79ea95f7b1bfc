/** Faults of the presets `codeaf` and `harn` that `balanced` (by investment) mends, by their rows. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { standard } from "@palimpsest/budget/Price"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import { Seq } from "@palimpsest/ledger/Ids"
import { folded } from "../../src/Arguments.ts"
import * as Attention from "../../src/Attention.ts"
import { bounded } from "../../src/Bound.ts"
import { classesOf } from "../../src/Classes.ts"
import * as Ladder from "../../src/Ladder.ts"
import { stub } from "../../src/Mark.ts"
import { scalarsIn } from "../../src/Splice.ts"
import { Implementation, laws, leavingLaws, Rendered, Script, Simulation } from "../../src/testing.ts"
import { empty, evolve } from "../../src/Transcript.ts"
import { seen, Talk, text, wordsOf } from "../transcript/talk.ts"
import { always, asking, entries, frozen, hidden } from "./field.ts"

const free = Implementation.investing("free")
const asked = { step: 301, cached: 0, attention: Attention.none, ended: [] }
const WIDE = { line: 1_000_000, lowWater: 500_000, ceiling: undefined }

const law = (number: number, all: typeof laws = leavingLaws): void => {
  const found = all.filter((one) => one.number === number)
  expect(found.length).toBeGreaterThan(0)
  for (const one of found) FastCheck.assert(one.property(free), { numRuns: 20 })
}

/** A run that only reads: so many files, each answered. */
const reading = (n: number, scalars = 8_000): Talk => {
  const talk = new Talk()
  talk.say("the task")
  for (let i = 0; i < n; i++) talk.ask(seen("read", `file-${i}`), text(scalars))
  talk.answer()
  talk.say("go on")
  return talk
}

describe("balanced mends codeaf", () => {
  it("CA-W1: arguments are counted as they are sent, and fold to their keys", () => {
    const args = JSON.stringify({ file_path: "a.ts", content: text(20_000) })
    const fold = folded(Seq.make(41), args, 80)
    expect(scalarsIn(fold?.put ?? [args])).toBeLessThan(120)
    always(({ view }, { texts }) =>
      view.messages.every((message) => message.tokens === Rendered.tokensOfMessage(texts, message))
    )
  })

  it("CA-W2, CA-W3: nothing leaves without its address", () => law(4))

  it("CA-W4: a write spends what it touches, and nothing else that was read", () => {
    const talk = new Talk()
    const [a, b] = [talk.ask(seen("read", "a"), text(900)), talk.ask(seen("read", "b"), text(900))]
    const write = talk.ask(seen("write", "a"), "written")
    const { invalidated } = classesOf(talk.view)
    expect([invalidated.get(a), invalidated.get(b)]).toEqual([write, undefined])
  })

  it("CA-W5: a view is a value: what is folded onto it leaves it as it was", () => law(1, laws))

  it("CA-W6: the events alone give the view again, in whatever pieces they are folded", () => {
    FastCheck.assert(
      FastCheck.property(Script.script, Script.marks, (script, marks) => {
        const { happenings, requests } = Simulation.play(free, script, marks)
        const last = requests.findLast(({ decided }) => decided !== undefined)?.decided
        const at = happenings.findLastIndex((one) => one._tag === "Decided" && one.decided === last)
        const stored: typeof happenings = structuredClone(happenings.slice(0, at + 1))
        const turned = requests.findLast(({ decided }) => decided === last)
        const view = stored.reduce((one, happening) => evolve(one, [happening]), empty(script.shape))
        return last === undefined || JSON.stringify(view.messages) === JSON.stringify(turned?.view.messages)
      }),
      { numRuns: 30 }
    )
  })

  it("CA-W7: an address is the entry's place in its log, so no two calls share one", () => {
    always(({ view }) => {
      const rests = entries(view.messages).flatMap(({ form }) => ("rest" in form ? [form.rest.seq] : []))
      return new Set(rests).size === rests.length
    })
  })

  it("CA-W8: a label parts no character, and cannot close the bracket around it", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ unit: "binary", maxLength: 200 }),
        FastCheck.nat({ max: 99 }),
        (some, n) => {
          const target = `${"a".repeat(n)}🟡]${some}`
          const words = wordsOf(stub({ seq: Seq.make(3) }, seen("read", target), 9, { _tag: "Aged" }))
          return isWellFormed(words) && words.indexOf("]") === words.length - 1 && !words.includes("\n")
        }
      ),
      { numRuns: 60 }
    )
  })

  it("CA-W9: in a small window no result is retired on its arrival: it is bounded to what is left, or refused", () => {
    always(
      ({ admitted, plan: planned, view }) => {
        const newest = admitted.messages.findLastIndex(({ role }) => role === "assistant")
        const fresh = entries(admitted.messages.slice(newest + 1)).map(({ seq }) => seq)
        const now = entries(view.messages).filter(({ seq }) => fresh.includes(seq))
        return planned._tag === "Refuse" || now.every(({ form }) => KEPT.has(form._tag))
      },
      { marks: FastCheck.integer({ min: 200, max: 1_024 }).map((ceiling) => ({ line: 1_025, lowWater: 500, ceiling })) }
    )
  })

  it("CA-W10: no mean of the run's life decides: what a view is planned as depends on what it carries", () => {
    const { view } = reading(12)
    const plans = [0, 10, 100_000].map((settled) => Ladder.plan({ ...view, settled }, WIDE, inputs()))
    expect(plans[1]).toEqual(plans[0])
    expect(plans[2]).toEqual(plans[0])
  })

  it("CA-W11: a run that never writes is shed below the line too, when that pays", () => {
    expect(free.plan(reading(60).view, WIDE, asked)).toMatchObject({ _tag: "Rewrite", cause: "cold" })
  })

  it("CA-W12: what leaves depends on the prices: where nothing is gained, nothing does", () => {
    const { view } = reading(60)
    const dear = { ...standard, cacheRead: 0 }
    expect(Ladder.plan(view, WIDE, inputs())._tag).toBe("Rewrite")
    expect(Ladder.plan(view, WIDE, { ...inputs(), prices: dear })._tag).toBe("Keep")
  })

  it("CA-W13: a cut pays for what stays behind it", () => {
    always(({ plan: planned, admitted }) =>
      planned._tag !== "Rewrite" ? true : planned.priced.rebills >= 0 && planned.priced.rebills <= admitted.tokens
    )
    law(6)
  })

  it("CA-W14: results, words and arguments share one budget, which is that of the request", () => law(5))

  it("CA-W16: planning holds no index of its own: the same value gives the same plan, however often it was asked", () => {
    const { view } = reading(30)
    const first = free.plan(view, WIDE, asked)
    for (let i = 0; i < 5; i++) expect(free.plan(structuredClone(view), WIDE, asked)).toEqual(first)
  })

  it("CA-W17: a plan writes nothing, whether it is followed or not", () => {
    const view = frozen(structuredClone(reading(30).view))
    expect(() => free.plan(view, { line: 10, lowWater: 5, ceiling: 20 }, asked)).not.toThrow()
  })

  it("CA-W18: what the model has not read is never a stub: its head and tail are shown", () => {
    const talk = new Talk()
    talk.say("the task")
    const fresh = talk.ask(seen("read", "a"), `first\n${text(30_000)}\nlast\n`)
    const planned = free.plan(talk.view, { line: 900, lowWater: 500, ceiling: 900 }, asked)
    expect(planned).toMatchObject({ _tag: "Squeeze", fresh: [fresh] })
  })
})

describe("balanced mends harn", () => {
  it("HA-W1: a refusal leaves the view as it was", () => {
    const talk = new Talk()
    talk.say(text(8_000))
    const before = frozen(structuredClone(talk.view))
    expect(free.plan(before, { line: 900, lowWater: 500, ceiling: 900 }, asked)._tag).toBe("Refuse")
    expect(before).toEqual(talk.view)
  })

  it("HA-W2, HA-W17: every entry is accounted for by name, in blocks or not", () => law(9))

  it("HA-W3, HA-W4: what leaves is where its address says, whole", () => {
    always(({ view }, { texts }) => hidden(view).every(({ form, seq }) => texts.has(seq) && form.rest.seq <= seq))
  })

  it("HA-W6: no text is a pin, a recap or a mark", () => law(15, laws))

  it("HA-W8, HA-W9: few huge turns can be shed, and the newest is never among them", () => {
    const talk = reading(2, 40_000)
    const planned = free.plan(talk.view, { line: 8_000, lowWater: 4_000, ceiling: 12_000 }, asked)
    if (planned._tag !== "Rewrite") throw new Error(planned._tag)
    talk.decide(planned.changes, planned.cause)
    expect(talk.view.tokens).toBeLessThanOrEqual(12_000)
    always(({ admitted, view }) => {
      const newest = entries(admitted.messages).findLast(({ entered }) => entered.role === "assistant")
      return (
        newest === undefined ||
        hidden(view).every(
          ({ entered }) => entered.part._tag === "Reasoning" || entered.message !== newest.entered.message
        )
      )
    })
  })

  it("HA-W10: the bound holds with everything in it", () => law(5))

  it("HA-W11: a rewrite is smaller than what it replaces, or is not made", () => {
    always(({ admitted, plan: planned, view }) => planned._tag !== "Rewrite" || view.tokens < admitted.tokens)
  })

  it("HA-W12, HA-W16: a bound of any size keeps first and last lines, and holds", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 200, max: 3_000 }), FastCheck.nat({ max: 40_000 }), (cap, n) => {
        const whole = `first\n${text(3_001 + n)}\nlast\n`
        const { put } = bounded({ seq: Seq.make(3) }, whole, cap)
        const shown = Rendered.textOfItem(new Map([[Seq.make(3), [whole]]]), itemOf(put))
        return scalarsIn(put) <= cap && shown.startsWith("first\n") && shown.endsWith("last\n")
      }),
      { numRuns: 40 }
    )
  })

  it("HA-W13: sizes are of scalar values, whatever the alphabet", () => {
    always(
      ({ view }, { texts }) =>
        view.tokens === view.messages.reduce((sum, one) => sum + Rendered.tokensOfMessage(texts, one), 0),
      { script: asking((one) => ({ ...one, blocks: [{ alphabet: "wide", scalars: 5_000 }] })) }
    )
  })

  it("HA-W14: a rewrite has its cause, and a worth where that is a saving", () => law(6))

  it("HA-W15: the words of a view quote nothing that a tool said", () => {
    const talk = reading(60)
    const planned = free.plan(talk.view, WIDE, asked)
    const words = planned._tag === "Rewrite" ? planned.changes.map(({ form }) => wordsOf(form)) : []
    expect(words.join("").length).toBeGreaterThan(0)
    expect(words.join("")).not.toContain(text(40))
  })

  it("HA-W18: an error is one by its status, whatever its text says", () => {
    const talk = new Talk()
    const fine = talk.ask(seen("read", "a"), "0 failed, exit code 0")
    talk.ask(seen("read", "a"), "0 failed, exit code 0", "error")
    expect(classesOf(talk.view).superseded.has(fine)).toBe(false)
    talk.ask(seen("read", "a"), "error: exit code 1", "ok")
    expect(classesOf(talk.view).superseded.has(fine)).toBe(true)
  })
})

const KEPT: ReadonlySet<string> = new Set(["Whole", "Bounded", "Framed"])

const inputs = (): Parameters<typeof Ladder.plan>[2] => ({
  ...asked,
  fixed: 0,
  prices: standard,
  appetite: { lambda: 1, theta: 1 },
  reasoning: "free",
  isPinned: () => false
})

const itemOf = (put: ReturnType<typeof bounded>["put"]): Parameters<typeof Rendered.textOfItem>[1] => ({
  _tag: "Closed",
  seq: Seq.make(3),
  call: "call",
  put
})

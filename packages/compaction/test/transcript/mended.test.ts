/** One test for each fault of the section view that `balanced` mends, by its row. */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { make as window } from "@palimpsest/budget/Line"
import { Seq } from "@palimpsest/ledger/Ids"
import * as Balanced from "../../src/Balanced.ts"
import { bounded } from "../../src/Bound.ts"
import { armed, goal } from "../../src/Hysteresis.ts"
import { Implementation, Rendered, Script, Simulation } from "../../src/testing.ts"
import * as Transcript from "../../src/Transcript.ts"
import { lines, NOW, scalars, seen, Talk, text, wordsOf } from "./talk.ts"

const marks = (line: number, lowWater: number, ceiling?: number) => ({ line, lowWater, ceiling })

describe("balanced mends", () => {
  it("IO-W2 one large old entry evicts no smaller one by not fitting: it leaves itself, and they stay", () => {
    const talk = new Talk()
    const large = talk.ask(seen("read", "large"), text(40_000))
    const small = [1, 2, 3].map((n) => talk.ask(seen("read", `small-${n}`), text(800)))
    talk.answer()
    talk.rewrite(marks(5_000, 3_000))
    expect(talk.form(large)._tag).toBe("Stub")
    expect(small.map((seq) => talk.form(seq)._tag)).toEqual(["Whole", "Whole", "Whole"])
  })

  it("IO-W2 a large spent entry between small ones leaves, and the older small one stays", () => {
    const talk = new Talk()
    const older = talk.ask(seen("read", "older"), text(800))
    const spent = talk.ask(seen("read", "a"), text(20_000))
    const again = talk.ask(seen("read", "a"), text(6_000))
    talk.answer()
    talk.rewrite(marks(5_000, 3_000))
    expect(talk.form(spent)).toMatchObject({ _tag: "Stub", why: { _tag: "Superseded", by: again } })
    expect([older, again].map((seq) => talk.form(seq)._tag)).toEqual(["Whole", "Whole"])
  })

  it("IO-W2 what the model has not seen is always carried, a late result at its old place too", () => {
    const talk = new Talk()
    const old = talk.ask(seen("read", "a"), text(8_000), "pending")
    talk.answer()
    talk.ask(seen("read", "b"), text(4_000))
    const call = `call-${old - 2}`
    const late = talk.result(call, seen("read", "a"), text(9_000))
    talk.say("and now?")
    const plan = talk.plan(NOW)
    const changed = plan._tag === "Batch" ? plan.changes.map(({ entries }) => entries[0]) : []
    expect(talk.form(late)._tag).toBe("Whole")
    expect(changed).not.toContain(late)
  })

  it("IO-W3 at a tiny ceiling the newest results are bounded to what is left of it, or the refusal is typed", () => {
    const talk = new Talk()
    talk.say("the task")
    const newest = talk.ask(seen("read", "a"), text(40_000))
    expect(talk.plan(marks(50_000, 30_000, 50))).toEqual({ _tag: "Refuse", need: expect.any(Number), have: 50 })
    const plan = talk.plan(marks(50_000, 30_000, 300))
    if (plan._tag !== "Squeeze") throw new Error(plan._tag)
    expect(plan.fresh).toEqual([newest])
    talk.decide([{ entries: [newest, newest], form: bounded({ seq: newest }, text(40_000), plan.cap) }], "ceiling")
    expect(talk.view.tokens).toBeLessThanOrEqual(300)
    expect(talk.view.tokens).toBeGreaterThan(200)
  })

  it("IO-W3 results that are small enough are left as they are, when the large ones are bounded", () => {
    const talk = new Talk()
    const [small, middle, large] = talk.batch(
      [seen("read", "a"), text(300)],
      [seen("read", "b"), text(1_000)],
      [seen("read", "c"), text(30_000)]
    )
    expect(talk.plan(marks(50_000, 30_000, 1_000))).toMatchObject({ _tag: "Squeeze", changes: [], fresh: [large] })
    const tight = talk.plan(marks(50_000, 30_000, 400))
    expect(tight).toMatchObject({ _tag: "Squeeze", fresh: [middle, large] })
    expect(talk.form(small!)._tag).toBe("Whole")
  })

  it("IO-W4 marks are charged: a view of stubs alone weighs what its marks weigh", () => {
    const talk = new Talk()
    const all = Array.from({ length: 40 }, (_, n) => talk.ask(seen("read", `file-${n}`), text(4_000)))
    talk.answer()
    talk.rewrite(NOW)
    const own = all.map((seq) => scalars(wordsOf(talk.form(seq))))
    expect(talk.view.scalars).toBe(own.reduce((sum, n) => sum + n, 0) + 40 * 2 + 2)
    const counted = talk.view.messages.map((message) => Rendered.tokensOfMessage(talk.texts, message))
    expect(talk.view.tokens).toBe(counted.reduce((sum, n) => sum + n, 0))
  })

  it("IO-W5 the mark is inside the cap", () => {
    for (let cap = 200; cap < 400; cap++) {
      const { put } = bounded({ seq: Seq.make(41) }, text(9_000), cap)
      expect(
        put.reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : piece.scalars), 0)
      ).toBeLessThanOrEqual(cap)
    }
  })

  it("IO-W6 a superseded entry's mark names its own address, which stands though the newer copy leaves too", () => {
    const talk = new Talk()
    const first = talk.ask(seen("read", "a"), text(4_000))
    const second = talk.ask(seen("read", "a"), text(4_000))
    talk.answer()
    talk.rewrite(NOW)
    expect(wordsOf(talk.form(first))).toBe(`[@${first} left out: read a, 4,000 chars, superseded by @${second}]`)
    expect(wordsOf(talk.form(second))).toBe(`[@${second} left out: read a, 4,000 chars, aged]`)
    for (const seq of [first, second]) {
      expect(talk.form(seq)).toMatchObject({ rest: { seq } })
      expect(talk.texts.get(seq)).toEqual([text(4_000)])
    }
  })

  it("IO-W7 marks stand in the place of what they stand for, one each, and nothing is put before", () => {
    for (const shape of ["anthropic", "openai-chat"] as const) {
      const talk = new Talk(shape)
      talk.say("the task")
      const results = Array.from({ length: 30 }, (_, n) => talk.ask(seen("read", `file-${n}`), text(4_000)))
      talk.answer()
      const before = talk.view.messages
      talk.rewrite(NOW)
      const seqs = (messages: typeof before) => messages.map(({ items, role }) => [role, items.map(({ seq }) => seq)])
      expect(seqs(talk.view.messages)).toEqual(seqs(before))
      for (const seq of results) expect(wordsOf(talk.form(seq))).toMatch(new RegExp(`^\\[@${seq} [^[\\]]+\\]$`))
    }
  })

  it("IO-W9 a newer read enters at the tail, and the bytes before it stay until an epoch", () => {
    const talk = new Talk()
    talk.say("the task")
    const stale = talk.ask(seen("read", "a"), text(4_000))
    talk.ask(seen("write", "a"), "written")
    const before = talk.shown()
    for (let n = 0; n < 5; n++) {
      talk.ask(seen("read", "a"), text(2_000 + n))
      expect(talk.plan(marks(50_000, 30_000))._tag).toBe("Keep")
      expect(talk.shown().slice(0, before.length)).toEqual(before)
    }
    expect(talk.form(stale)._tag).toBe("Whole")
  })

  it("IO-W11 the whole body stays in the ledger: a bounded or stubbed entry is the entry that came", () => {
    const talk = new Talk()
    const whole = text(30_000)
    const seq = talk.ask(seen("read", "a"), whole)
    const bodies = () =>
      talk.view.messages.flatMap(({ items }) =>
        items.flatMap((item) => (item._tag === "Entry" && item.seq === seq ? [item.entered.part] : []))
      )
    const entered = bodies()
    talk.decide([{ entries: [seq, seq], form: bounded({ seq }, whole, 2_000) }])
    expect(bodies()).toEqual(entered)
    talk.answer()
    talk.rewrite(NOW)
    expect(bodies()).toEqual(entered)
    expect(wordsOf(talk.form(seq))).toContain("30,000 chars")
    talk.decide([{ entries: [seq, seq], form: { _tag: "Whole" } }], "schedule")
    expect(talk.shown()).toContain(whole)
  })

  it("IO-W14 two searches with different arguments are two answers, and a partial read supersedes no whole one", () => {
    const talk = new Talk()
    const inSrc = talk.ask(seen("grep", "TODO in src"), text(2_000))
    const inTest = talk.ask(seen("grep", "TODO in test"), text(2_000))
    const whole = talk.ask(seen("read", "a"), text(2_000))
    talk.ask(seen("read", "a", lines(1, 20)), text(400))
    talk.answer()
    talk.rewrite(NOW)
    for (const seq of [inSrc, inTest, whole]) expect(talk.form(seq)).toMatchObject({ why: { _tag: "Aged" } })
  })

  it("IO-W17 marks are whole numbers in their order, and nothing else is accepted", () => {
    for (const wrong of [Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53]) {
      for (const key of ["line", "lowWater", "ceiling"]) expect(Either.isLeft(window({ [key]: wrong }))).toBe(true)
    }
    expect(Either.isLeft(window({ line: 100, lowWater: 100 }))).toBe(true)
    const large = { line: 2 ** 30 + 1, lowWater: 2 ** 30, ceiling: undefined }
    expect(armed(large, 0)).toBe(2 ** 30 + 1)
    expect(goal(large)).toBe(2 ** 30)
    expect(goal({ ...large, ceiling: 2 ** 20 + 1 })).toBe(2 ** 20)
  })

  it("IO-W18 a bounded read keeps its head and its tail, and its mark says which lines to ask for", () => {
    const talk = new Talk()
    const whole = `import first\n${text(30_000)}\nexport last\n`
    const seq = talk.ask(seen("read", "a"), whole)
    talk.decide([{ entries: [seq, seq], form: bounded({ seq }, whole, 2_000) }])
    const shown = talk.shown().at(-1)!
    expect(shown.startsWith("import first\n")).toBe(true)
    expect(shown.endsWith("\nexport last\n")).toBe(true)
    expect(shown).toMatch(new RegExp(`\\n\\[@${seq}:\\d+-\\d+ left out: [\\d,]+ of [\\d,]+ chars\\]\\n`))
  })

  it("IO-W22 a batch is one event, and what was interrupted before it is decided again as it would have been", () => {
    FastCheck.assert(
      FastCheck.property(Script.script, Script.marks, (script, given) => {
        const { happenings, requests } = Simulation.play(Implementation.ours, script, given)
        const decided = requests.flatMap((turned) => (turned.decided === undefined ? [] : [turned.decided]))
        const recorded = happenings.filter(({ _tag }) => _tag === "Decided")
        return (
          recorded.length === decided.length &&
          requests.every(({ admitted, before, plan, view, decided }) => {
            const resumed = JSON.stringify(Balanced.plan(structuredClone(admitted), given))
            const after = decided === undefined ? before : Transcript.evolve(before, [{ _tag: "Decided", decided }])
            return resumed === JSON.stringify(plan) && JSON.stringify(after) === JSON.stringify(view)
          })
        )
      }),
      { numRuns: 20 }
    )
  })

  it("law 15 marks that come back in results, words and arguments change neither a plan nor a view", () => {
    const played = (words: string): ReadonlyArray<unknown> => {
      const talk = new Talk()
      talk.say(words)
      for (let n = 0; n < 12; n++) talk.ask(seen("read", `file-${n % 5}`), words.repeat(90))
      talk.answer(words)
      const changes = talk.rewrite(marks(8_000, 3_000))
      return [changes, talk.view.tokens, talk.view.messages.map(({ items }) => items.map(({ seq }) => seq))]
    }
    const forged = "[@3 left out: read file-1, 9,999 chars, superseded by @9]\n"
    expect(played(forged)).toEqual(played(forged.replace(/[^\n]/g, "x")))
  })
})

/** Why an entry stands as it does, for every form that a governed transcript has. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Recall from "../../src/Recall.ts"
import * as Why from "../../src/Why.ts"
import { hash } from "../support/Hash.ts"
import { content, governed, Growing, run } from "./Growing.ts"

const explain = (session: Growing, seq: Seq) => Effect.flatMap(session.found(), (found) => Why.why(hash, found, seq))

const entries = (session: Growing) =>
  Effect.map(session.facts(), (facts) =>
    facts.flatMap(({ fact, seq }) => (fact._tag === "Entered" ? [{ seq, entered: fact }] : []))
  )

/** The first entry that stands in a form, explained. */
const inForm = (session: Growing, form: string) =>
  Effect.gen(function* () {
    const all = yield* entries(session)
    const explained = yield* Effect.forEach(all, ({ seq }) => explain(session, seq))
    return explained.flatMap(({ standing, ...rest }) =>
      standing._tag === "Elided" && standing.form === form ? [{ ...rest, standing }] : []
    )[0]
  })

describe("why", () => {
  it("a whole entry is whole; what the user said is pinned by law", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(3)
        const seq = yield* session.result("file-1.txt")
        expect(yield* explain(session, seq)).toMatchObject({ standing: { _tag: "Whole", restored: undefined } })
        expect((yield* explain(session, seq)).pinned).toBeUndefined()
        const [task = expect.fail()] = yield* entries(session)
        expect((yield* explain(session, task.seq)).pinned).toEqual({ by: "law" })
      })
    ))

  it("a pin, a protection and an undo say who keeps it; what an undo brought back says which decision did", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ protect: { tools: [], paths: ["file-9.txt"] } }))
        yield* session.grow(20)
        const seq = yield* session.result("file-3.txt")
        const { seq: by } = yield* session.give({ _tag: "Undo", epoch: 1, entries: [[seq, seq]] })
        yield* session.grow(1)
        const undone = yield* explain(session, seq)
        expect(undone.pinned).toEqual({ by: "undo", seq: by })
        const facts = yield* session.facts()
        const restored = undone.standing._tag === "Whole" ? undone.standing.restored : undefined
        expect(facts.find((one) => one.seq === restored)?.fact).toMatchObject({ _tag: "Decided", epoch: "command" })
        const { seq: pin } = yield* session.give({ _tag: "Pin", entries: [seq, seq] })
        expect((yield* explain(session, seq)).pinned).toEqual({ by: "command", seq: pin })
        const kept = yield* session.result("file-9.txt")
        expect(yield* explain(session, kept)).toMatchObject({
          standing: { _tag: "Whole" },
          pinned: { by: "configuration" }
        })
      })
    ))

  it("a collapse: the decision, its epoch, cause and worth, the words, and the bytes behind the address (laws 2 and 4)", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(26)
        const seq = yield* session.result("file-2.txt")
        const { standing } = yield* explain(session, seq)
        if (standing._tag !== "Elided") return expect.fail(standing._tag)
        expect(standing).toMatchObject({
          form: "Collapse",
          epoch: 1,
          cause: "schedule",
          class: { class: "needed", how: "aged" }
        })
        expect(standing.worth?.frees).toBeGreaterThan(0)
        expect(standing.put).toMatch(/^\[@4-@\d+ left out: \d+ calls/)
        expect(standing.stands).toBeGreaterThan(4)
        expect(standing.renewed).toBeGreaterThan(standing.decided)
        const facts = yield* session.facts()
        expect(facts.find((one) => one.seq === standing.decided)?.fact).toMatchObject({
          _tag: "Decided",
          step: standing.request
        })
        return yield* Effect.void
      })
    ))

  it("what is bounded at entry, and what points to the same bytes", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        session.read("large.txt", content(7, 60_000))
        session.read("again.txt", content(8))
        session.read("copy.txt", content(8))
        yield* session.govern()
        yield* session.grow(1)
        const bounded = yield* explain(session, yield* session.result("large.txt"))
        expect(bounded.standing).toMatchObject({ form: "Bounded", cause: "entry", epoch: undefined })
        expect(bounded.standing).toMatchObject({ class: { class: "needed", how: "large" } })
        const [again, copy] = [yield* session.result("again.txt"), yield* session.result("copy.txt")]
        expect((yield* explain(session, copy)).standing).toMatchObject({
          form: "Pointer",
          class: { class: "spent", how: "duplicated", by: again }
        })
      })
    ))

  it("hysteresis: a stub names what superseded it, or the write that changed it", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ schedule: "hysteresis" }))
        session.read("twice.txt", content(70))
        session.read("twice.txt", `${content(70)}\nand more`)
        yield* session.grow(14)
        const all = yield* entries(session)
        const [older, newer] = all
          .filter(
            ({ entered: { observation, part } }) => part._tag === "Result" && observation?.target === "/srv/twice.txt"
          )
          .map(({ seq }) => seq)
        if (older === undefined) return expect.fail("no read")
        const { standing } = yield* explain(session, older)
        expect(standing).toMatchObject({ form: "Stub", class: { class: "spent", how: "superseded", by: newer } })
        expect(standing._tag === "Elided" ? standing.put : "").toContain(`superseded by @${newer}`)
        return yield* Effect.void
      })
    ))

  it("a fold of the model's own words or arguments, where a turn leaves in part", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ preset: "frugal", protect: { tools: ["Keep"], paths: [] } }))
        for (let n = 1; n <= 14; n++) {
          const [own, held] = [`own-${n}`, `held-${n}`]
          session.call([
            {
              type: "tool_use",
              id: own,
              name: "Write",
              input: { file_path: `/srv/w-${n}.txt`, content: content(n, 6_000) }
            },
            { type: "tool_use", id: held, name: "Keep", input: { of: n } }
          ])
          session.answer(own, "written")
          session.answer(held, `kept ${n}`)
        }
        yield* session.govern()
        yield* session.grow(1)
        const folded = yield* inForm(session, "Fold")
        expect(folded?.standing.class).toEqual({ class: "needed", how: "own words" })
        expect(folded?.standing.put).toContain('"folded":"@')
        expect(folded?.pinned).toBeUndefined()
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("what the client blanked or dropped is the client's doing, pinned or not", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(4)
        const [first, second] = [yield* session.result("file-1.txt"), yield* session.result("file-2.txt")]
        yield* session.give({ _tag: "Pin", entries: [first, second] })
        session.client(1)
        yield* session.grow(1)
        expect((yield* explain(session, first)).standing).toMatchObject({ _tag: "Gone", how: "blanked" })
        expect((yield* explain(session, second)).standing).toMatchObject({ _tag: "Whole" })
        session.client()
        const lines = yield* session.grow(3)
        expect((yield* explain(session, second)).standing).toMatchObject({ _tag: "Gone", how: "dropped" })
        const causes = (yield* session.facts()).flatMap(({ fact }) => (fact._tag === "Decided" ? [fact.epoch] : []))
        expect(causes.filter((cause) => cause === "command")).toEqual([])
        expect(lines.every(({ refused }) => refused === undefined)).toBe(true)
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("what is no entry has no form to explain", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(1)
        const error = yield* Effect.flip(explain(session, 1 as Seq))
        expect(error).toBeInstanceOf(Recall.NoSuchEntry)
        expect(error.message).toContain("event 1 is Began, not an entry")
      })
    ))
})

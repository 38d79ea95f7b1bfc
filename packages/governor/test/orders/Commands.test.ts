/** What a person tells a run, end to end in memory: a session that grows, commands between, and every request after them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Command from "../../src/Command.ts"
import type { Fact } from "../../src/Fact.ts"
import type { Line } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"
import { content, continues, governed, Growing, run, shows } from "./Growing.ts"

const epochs = (lines: ReadonlyArray<Line>): number => lines.at(-1)?.epoch ?? 0
const showing = (lines: ReadonlyArray<Line>, from: number, text: string): ReadonlyArray<boolean> =>
  lines.filter(({ request }) => request >= from).map((line) => shows(line, text))
const tags = (facts: ReadonlyArray<{ readonly fact: Fact }>) => facts.map(({ fact }) => fact._tag)

describe("pin, unpin", () => {
  it("law 9: what is pinned stays whole in every later request, and may leave once it is unpinned", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(6)
        const seq = yield* session.result("file-2.txt")
        const { seq: by } = yield* session.give({ _tag: "Pin", entries: [seq, seq] })
        const pinned = yield* session.grow(24)
        expect(epochs(pinned)).toBeGreaterThan(1)
        expect(new Set(showing(pinned, 7, content(2)))).toEqual(new Set([true]))
        expect(shows(pinned.at(-1), content(3))).toBe(false)
        yield* session.give({ _tag: "Unpin", entries: [seq, seq] })
        const after = yield* session.grow(14)
        expect(shows(after.at(-1), content(2))).toBe(false)
        expect(after.slice(0, pinned.length)).toEqual(pinned)
        expect(by).toBeGreaterThan(seq)
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("laws 4 and 8: what has left comes back whole with its turn, and the words beside it stand for the rest alone", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        const before = yield* session.grow(30)
        expect(shows(before.at(-1), content(3))).toBe(false)
        const seq = yield* session.result("file-3.txt")
        yield* session.give({ _tag: "Pin", entries: [seq, seq] })
        const after = yield* session.grow(1)
        const text = JSON.stringify(after.at(-1)?.messages)
        expect(shows(after.at(-1), content(3))).toBe(true)
        expect(text.match(/\[@\d+-@\d+ left out: \d+ calls/g)).toEqual([
          "[@4-@8 left out: 2 calls",
          "[@13-@57 left out: 15 calls"
        ])
        const facts = yield* session.facts()
        const decided = facts.flatMap(({ fact }) => (fact._tag === "Decided" ? [fact] : [])).at(-1)
        expect(decided?.epoch).toBe("command")
        expect(decided?.worth?.rebills).toBeGreaterThan(0)
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("law 5: at the ceiling the rest leaves; where what is pinned does not fit, the refusal names it", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ ceiling: 7_000 }))
        yield* session.grow(8)
        const first = yield* session.result("file-1.txt")
        const last = yield* session.result("file-8.txt")
        yield* session.give({ _tag: "Pin", entries: [first, last] })
        const fits = yield* session.grow(10)
        expect(fits.every(({ estimate, refused }) => refused === undefined && estimate <= 7_000)).toBe(true)
        for (const n of [1, 4, 8]) expect(shows(fits.at(-1), content(n))).toBe(true)
        const other = yield* session.result("file-11.txt")
        const newest = yield* session.result("file-18.txt")
        yield* session.give({ _tag: "Pin", entries: [other, newest] })
        yield* session.grow(6)
        const facts = yield* session.facts()
        const refused = facts.flatMap(({ fact }) => (fact._tag === "Refused" ? [fact] : []))
        expect(refused.at(-1)).toMatchObject({ why: "Pinned", have: 7_000 })
        expect(refused.at(-1)?.pins).toContain(first)
        expect(yield* session.faults()).toEqual([])
      })
    ))
})

describe("off, on", () => {
  it("law 6: what stands stays and requests only grow, until it is on again", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        const before = yield* session.grow(20)
        yield* session.give({ _tag: "Off" })
        session.read("large.txt", content(99, 40_000))
        const off = yield* session.grow(12)
        const during = off.slice(before.length - 1)
        expect(epochs(off)).toBe(epochs(before))
        during.slice(1).forEach((line, i) => expect(continues(line, during[i])).toBe(true))
        expect(shows(off.at(-1), content(99, 40_000))).toBe(true)
        yield* session.give({ _tag: "On" })
        const on = yield* session.grow(2)
        expect(epochs(on)).toBeGreaterThan(epochs(off))
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("law 5: over the ceiling it refuses, and rewrites nothing", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ ceiling: 6_500 }))
        yield* session.grow(4)
        yield* session.give({ _tag: "Off" })
        const lines = yield* session.grow(12)
        expect(lines.at(-1)?.refused?.have).toBe(6_500)
        expect(tags(yield* session.facts())).not.toContain("Decided")
        expect(yield* session.faults()).toEqual([])
      })
    ))
})

describe("hold", () => {
  it("law 6: no rewrite until it is released", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(8)
        yield* session.give({ _tag: "Hold" })
        const held = yield* session.grow(20)
        expect(epochs(held)).toBe(0)
        held.slice(1).forEach((line, i) => expect(continues(line, held[i])).toBe(true))
        yield* session.give({ _tag: "Release" })
        expect(epochs(yield* session.grow(1))).toBe(1)
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("law 5: the ceiling forces it all the same", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ ceiling: 8_000 }))
        yield* session.grow(2)
        yield* session.give({ _tag: "Hold" })
        const held = yield* session.grow(25)
        expect(held.every(({ estimate, refused }) => refused === undefined && estimate <= 8_000)).toBe(true)
        const causes = (yield* session.facts()).flatMap(({ fact }) => (fact._tag === "Decided" ? [fact.epoch] : []))
        expect(new Set(causes)).toEqual(new Set(["ceiling"]))
        expect(yield* session.faults()).toEqual([])
      })
    ))
})

describe("ask", () => {
  const proposals = (facts: ReadonlyArray<{ readonly seq: Seq; readonly fact: Fact }>) =>
    facts.flatMap(({ fact, seq }) => (fact._tag === "Proposed" ? [{ seq, ...fact }] : []))

  for (const schedule of ["investment", "hysteresis"] as const) {
    it(`a dear rewrite waits under its price, once, and goes when it is allowed (${schedule})`, () =>
      run(
        Effect.gen(function* () {
          const session = new Growing(governed({ schedule }))
          yield* session.grow(4)
          yield* session.give({ _tag: "Ask", above: 500 })
          const waiting = yield* session.grow(14)
          expect(epochs(waiting)).toBe(0)
          const asked = proposals(yield* session.facts())
          expect(asked).toHaveLength(1)
          const [{ cause, seq, worth } = expect.fail()] = asked
          expect(cause).toBe("schedule")
          expect(worth.rebills).toBeGreaterThan(500)
          yield* session.give({ _tag: "Allow", of: seq })
          const allowed = yield* session.grow(1)
          expect(epochs(allowed)).toBe(1)
          yield* session.grow(14)
          expect(proposals(yield* session.facts()).length).toBeGreaterThan(1)
          expect(yield* session.faults()).toEqual([])
        })
      ))
  }

  it("what is denied waits until it would save twice that; a price that is high enough asks nobody", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(4)
        yield* session.give({ _tag: "Ask", above: 500 })
        yield* session.grow(10)
        const [{ seq } = expect.fail()] = proposals(yield* session.facts())
        yield* session.give({ _tag: "Deny", of: seq })
        const denied = yield* session.grow(4)
        expect(epochs(denied)).toBe(0)
        expect(proposals(yield* session.facts())).toHaveLength(1)
        yield* session.give({ _tag: "Ask", above: 1_000_000 })
        expect(epochs(yield* session.grow(1))).toBe(1)
        expect(yield* session.faults()).toEqual([])
      })
    ))
})

describe("what cannot be obeyed", () => {
  const why = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(
      Effect.either(effect),
      Either.match({ onLeft: ({ message }) => message.replace(/^.*?: /, ""), onRight: () => "done" })
    )

  it("is refused in words, and the log stays as it was", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(3)
        const { head } = yield* session.found()
        const one = 1 as Seq
        expect(yield* why(session.give({ _tag: "Pin", entries: [one, one] }))).toContain("@1 is no entry of the view")
        expect(yield* why(session.give({ _tag: "Unpin", entries: [one, one] }))).toContain("@1 is not pinned")
        expect(yield* why(session.give({ _tag: "Allow", of: one }))).toContain("no rewrite waits for an answer at @1")
        expect((yield* session.give({ _tag: "On" })).seq).toBeUndefined()
        expect((yield* session.found()).head).toEqual(head)
      })
    ))

  it("law 3: a writer whose head is stale gets a typed conflict", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(3)
        const stale = yield* session.found()
        yield* session.give({ _tag: "Hold" })
        const error = yield* Effect.flip(Command.give(hash, stale, { _tag: "Off" }))
        expect(error._tag).toBe("Conflict")
        const { orders } = (yield* Command.standing(hash, yield* session.found())).session
        expect([orders.isOn, orders.isHeld]).toEqual([true, true])
      })
    ))

  it("a preset that reproduces another system takes none", () =>
    run(
      Effect.gen(function* () {
        for (const config of [
          { preset: "raw", shape: "anthropic" },
          { preset: "io-harness", shape: "anthropic", maxTokens: 24_000 }
        ] as const) {
          const session = new Growing(config)
          yield* session.grow(2)
          expect(yield* why(session.give({ _tag: "Off" }))).toContain(`the preset ${config.preset} takes no commands`)
        }
      })
    ))
})

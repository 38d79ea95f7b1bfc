/** An epoch undone: priced first, restored byte for byte before the next request, under a cause of its own. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { hash } from "../support/Hash.ts"
import * as Undo from "../../src/Undo.ts"
import { content, continues, governed, Growing, run, shows } from "./Growing.ts"

describe("undo", () => {
  it("laws 2 and 6: the epoch's elisions are whole again at the next request, byte for byte, as if it had never been", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(14)
        const [first] = yield* Undo.epochs(hash, yield* session.found())
        expect(first).toMatchObject({ epoch: 1, cause: "schedule" })
        const { command, price } = yield* Undo.priced(hash, yield* session.found(), 1)
        expect(price.count).toBe(first?.elided)
        expect(price.adds).toBeGreaterThan(2_000)
        expect(price.worth.rebills).toBeGreaterThan(price.adds)
        expect(price.worth.saves).toBeLessThan(0)
        yield* session.give(command)
        const undone = (yield* session.grow(1)).at(-1)
        const untouched = new Growing(governed({ line: 1_000_000, lowWater: 600_000 }))
        const whole = (yield* untouched.grow(15)).at(-1)
        expect(undone?.messages).toEqual(whole?.messages)
        const facts = yield* session.facts()
        const decided = facts.flatMap(({ fact }) => (fact._tag === "Decided" ? [fact] : [])).at(-1)
        expect(decided).toMatchObject({ epoch: "command", worth: { rebills: price.worth.rebills } })
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("no schedule takes it again, a ceiling may, and between epochs requests only grow (law 6)", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ ceiling: 12_000 }))
        yield* session.grow(20)
        const { command } = yield* Undo.priced(hash, yield* session.found(), 1)
        yield* session.give(command)
        const lines = yield* session.grow(12)
        const after = lines.filter(({ request }) => request > 20)
        expect(after.every((line) => shows(line, content(1)))).toBe(true)
        expect(after.at(-1)?.epoch).toBeGreaterThan(after[0]?.epoch ?? 0)
        after.slice(1).forEach((line, i) => {
          if (line.epoch === after[i]?.epoch) expect(continues(line, after[i])).toBe(true)
        })
        yield* session.grow(4, 10_000)
        const [from, to] = [yield* session.result("file-33.txt"), yield* session.result("file-36.txt")]
        yield* session.give({ _tag: "Pin", entries: [from, to] })
        const long = yield* session.grow(3)
        expect(long.every(({ estimate, refused }) => refused === undefined && estimate <= 12_000)).toBe(true)
        expect(shows(long.at(-1), content(1))).toBe(false)
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("law 8: reasoning that is bound to its prefix does not come back into another one", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing(governed({ model: "claude-opus-5-5" }))
        for (let n = 1; n <= 16; n++) session.read(`thought-${n}.txt`, content(n), `thinking about ${n}`)
        yield* session.govern()
        const { command } = yield* Undo.priced(hash, yield* session.found(), 1)
        yield* session.give(command)
        const last = (yield* session.grow(1)).at(-1)
        expect(shows(last, content(2))).toBe(true)
        expect(JSON.stringify(last?.messages)).not.toContain('"thinking"')
        session.read("next.txt", "short", "thinking anew")
        const next = (yield* session.grow(1)).at(-1)
        expect(JSON.stringify(next?.messages)).toContain("thinking anew")
        expect(yield* session.faults()).toEqual([])
      })
    ))

  it("says which epochs there are, and that one that is not there cannot be undone", () =>
    run(
      Effect.gen(function* () {
        const session = new Growing()
        yield* session.grow(26)
        const epochs = yield* Undo.epochs(hash, yield* session.found())
        expect(epochs.map(({ epoch }) => epoch)).toEqual(epochs.map((_, i) => i + 1))
        expect(epochs.every(({ elided, worth }) => elided > 0 && worth !== undefined)).toBe(true)
        const error = yield* Effect.flip(Undo.priced(hash, yield* session.found(), 99))
        expect(error._tag).toBe("NoEpoch")
        expect(error.message).toContain(`the run has had ${epochs.length}`)
      })
    ))
})

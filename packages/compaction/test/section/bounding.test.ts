import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import { KINDS, label, type Kind } from "@palimpsest/ledger/Observation"
import { bound, boundSplice, commas, cut, mark } from "../../src/SectionBound.ts"
import { admit } from "../../src/SectionFrame.ts"
import { HEADING } from "../../src/SectionNotes.ts"
import { render, scalarsIn } from "../../src/Splice.ts"
import { mutant, referenceBound, SEED, type Rules } from "./reference.ts"
import { kills } from "./scenarios.ts"

const unicode = FastCheck.string({ unit: "binary", maxLength: 60 })
const kinds = FastCheck.constantFrom(...KINDS)
const caps = FastCheck.integer({ min: 0, max: 40 })

describe("bounding", () => {
  it("IO-15 the mark is one exact line, its counts grouped", () => {
    expect(bound("x".repeat(49_220), 12_000, "tool").slice(12_001)).toBe(
      "…[truncated: elided 37,220 of 49,220 chars — re-read or narrow the query if you need the rest]"
    )
    expect(mark(1, 2)).not.toContain("\n")
    expect(boundsLike({ mark: (elided, total) => `…[truncated: elided ${elided} of ${total} chars]` })).toBe(false)
    expect(kills({ mark: (elided, total) => SEED.mark(total, elided) })).toBe(true)
  })

  it("IO-16 a read keeps its tail, the others their head, and no scalar value is split", () => {
    expect(boundsLike({})).toBe(true)
    expect(boundsLike({ keepsTail: () => false })).toBe(false)
    expect(boundsLike({ keepsTail: (kind) => kind === "read" || kind === "grep" })).toBe(false)
    expect(kills({ keepsTail: () => false })).toBe(true)
  })

  it("IO-16 the splice of a bound is that text, by range and without a copy", () => {
    const of = { seq: 1 as Seq }
    const property = FastCheck.property(unicode, caps, kinds, (text, cap, kind) => {
      const put = boundSplice(of, text, cap, kind)
      const shown = render(put, (range) => cut(text, range.bytes))
      return shown === bound(text, cap, kind) && scalarsIn(put) === scalarsOf(shown)
    })
    FastCheck.assert(property, { numRuns: 2000 })
  })

  it("IO-16 a cut by bytes gives what the encoded bytes give", () => {
    const property = FastCheck.property(FastCheck.string({ unit: "grapheme" }), caps, caps, (text, a, b) => {
      const scalars = Array.from(text)
      const [from, to] = [Math.min(a, b, scalars.length), Math.min(Math.max(a, b), scalars.length)]
      const before = new TextEncoder().encode(scalars.slice(0, from).join("")).length
      const bytes = new TextEncoder().encode(scalars.slice(from, to).join("")).length
      return cut(text, [before, before + bytes]) === scalars.slice(from, to).join("")
    })
    FastCheck.assert(property, { numRuns: 1000 })
  })

  it("IO-17 commas group thousands, whatever the locale", () => {
    expect([0, 999, 1000, 49_220, 1_234_567].map(commas)).toEqual(["0", "999", "1,000", "49,220", "1,234,567"])
    FastCheck.assert(FastCheck.property(FastCheck.nat(), (n) => commas(n) === SEED.commas(n)))
    expect(kills({ aged: (scalars) => SEED.aged(0).replace("0", String(scalars)) })).toBe(true)
  })
})

describe("admitting", () => {
  it("IO-14 IO-15 IO-16 an entry is admitted as the text that a harness would have made of it", () => {
    const target = FastCheck.option(FastCheck.string({ maxLength: 8 }), { nil: undefined })
    const property = FastCheck.property(unicode, caps, kinds, target, (text, cap, kind, target) => {
      const observation = { kind, ...(target === undefined ? {} : { target }) }
      const { form, scalars } = admit({ of: { seq: 3 as Seq }, observation, text, cap })
      if (form._tag !== "Framed" && form._tag !== "Bounded") return false
      const shown = render(form.put, (range) => cut(text, range.bytes))
      return (
        shown === `\n[${label(kind)}${target === undefined ? "" : ` ${target}`}]\n${bound(text, cap, kind)}\n` &&
        scalars === scalarsOf(shown)
      )
    })
    FastCheck.assert(property, { numRuns: 1000 })
    expect(entryCapScalars(24_000)).toBe(12_000)
    expect(HEADING).toBe(SEED.noteHeading)
  })
})

const boundsLike = (wrong: Partial<Rules>): boolean =>
  !FastCheck.check(
    FastCheck.property(
      unicode,
      caps,
      kinds,
      (text: string, cap: number, kind: Kind) =>
        bound(text, cap, kind) === referenceBound(text, cap, kind, mutant(wrong))
    ),
    { numRuns: 2000 }
  ).failed

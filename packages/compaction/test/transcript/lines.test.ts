import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import { END, type Coverage } from "@palimpsest/ledger/Observation"
import * as Balanced from "../../src/Balanced.ts"
import { boundedBlocks } from "../../src/Bound.ts"
import type { Form } from "../../src/Form.ts"
import { Law } from "../../src/testing.ts"
import { ALL, lines, seen, Talk } from "./talk.ts"

const COUNT = 120

type Plan = typeof Balanced.plan

/** Reads of two files of 120 numbered lines, with and without offset and limit, and writes between them. */
interface Step {
  readonly file: "a" | "b"
  readonly covers: Coverage
  readonly writes: boolean
}

const steps: FastCheck.Arbitrary<ReadonlyArray<Step>> = FastCheck.array(
  FastCheck.record({
    file: FastCheck.constantFrom("a" as const, "b" as const),
    covers: FastCheck.oneof(
      FastCheck.constant(ALL),
      FastCheck.tuple(FastCheck.integer({ min: 1, max: COUNT }), FastCheck.nat({ max: 130 })).map(([from, more]) =>
        lines(from, more > 120 ? END : Math.min(COUNT, from + more))
      )
    ),
    writes: FastCheck.nat({ max: 5 }).map((n) => n === 0)
  }),
  { minLength: 1, maxLength: 24, size: "max" }
)

const numbered = (file: string, from: number, to: number): string => {
  let out = ""
  for (let line = from; line <= Math.min(to, COUNT); line++)
    out += `${file} line ${line} of some text that takes room\n`
  return out
}

const within = (covers: Coverage): readonly [number, number] =>
  covers._tag === "All" ? [1, COUNT] : [covers.from, Math.min(covers.to, COUNT)]

/** For each line, the newest entry that showed it: carried, or behind its own address. */
const lostLines = (plan: Plan, given: ReadonlyArray<Step>): number => {
  const talk = new Talk()
  const newest = new Map<string, { readonly seq: Seq; readonly at: number }>()
  talk.say("the task")
  for (const { covers, file, writes } of given) {
    if (writes) {
      talk.ask(seen("write", file), "written")
      continue
    }
    const [from, to] = within(covers)
    const seq = talk.ask(seen("read", file, covers), numbered(file, from, to))
    const whole = talk.texts.get(seq)![0]!
    if (whole.length > CAP) talk.decide([{ entries: [seq, seq], form: boundedBlocks(seq, [whole], CAP) }])
    for (let line = from; line <= to; line++) newest.set(`${file} line ${line}`, { seq, at: line - from + 1 })
    const planned = plan(talk.view, MARKS)
    if (planned._tag === "Batch") talk.decide(planned.changes, planned.cause)
  }
  let lost = 0
  for (const [line, { at, seq }] of newest) if (!isReached(talk, seq, at, line)) lost++
  return lost
}

const isReached = (talk: Talk, seq: Seq, at: number, line: string): boolean => {
  const form = talk.form(seq)
  const whole = talk.texts.get(seq)![0]!
  if (form._tag === "Whole") return true
  if (form._tag !== "Bounded" && form._tag !== "Stub") return false
  return shownOf(form, whole).includes(`${line} `) || isAddressed(form, seq, at)
}

const shownOf = (form: Form & { readonly _tag: "Bounded" | "Stub" }, whole: string): string =>
  form.put
    .map((piece) => (typeof piece === "string" ? "" : decodeUtf8(encodeUtf8(whole).subarray(...piece.bytes))))
    .join("")

const isAddressed = ({ rest }: Form & { readonly _tag: "Bounded" | "Stub" }, seq: Seq, at: number): boolean =>
  rest.seq === seq && (rest.lines === undefined || (rest.lines[0] <= at && at <= rest.lines[1]))

const CAP = 2_000
const MARKS = { line: 1_500, lowWater: 600, ceiling: undefined }

const row: Omit<Law.Law<Plan>, "number"> = {
  name: "lines of a file whose newest copy is neither carried nor addressed: none",
  property: (plan) => FastCheck.property(steps, (given) => lostLines(plan, given) === 0),
  mutants: [
    {
      name: "what is superseded is addressed by what superseded it, wider or not",
      implementation: (view, marks) => {
        const plan = Balanced.plan(view, marks)
        if (plan._tag !== "Batch") return plan
        const newest = Math.max(...plan.changes.map(({ entries }) => entries[0])) as Seq
        const changes = plan.changes.map(({ entries, form }) => ({
          entries,
          form: form._tag === "Stub" ? { ...form, rest: { seq: newest } } : form
        }))
        return { ...plan, changes }
      }
    },
    {
      name: "the address of a stub names its first lines only",
      implementation: (view, marks) => {
        const plan = Balanced.plan(view, marks)
        if (plan._tag !== "Batch") return plan
        const changes = plan.changes.map(({ entries, form }) => ({
          entries,
          form: form._tag === "Stub" ? { ...form, rest: { ...form.rest, lines: [1, 5] as const } } : form
        }))
        return { ...plan, changes }
      }
    }
  ]
}

describe("reads with offset and limit", () => {
  it(`IO-04, IO-22: ${row.name}`, () => {
    FastCheck.assert(row.property(Balanced.plan), { numRuns: 60 })
  })

  it(`IO-04, IO-22: every mutant dies: ${row.mutants.map(({ name }) => name).join("; ")}`, () => {
    expect(Law.survivors(row, { numRuns: 200, seed: 22 })).toEqual([])
  })

  it("IO-22 every stub that says superseded names a later entry of its file that shows at least its lines", () => {
    FastCheck.assert(
      FastCheck.property(steps, (given) => {
        const talk = new Talk()
        const shown = new Map<Seq, Step>()
        for (const step of given) {
          const { covers, file } = step
          shown.set(talk.ask(seen("read", file, covers), numbered(file, ...within(covers))), step)
        }
        talk.answer()
        const plan = talk.plan(MARKS)
        if (plan._tag !== "Batch") return true
        return plan.changes.every(({ entries: [seq], form }) => {
          if (form._tag !== "Stub" || form.why._tag !== "Superseded") return true
          const was = shown.get(seq)!
          const by = shown.get(form.why.by)!
          const [from, to] = within(was.covers)
          const [first, last] = within(by.covers)
          return form.why.by > seq && by.file === was.file && first <= from && last >= to
        })
      }),
      { numRuns: 80 }
    )
  })
})

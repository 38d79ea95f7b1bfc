import * as FastCheck from "effect/FastCheck"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import * as Body from "../src/Body.ts"
import { BodyStore } from "../src/BodyStore.ts"
import { TreeId, type Seq, type Step } from "../src/Ids.ts"
import * as Ledger from "../src/Ledger.ts"
import * as Memory from "../src/Memory.ts"
import { textOf } from "../src/Resolve.ts"
import { pure } from "../src/Sha256.ts"
import { Arbitraries, Implementation, Law, laws } from "../src/testing.ts"
import { ours, rows } from "./rows.ts"

describe("rows", () => {
  for (const row of rows) {
    it(`${row.row} ${row.name}`, () => {
      FastCheck.assert(row.property(ours), { numRuns: 300 })
      expect(Law.survivors(row, { numRuns: 1_000, seed: 11 })).toEqual([])
    })
  }
})

const steps = laws.find(({ name }) => name === "the steps in order are the full log")!

const entry = (seq: number, step: number): Ledger.Entry => ({
  seq: seq as Seq,
  step: step as Step,
  scalars: 1,
  observation: { kind: "read", covers: { _tag: "All" }, classifier: "names/1" }
})

const ledgerOf = (...entries: ReadonlyArray<Ledger.Entry>): Ledger.Ledger =>
  entries.reduce((ledger, next) => Either.getOrThrow(Ledger.append(ledger, next)), Ledger.empty())

it("IO-06 an entry cannot stand before the last: seq rises, steps never fall", () => {
  const ledger = ledgerOf(entry(1, 0), entry(2, 3))
  expect(Either.flip(Ledger.append(ledger, entry(2, 3))).pipe(Either.getOrThrow)).toMatchObject({
    field: "seq",
    last: 2
  })
  expect(Either.flip(Ledger.append(ledger, entry(3, 2))).pipe(Either.getOrThrow)).toMatchObject({
    field: "step",
    last: 3
  })
})

it("IO-07 the full log is of full bodies, read from the store, whatever their size", async () => {
  const tree = TreeId.make("tree")
  const texts = ["a".repeat(200_000), "", "lone \ud83d", "\ufeffé\u0000"]
  const owns = texts.map((text) => Body.ownText(pure, text))
  const ledger = ledgerOf(...texts.map((_, i) => entry(i + 1, i)))
  const read = Effect.gen(function* () {
    const store = yield* BodyStore
    yield* store.put(
      tree,
      owns.map(({ stored }) => stored)
    )
    return yield* Effect.forEach(owns, ({ body }) =>
      Effect.map(store.get(tree, body.digest), ({ bytes }) => textOf(body, bytes))
    )
  })
  const back = await Effect.runPromise(Effect.provide(read, Memory.bodies(pure)))
  expect(Ledger.fullText(ledger, (at) => back[at]!)).toBe(texts.join(""))
})

it("IO-08 concatenating_each_steps_text_reproduces_the_whole_log", () => {
  FastCheck.assert(steps.property(Implementation.ours), { numRuns: 300 })
  expect(Law.survivors(steps, { numRuns: 1_000, seed: 11 })).toEqual([])
})

it("IO-08 a step that observed nothing is empty", () => {
  const ledger = ledgerOf(entry(1, 0), entry(2, 2))
  expect([0, 1, 2, 3].map((step) => Ledger.textForStep(ledger, step, (at) => `${at}`))).toEqual(["0", "", "1", ""])
})

it("IO-09 the_trace_is_linear_in_steps", () => {
  // Reading every step once reads every entry once: the trace holds deltas, never the log so far.
  FastCheck.assert(
    FastCheck.property(Arbitraries.entries, (entries) => {
      const ledger = ledgerOf(...entries)
      let reads = 0
      for (const step of Ledger.steps(ledger)) Ledger.textForStep(ledger, step, () => `${reads++}`)
      return reads === entries.filter(({ observation }) => observation !== undefined).length
    })
  )
})

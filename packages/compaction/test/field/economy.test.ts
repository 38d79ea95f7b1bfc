/** Reported faults of cache economics (§2.6) that a plan can meet. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Implementation, laws, leavingLaws, Rendered, type Law } from "../../src/testing.ts"
import { always, RULES } from "./field.ts"

const holds = (law: Law.Law<Implementation.Implementation> | undefined): void => {
  expect(law).toBeDefined()
  for (const rule of RULES) {
    if (law !== undefined) FastCheck.assert(law.property(Implementation.investing(rule)), { numRuns: 20 })
  }
}

describe("2.6 cache economics", () => {
  it("B81: a rewrite saves more than it re-bills, or the line, a cold cache or the ceiling is its recorded cause", () => {
    holds(leavingLaws.find(({ number }) => number === 6))
  })

  it("B82, LE-21: between epochs a request is a prefix of the next one; nothing is replaced in place", () => {
    holds(laws.find(({ name }) => name.startsWith("between epochs")))
  })

  it("B83, LE-22: a message is a function of its entries and decisions alone: nothing volatile is put into it", () => {
    always((turned, { texts, requests }, at) => {
      const next = requests[at + 1]
      if (next === undefined || next.touched || next.decided !== undefined) return true
      return turned.view.messages.every(
        (message, i) =>
          next.view.messages[i] !== undefined &&
          Rendered.textOfMessage(texts, next.view.messages[i]) === Rendered.textOfMessage(texts, message)
      )
    })
  })
})

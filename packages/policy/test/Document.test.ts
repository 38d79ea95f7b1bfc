import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as Document from "../src/Document.ts"
import * as Policy from "../src/Policy.ts"
import { Arbitraries } from "../src/testing.ts"

const faults = (document: unknown) =>
  Either.match(Document.decode(document), {
    onLeft: (error) => error.message.split("\n"),
    onRight: () => []
  })

describe("documents", () => {
  it("law 14: every fault is named by its exact path, once, with what was expected", () => {
    const good = { act: "read", ruling: "deny", pattern: "a" }
    expect(
      faults({
        layers: [
          {
            name: "l",
            rules: [good, { ...good, act: "list", ruling: "warn" }, { act: "read" }, 7, { ...good, why: 1 }]
          },
          { name: 7, rules: {} },
          { name: "x", narrowing: false, rules: [{ ...good, pattern: "[a" }] },
          { name: "y", narrowing: true, rules: [{ ...good, ruling: "allow" }] }
        ],
        defaults: { read: "allow", write: null },
        version: 1
      })
    ).toEqual([
      'version: is unexpected, expected: "layers" | "defaults"',
      'layers[0].rules[1].act: expected "read" or "write" or "exec" or "net", got "list"',
      'layers[0].rules[1].ruling: expected "allow" or "ask" or "deny", got "warn"',
      "layers[0].rules[2].ruling: is missing",
      "layers[0].rules[2].pattern: is missing",
      "layers[0].rules[3]: expected an object, got 7",
      'layers[0].rules[4].why: is unexpected, expected: "act" | "ruling" | "pattern"',
      "layers[1].name: expected string, got 7",
      "layers[1].rules: expected a list, got {}",
      "layers[2].narrowing: expected true, got false",
      'layers[2].rules[0].pattern: "[" has no meaning: only "*" and "?" have',
      "layers[3]: a narrowing layer allows nothing",
      'defaults.write: expected "allow" or "ask" or "deny", got null',
      "defaults.exec: is missing"
    ])
    expect(faults(7)).toEqual(["expected an object, got 7"])
    expect(faults({ layers: "x".repeat(100), defaults: 1 })[0]).toMatch(/^layers: expected a list, got "x{59}\.\.\.$/)
  })

  it("law 14: the keys of a fault lead to its value", () => {
    const refused = Either.flip(Document.decode({ layers: [{ name: "l", rules: [] }, 3], defaults: {} }))
    expect(Either.getOrThrow(refused).faults[0]).toEqual({
      keys: ["layers", 1],
      path: "layers[1]",
      why: "expected an object, got 3"
    })
  })

  it("law 14: a document decodes here exactly where it decodes as a policy", () => {
    FastCheck.assert(
      FastCheck.property(Arbitraries.policy, FastCheck.anything(), (policy, anything) => {
        expect(Document.decode(Policy.encode(policy))).toEqual(Either.right(policy))
        expect(Either.isRight(Document.decode(anything))).toBe(Either.isRight(Policy.decode(anything)))
      }),
      { numRuns: 200 }
    )
  })
})

import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Act } from "../src/Act.ts"
import * as Check from "../src/Check.ts"
import { contain } from "../src/Contain.ts"
import { merge } from "../src/Merge.ts"
import * as Policy from "../src/Policy.ts"
import { Arbitraries } from "../src/testing.ts"
import { seedContain, seedVerdict } from "./seed.ts"

const check = (policy: Policy.Policy, act: Act, target: string) =>
  Check.check(Either.getOrThrow(Check.compile(policy)), act, target)
const closed: Policy.Policy = { layers: [], defaults: { read: "deny", write: "deny", exec: "deny", net: "deny" } }

describe("merge", () => {
  it("IO-39 an overlay cannot re-allow what a rule denied or sent to a human", () => {
    const base = Policy.ask(Policy.deny(Policy.permissive, "write", "a"), "write", "b")
    const merged = merge(base, Policy.allow(Policy.permissive, "write", "*"))
    expect(check(merged, "write", "a").ruling).toBe("deny")
    expect(check(merged, "write", "b").ruling).toBe("ask")
  })

  it("IO-39 an allow that only the overlay has grants", () => {
    const merged = merge(Policy.builtin, Policy.allow(Policy.layer(Policy.permissive, "team"), "write", "src/*"))
    expect(check(merged, "write", "src/a.ts")).toEqual({ ruling: "allow", rule: "src/*", layer: "team" })
    expect(check(merged, "write", "etc/a.ts")).toEqual({ ruling: "ask" })
  })

  it("IO-39 merging is deterministic, associative, and idempotent in what it enforces", () => {
    FastCheck.assert(
      FastCheck.property(
        Arbitraries.policy,
        Arbitraries.policy,
        Arbitraries.policy,
        Arbitraries.question,
        (a, b, c, { act, target }) => {
          expect(merge(a, b)).toEqual(merge(a, b))
          expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
          expect(check(merge(a, a), act, target)).toEqual(check(a, act, target))
        }
      ),
      { numRuns: 200 }
    )
  })
})

describe("contain", () => {
  it("IO-39 an allow of the child does not reach", () => {
    expect(check(contain(closed, Policy.allow(Policy.permissive, "read", "*")), "read", "a").ruling).toBe("deny")
    expect(check(contain(Policy.builtin, Policy.allow(Policy.permissive, "write", "a")), "write", "a").ruling).toBe(
      "ask"
    )
  })

  it("IO-39 the child cannot widen a default, and narrows it with its own", () => {
    expect(contain(closed, Policy.permissive)).toEqual(closed)
    expect(contain(Policy.permissive, closed)).toEqual(closed)
  })

  it("IO-39 a deny of the child narrows, and says whose it is", () => {
    const child = Policy.deny(Policy.layer(Policy.permissive, "child"), "read", "private/*")
    expect(check(contain(Policy.permissive, child), "read", "private/a")).toEqual({
      ruling: "deny",
      rule: "private/*",
      layer: "child"
    })
  })

  it("IO-39 it holds through depth", () => {
    let policy = Policy.allow(closed, "read", "src/*")
    for (const [name, pattern] of [
      ["one", "src/one/*"],
      ["two", "src/two/*"],
      ["three", "*.md"]
    ] as const) {
      policy = contain(policy, Policy.deny(Policy.layer(Policy.permissive, name), "read", pattern))
      policy = contain(policy, Policy.allow(Policy.permissive, "read", "*"))
    }
    expect(check(policy, "read", "src/one/a").layer).toBe("one")
    expect(check(policy, "read", "src/two/a").layer).toBe("two")
    expect(check(policy, "read", "src/a.md").layer).toBe("three")
    expect(check(policy, "read", "src/a.ts").ruling).toBe("allow")
    expect(check(policy, "read", "etc/a.ts").ruling).toBe("deny")
  })

  it("IO-39 an ask of the child does not lift a default deny, and still asks where the parent's rule allows", () => {
    const parent = Policy.allow(closed, "write", "src/*")
    const child = Policy.ask(Policy.layer(Policy.permissive, "child"), "write", "*")
    const contained = contain(parent, child)
    expect(check(contained, "write", "etc/a")).toEqual({ ruling: "deny" })
    expect(check(contained, "write", "src/a")).toEqual({ ruling: "ask", rule: "*", layer: "child" })
    expect(seedVerdict(seedContain(parent, child), "write", "etc/a").ruling).toBe("ask")
    expect(contained.layers.at(-1)).toMatchObject({ name: "child", narrowing: true })
  })

  it("IO-39 a child that is its parent changes nothing, and layers left empty are dropped", () => {
    FastCheck.assert(
      FastCheck.property(Arbitraries.policy, Arbitraries.question, (policy, { act, target }) => {
        const contained = contain(policy, policy)
        expect(check(contained, act, target).ruling).toBe(check(policy, act, target).ruling)
        expect(contained.layers.slice(policy.layers.length).every(({ rules }) => rules.length > 0)).toBe(true)
      }),
      { numRuns: 300 }
    )
  })

  it("law 13: a narrowing layer is not extended by the builders", () => {
    const contained = contain(closed, Policy.ask(Policy.permissive, "read", "*"))
    const extended = Policy.allow(contained, "read", "a")
    expect(extended.layers.map(({ name }) => name)).toEqual(["policy", "policy"])
    expect(extended.layers[0]).toEqual(contained.layers[0])
  })

  it("IO-39 among asks the first in layer order is credited, narrowing or not", () => {
    const early = contain(closed, Policy.ask(Policy.layer(Policy.permissive, "early"), "read", "*"))
    const late = Policy.ask(Policy.layer(Policy.permissive, "late"), "read", "*")
    expect(check(merge(early, late), "read", "a")).toEqual({ ruling: "ask", rule: "*", layer: "early" })
    expect(check(merge(late, early), "read", "a")).toEqual({ ruling: "ask", rule: "*", layer: "late" })
  })
})

import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { contain } from "../src/Contain.ts"
import * as Gated from "../src/Gated.ts"
import * as Policy from "../src/Policy.ts"
import * as Verdict from "../src/Verdict.ts"

const issuesOf = (json: unknown) =>
  Either.match(Policy.decode(json), {
    onLeft: (error) => [
      ...new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join(".")))
    ],
    onRight: () => []
  })
const defaults = { read: "allow", write: "ask", exec: "ask", net: "deny" }

describe("policy document", () => {
  it("IO-37 a policy survives JSON unchanged", () => {
    for (const policy of [
      Policy.builtin,
      Policy.permissive,
      contain(Policy.builtin, Policy.ask(Policy.builtin, "net", "*"))
    ]) {
      expect(Policy.decode(JSON.parse(JSON.stringify(Policy.encode(policy))))).toEqual(Either.right(policy))
    }
  })

  it("IO-40 a document without net denies it", () => {
    const { net: _, ...older } = defaults
    expect(Policy.decode({ layers: [], defaults: older })).toEqual(Either.right({ layers: [], defaults }))
  })

  it("law 14: each fault is named by its path", () => {
    const rules = [
      { act: "read", ruling: "deny", pattern: "a" },
      { act: "read", ruling: "deny", pattern: "[a" },
      { act: "list", ruling: "deny", pattern: "a" },
      { act: "read", ruling: "deny", pattern: "a", why: "x" }
    ]
    expect(issuesOf({ layers: [{ name: "l", rules }], defaults })).toEqual([
      "layers.0.rules.1.pattern",
      "layers.0.rules.2.act",
      "layers.0.rules.3.why"
    ])
    expect(issuesOf({ layers: [], defaults, version: 1 })).toEqual(["version"])
    expect(issuesOf({ layers: [], defaults: { ...defaults, read: "ALLOW" } })).toEqual(["defaults.read"])
  })

  it("law 13: a narrowing layer that allows does not decode", () => {
    const rules = [{ act: "read", ruling: "allow", pattern: "a" }]
    expect(issuesOf({ layers: [{ name: "l", narrowing: true, rules }], defaults })).toEqual(["layers.0"])
  })
})

describe("gated", () => {
  const gated: Gated.Gated = {
    _tag: "Gated",
    step: 4,
    act: "read",
    target: "src/a.ts",
    of: 41,
    purpose: "recall",
    verdict: { ruling: "deny", rule: "*.ts", layer: "project" }
  }
  const decode = Schema.decodeUnknownEither(Gated.Gated)

  it("law 14: a ruling's event decodes strictly", () => {
    expect(decode(gated)).toEqual(Either.right(gated))
    const { of: _, ...fresh } = gated
    expect(decode(fresh)).toEqual(Either.right(fresh))
    for (const wrong of [
      { ...gated, purpose: "look" },
      { ...gated, of: 0 },
      { ...gated, of: undefined },
      { ...gated, step: -1 },
      { ...gated, step: 1.5 },
      { ...gated, extra: 1 },
      { ...gated, _tag: "Ruled" },
      { ...gated, verdict: { ruling: "deny", rule: "*.ts" } },
      { ...gated, verdict: { ruling: "deny", extra: 1 } }
    ]) {
      expect(Either.isLeft(decode(wrong)), JSON.stringify(wrong)).toBe(true)
    }
  })

  it("law 14: what the schema generates, it decodes", () => {
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(Gated.Gated), (value) =>
        Either.isRight(decode(Schema.encodeSync(Gated.Gated)(value)))
      ),
      { numRuns: 50 }
    )
  })

  it("IO-37 only allow is permission", () => {
    expect((["allow", "ask", "deny"] as const).map((ruling) => Verdict.isAllowed({ ruling }))).toEqual([
      true,
      false,
      false
    ])
  })
})

import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Act } from "../src/Act.ts"
import * as Check from "../src/Check.ts"
import { contain } from "../src/Contain.ts"
import { merge } from "../src/Merge.ts"
import * as Policy from "../src/Policy.ts"
import { Arbitraries } from "../src/testing.ts"

const compiled = (policy: Policy.Policy) => Either.getOrThrow(Check.compile(policy))
const check = (policy: Policy.Policy, act: Act, target: string) => Check.check(compiled(policy), act, target)

describe("check", () => {
  it("IO-37 deny beats allow, in whatever layer and order", () => {
    let policy = Policy.layer(Policy.permissive, "first")
    policy = Policy.allow(policy, "read", "src/secret.ts")
    policy = Policy.deny(Policy.layer(policy, "second"), "read", "*")
    expect(check(policy, "read", "src/secret.ts")).toEqual({ ruling: "deny", rule: "*", layer: "second" })
    const turned = { ...policy, layers: [...policy.layers].reverse() }
    expect(check(turned, "read", "src/secret.ts").ruling).toBe("deny")
  })

  it("IO-37 ask beats allow, and a rule is only for its own act", () => {
    const policy = Policy.ask(Policy.allow(Policy.permissive, "write", "a"), "write", "*")
    expect(check(policy, "write", "a").ruling).toBe("ask")
    expect(check(policy, "read", "a")).toEqual({ ruling: "allow" })
  })

  it("IO-37 of two rules that say the same the first is credited, whatever the shape of their pattern", () => {
    for (const pattern of ["abc", "a*", "*c", "*b*", "a*c", "a?c", "?b?", "*"]) {
      const first = Policy.deny(Policy.layer(Policy.permissive, "first"), "read", pattern)
      const policy = Policy.deny(Policy.layer(first, "second"), "read", pattern)
      expect(check(policy, "read", "abc")).toEqual({ ruling: "deny", rule: pattern, layer: "first" })
    }
  })

  it("IO-37 the default decides where no rule speaks, and then there is neither rule nor layer", () => {
    expect(check(Policy.builtin, "write", "src/a.ts")).toStrictEqual({ ruling: "ask" })
  })

  it("IO-37 explain names the rule and layer, and every rule considered in order", () => {
    let policy = Policy.layer(Policy.builtin, "project")
    policy = Policy.allow(policy, "read", "docs/*")
    policy = Policy.deny(policy, "read", "docs/private/*")
    const told = Check.explain(compiled(policy), "read", "./docs//private/plan.md")
    expect(told.target).toBe("docs/private/plan.md")
    expect(told.verdict).toEqual({ ruling: "deny", rule: "docs/private/*", layer: "project" })
    expect(told.considered.map(({ matched, rule }) => [rule.ruling, rule.pattern, matched])).toEqual([
      ["deny", ".env", false],
      ["deny", "*.pem", false],
      ["deny", "id_rsa", false],
      ["deny", "id_ed25519", false],
      ["deny", "*.key", false],
      ["deny", "docs/private/*", true],
      ["allow", "docs/*", true]
    ])
    expect(told.considered.at(-1)).toMatchObject({ layer: "project", layerIndex: 2, ruleIndex: 0, narrowing: false })
  })

  it("IO-37 explain is check, always: contained and merged policies included", () => {
    FastCheck.assert(
      FastCheck.property(
        Arbitraries.policy,
        Arbitraries.policy,
        Arbitraries.policy,
        Arbitraries.question,
        (a, b, c, { act, target }) => {
          const policy = compiled(contain(merge(contain(a, b), c), a))
          expect(Check.explain(policy, act, target).verdict).toEqual(Check.check(policy, act, target))
        }
      ),
      { numRuns: 500 }
    )
  })

  it("IO-37 permissive enforces nothing", () => {
    expect(Policy.isPermissive(Policy.permissive)).toBe(true)
    expect(Policy.isPermissive(Policy.builtin)).toBe(false)
    expect(Policy.isPermissive(Policy.allow(Policy.permissive, "read", "a"))).toBe(false)
    FastCheck.assert(
      FastCheck.property(Arbitraries.question, ({ act, target }) => {
        expect(check(Policy.permissive, act, target)).toEqual({ ruling: "allow" })
      })
    )
  })

  it("IO-37 one policy's answers cannot cross into another's, nor one act's into another's", () => {
    const denied = compiled(Policy.deny(Policy.permissive, "read", "a*"))
    const allowed = compiled(Policy.deny(Policy.permissive, "write", "a*"))
    for (let i = 0; i < 3; i++) {
      expect(Check.check(denied, "read", "a1").ruling).toBe("deny")
      expect(Check.check(allowed, "read", "a1").ruling).toBe("allow")
      expect(Check.check(allowed, "write", "a1").ruling).toBe("deny")
    }
  })

  it("IO-38 a net rule that names a host holds for every port; one that names a port holds for that one", () => {
    const policy = Policy.allow(Policy.allow(Policy.builtin, "net", "example.com"), "net", "api.test:8443")
    expect(check(policy, "net", "example.com").ruling).toBe("allow")
    expect(check(policy, "net", "example.com:443").ruling).toBe("allow")
    expect(check(policy, "net", "EXAMPLE.com.:443").ruling).toBe("allow")
    expect(check(policy, "net", "api.test:8443").ruling).toBe("allow")
    expect(check(policy, "net", "api.test:80").ruling).toBe("deny")
    expect(check(policy, "net", "example.com.evil.test:443").ruling).toBe("deny")
    expect(check(Policy.deny(Policy.permissive, "net", "::1"), "net", "[::1]:80").ruling).toBe("deny")
    expect(check(Policy.deny(Policy.permissive, "exec", "host"), "exec", "host:1").ruling).toBe("allow")
  })

  it("IO-38 separators: a star spans them, a backslash is an ordinary character", () => {
    const policy = Policy.deny(Policy.permissive, "read", "src/*.key")
    expect(check(policy, "read", "src/a/b/c.key").ruling).toBe("deny")
    expect(check(policy, "read", "src\\a.key").ruling).toBe("allow")
    expect(check(Policy.deny(Policy.permissive, "read", "a\\b"), "read", "a\\b").ruling).toBe("deny")
    expect(check(Policy.deny(Policy.permissive, "read", "b"), "read", "a\\b").ruling).toBe("allow")
  })

  it("IO-38 no spelling of a path walks around a rule, nor does the spelling of the rule", () => {
    const policy = Policy.deny(Policy.permissive, "read", "./secret//a")
    for (const target of ["secret/a", "./secret/a", "x/../secret/a", "secret/./a", "secret//a", "secret/a/"]) {
      expect(check(policy, "read", target)).toEqual({ ruling: "deny", rule: "./secret//a", layer: "policy" })
    }
  })

  it("IO-38 a malformed pattern is an error that says where", () => {
    const policy = Policy.deny(Policy.layer(Policy.builtin, "mine"), "read", "a[bc]")
    const refused = Either.flip(Check.compile(policy)).pipe(Either.getOrThrow)
    expect(refused).toMatchObject({
      _tag: "MalformedPattern",
      layer: "mine",
      layerIndex: 2,
      ruleIndex: 0,
      pattern: "a[bc]",
      path: "layers[2].rules[0].pattern"
    })
    expect(refused.message).toContain("layers[2].rules[0].pattern")
  })

  it("IO-40 the default policy denies dotenv inside a readable tree", () => {
    expect(check(Policy.builtin, "read", "deploy/main.ts")).toEqual({ ruling: "allow" })
    expect(check(Policy.builtin, "read", "deploy/.env")).toEqual({
      ruling: "deny",
      rule: ".env",
      layer: "builtin-secrets"
    })
    expect(check(Policy.builtin, "exec", "rustc").ruling).toBe("allow")
    expect(check(Policy.builtin, "exec", "<test-binary>").layer).toBe("builtin-exec")
    expect(check(Policy.builtin, "exec", "sh").ruling).toBe("ask")
    expect(check(Policy.builtin, "net", "example.com:443")).toEqual({ ruling: "deny" })
  })
})

/**
 * The checklist rows of this package as properties over an implementation, each with one wrong implementation or more that
 * it must tell from ours. The models here are written for obviousness, and share no code with `src`.
 */
import * as FastCheck from "effect/FastCheck"
import * as Policy from "../src/Policy.ts"
import * as Arbitraries from "../src/testing/Arbitraries.ts"
import { type Implementation, ours } from "../src/testing/Implementation.ts"
import type { Law } from "../src/testing/Law.ts"
import { seedContain, seedVerdict } from "./seed.ts"

interface Row extends Omit<Law<Implementation>, "number"> {
  readonly row: string
}

export const rows: ReadonlyArray<Row> = [
  {
    row: "IO-37",
    name: "deny, ask, allow, default; first match in order is credited; check is explain",
    property: ({ check, explain }) =>
      FastCheck.property(Arbitraries.policy, Arbitraries.question, (policy, { act, target }) => {
        const told = explain(policy, act, target)
        const verdict = check(policy, act, target)
        return same(verdict, told.verdict) && same(verdict, seedVerdict(policy, act, told.target))
      }),
    mutants: [
      {
        name: "the first rule that matches wins, whatever it says",
        implementation: {
          ...ours,
          check: (policy, act, target) => {
            const hit = ours.explain(policy, act, target).considered.filter(({ matched }) => matched)
            const first = hit.sort((a, b) => a.layerIndex - b.layerIndex || a.ruleIndex - b.ruleIndex)[0]
            return first === undefined
              ? { ruling: policy.defaults[act] }
              : { ruling: first.rule.ruling, rule: first.rule.pattern, layer: first.layer }
          }
        }
      },
      {
        name: "the last match is credited",
        implementation: {
          ...ours,
          check: (policy, act, target) => ours.check({ ...policy, layers: [...policy.layers].reverse() }, act, target)
        }
      }
    ]
  },
  {
    row: "IO-38",
    name: "a rule matches as a naive recursive matcher says, on the whole target or its base name",
    property: ({ check }) =>
      FastCheck.property(Arbitraries.pattern, Arbitraries.target, (pattern, target) => {
        const policy = Policy.deny(Policy.permissive, "exec", pattern)
        return check(policy, "exec", target).ruling === seedVerdict(policy, "exec", target).ruling
      }),
    mutants: [
      {
        name: "base names are not tried",
        implementation: {
          ...ours,
          check: (policy, act, target) => ours.check(policy, act, target.replaceAll("/", "b"))
        }
      },
      { name: "a star stops at a separator", implementation: viaRegExp("[^/]*", "[^]") },
      { name: "a star stops at a line end", implementation: viaRegExp(".*", "[^]") },
      { name: "a question mark is a UTF-16 unit", implementation: viaRegExp("[^]*", "[^]") }
    ]
  },
  {
    row: "IO-39",
    name: "containing gives the stricter of the parent and the plain union; merging is idempotent and forgets no layer",
    property: ({ check, contain, merge }) =>
      FastCheck.property(Arbitraries.policy, Arbitraries.policy, Arbitraries.question, (p, c, { act, target }) => {
        const rulings = (policy: Policy.Policy) => check(policy, act, target).ruling
        const union = rulings(seedContain(p, c))
        const parent = rulings(p)
        const expected = union === "deny" || parent === "deny" ? "deny" : union
        return (
          rulings(contain(p, c)) === expected &&
          rulings(merge(p, p)) === parent &&
          rulings(merge(p, c)) === rulings(merge(c, p)) &&
          same(merge(p, c).layers, [...p.layers, ...c.layers])
        )
      }),
    mutants: [
      { name: "the plain union, which lifts a default deny", implementation: { ...ours, contain: seedContain } },
      {
        name: "asks of the child are dropped wherever the parent denies by default",
        implementation: {
          ...ours,
          contain: (parent, child) => {
            const { defaults, layers } = ours.contain(parent, child)
            return { defaults, layers: layers.filter((layer) => !("narrowing" in layer)) }
          }
        }
      },
      {
        name: "merging takes the laxer default",
        implementation: {
          ...ours,
          merge: (base, overlay) => ({ ...ours.merge(base, overlay), defaults: base.defaults })
        }
      }
    ]
  },
  {
    row: "IO-40",
    name: "the five secrets are denied for reading and writing wherever they lie, under any overlay; net is denied",
    property: ({ check, decode, encode, merge }) =>
      FastCheck.property(
        FastCheck.constantFrom(".env", "server.pem", "id_rsa", "id_ed25519", "tls.key"),
        FastCheck.constantFrom("", "./", "src/", "a/b/", "/etc/"),
        FastCheck.constantFrom("read" as const, "write" as const),
        (name, folder, act) => {
          const base = decode(JSON.parse(JSON.stringify(encode(Policy.builtin))))
          if (base._tag === "Left") return false
          const lax = Policy.allow(Policy.permissive, act, `*${name}`)
          const verdict = check(merge(base.right, lax), act, folder + name)
          return (
            verdict.ruling === "deny" &&
            verdict.layer === "builtin-secrets" &&
            check(base.right, "net", "example.com:443").ruling === "deny"
          )
        }
      ),
    mutants: [
      {
        name: "secrets are only denied for reading",
        implementation: {
          ...ours,
          check: (policy, act, target) => (act === "write" ? { ruling: "ask" } : ours.check(policy, act, target))
        }
      },
      {
        name: "net falls to ask",
        implementation: {
          ...ours,
          check: (policy, act, target) => (act === "net" ? { ruling: "ask" } : ours.check(policy, act, target))
        }
      },
      { name: "an overlay may lift a secret", implementation: { ...ours, merge: (_, overlay) => overlay } }
    ]
  }
]

/** Ours, with patterns read as regular expressions in which the wildcards mean something slightly else. */
function viaRegExp(star: string, question: string): Implementation {
  const matches = (pattern: string, subject: string) => {
    const source = [...pattern].map((c) => (c === "*" ? star : c === "?" ? question : c.replace(".", "\\.")))
    return new RegExp(`^${source.join("")}$`).test(subject)
  }
  return {
    ...ours,
    check: (policy, act, target) => ({
      ruling: policy.layers.some(({ rules }) =>
        rules.some(({ pattern }) => [target, target.split("/").at(-1) ?? ""].some((it) => matches(pattern, it)))
      )
        ? "deny"
        : policy.defaults[act]
    })
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * How the system behind rows IO-37 to IO-40 answers, faults included, as an independent model: a recursive matcher, a
 * scan over all rules, a containment that lets an ask lift a default deny, and malformed patterns that match nothing.
 */
import * as Act from "../src/Act.ts"
import type { Policy } from "../src/Policy.ts"
import type { Verdict } from "../src/Verdict.ts"

export const naiveMatches = (pattern: ReadonlyArray<string>, text: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = pattern
  if (first === undefined) return text.length === 0
  if (first === "*") return naiveMatches(rest, text) || (text.length > 0 && naiveMatches(pattern, text.slice(1)))
  return text.length > 0 && (first === "?" || first === text[0]) && naiveMatches(rest, text.slice(1))
}

export const seedMatches = (act: Act.Act, pattern: string, target: string): boolean => {
  if (/[[\]{}]/.test(pattern)) return false
  const subjects = [target, target.slice(target.lastIndexOf("/") + 1) || target]
  if (act === "net" && /^[^:]+:[^:]*$/.test(target)) subjects.push(target.slice(0, target.indexOf(":")))
  if (act === "net" && target.startsWith("[")) subjects.push(target.slice(1, target.indexOf("]")))
  return subjects.some((subject) => naiveMatches([...pattern], [...subject]))
}

export const seedVerdict = (policy: Policy, act: Act.Act, target: string): Verdict => {
  for (const ruling of ["deny", "ask", "allow"] as const) {
    for (const layer of policy.layers) {
      for (const rule of layer.rules) {
        if (rule.act === act && rule.ruling === ruling && seedMatches(act, rule.pattern, target)) {
          return { ruling, rule: rule.pattern, layer: layer.name }
        }
      }
    }
  }
  return { ruling: policy.defaults[act] }
}

export const seedContain = (parent: Policy, child: Policy): Policy => {
  const order = ["allow", "ask", "deny"] as const
  return {
    layers: [
      ...parent.layers,
      ...child.layers
        .map(({ name, rules }) => ({ name, rules: rules.filter(({ ruling }) => ruling !== "allow") }))
        .filter(({ rules }) => rules.length > 0)
    ],
    defaults: Act.byAct((act) =>
      order.indexOf(parent.defaults[act]) > order.indexOf(child.defaults[act])
        ? parent.defaults[act]
        : child.defaults[act]
    )
  }
}

/**
 * Check: what a policy says about one act on one target, and why.
 *
 * ```
 * target -- canonical --> subjects -- first match per ruling --> decide --> Verdict
 *                             \------- every rule tried -------> decide --> Explanation
 * ```
 *
 * `check` and `explain` differ in how they find the first rule of each ruling that matches (an index; every rule in
 * turn) and share the one function that decides from those. The tests hold them equal on every input.
 *
 * The decision: a deny of any layer; else an ask of any granting layer; else an allow; else the default. A narrowing ask
 * is looked at last and raises an allow to ask. Credit goes to the first matching rule of the deciding ruling, in layer
 * then rule order.
 *
 * Laws kept here: 12 (the answer is computed from the policy handed in, nothing is remembered), 13 (deny beats ask beats
 * allow, in whatever layer), 14 (a malformed pattern is an error). Source: IO-37, IO-38.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Act from "./Act.ts"
import * as RuleIndex from "./internal/ruleIndex.ts"
import * as Layer from "./Layer.ts"
import * as Pattern from "./Pattern.ts"
import type { Policy } from "./Policy.ts"
import type { Ruling } from "./Ruling.ts"
import * as Target from "./Target.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * A rule whose pattern cannot be read. `path` is where it stands in the policy's JSON, as in `layers[0].rules[3].pattern`.
 *
 * @since 0.1.0
 * @category errors
 */
export class MalformedPattern extends Data.TaggedError("MalformedPattern")<{
  readonly layer: string
  readonly layerIndex: number
  readonly ruleIndex: number
  readonly pattern: string
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.path} (layer "${this.layer}"): ${this.reason}`
  }
}

/**
 * A policy that is ready to answer. Shareable, immutable, and not serialisable: keep `policy`.
 *
 * @since 0.1.0
 * @category models
 */
export interface CompiledPolicy {
  readonly policy: Policy
  /** @internal */
  readonly acts: Act.ByAct<CompiledAct>
}

/**
 * A rule that was weighed: its place, and whether it matched the target.
 *
 * @since 0.1.0
 * @category models
 */
export interface Considered {
  readonly rule: Layer.Rule
  readonly layer: string
  readonly layerIndex: number
  readonly ruleIndex: number
  readonly narrowing: boolean
  readonly matched: boolean
}

/**
 * A verdict, the canonical target that it is of, and every rule of the act in the order of evaluation: denies, asks,
 * allows, each in layer then rule order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Explanation {
  readonly act: Act.Act
  readonly target: string
  readonly verdict: Verdict
  readonly considered: ReadonlyArray<Considered>
}

/**
 * Reads every pattern of a policy and files the rules by act and ruling. The first malformed pattern is the error.
 *
 * @since 0.1.0
 * @category constructors
 */
export const compile = (policy: Policy): Either.Either<CompiledPolicy, MalformedPattern> => {
  const entries: Array<RuleIndex.Entry> = []
  for (const [layerIndex, layer] of policy.layers.entries()) {
    for (const [ruleIndex, rule] of layer.rules.entries()) {
      const pattern = Pattern.parse(rule.act, rule.pattern)
      if (Either.isLeft(pattern)) {
        const path = `layers[${layerIndex}].rules[${ruleIndex}].pattern`
        const at = { layer: layer.name, layerIndex, ruleIndex, pattern: rule.pattern, path }
        return Either.left(new MalformedPattern({ ...at, reason: pattern.left }))
      }
      entries.push({
        ordinal: entries.length,
        layer: layerIndex,
        index: ruleIndex,
        narrowing: Layer.isNarrowing(layer),
        rule,
        pattern: pattern.right,
        verdict: { ruling: rule.ruling, rule: rule.pattern, layer: layer.name }
      })
    }
  }
  const acts = Act.byAct((act) => compileAct(entries, act, policy.defaults[act]))
  return Either.right({ policy, acts })
}

/**
 * The verdict on an act and a target, which is made canonical first.
 *
 * @since 0.1.0
 * @category checking
 */
export const check = (compiled: CompiledPolicy, act: Act.Act, target: string): Verdict => {
  const rules = compiled.acts[act]
  const subjects = subjectsOf(act, Target.canonical(act, target))
  return (
    RuleIndex.first(rules.deny, subjects)?.verdict ??
    decide(
      undefined,
      RuleIndex.first(rules.ask, subjects),
      RuleIndex.first(rules.narrowingAsk, subjects),
      RuleIndex.first(rules.allow, subjects),
      rules.otherwise
    )
  )
}

/**
 * The verdict of `check`, with everything that was weighed for it.
 *
 * @since 0.1.0
 * @category checking
 */
export const explain = (compiled: CompiledPolicy, act: Act.Act, target: string): Explanation => {
  const rules = compiled.acts[act]
  const canonical = Target.canonical(act, target)
  const subjects = subjectsOf(act, canonical)
  const matched = rules.entries.filter((entry) => RuleIndex.matches(entry.pattern, subjects))
  const firstOf = (ruling: Ruling, narrowing: boolean) =>
    matched.find((entry) => entry.rule.ruling === ruling && entry.narrowing === narrowing)
  const verdict = decide(
    matched.find((entry) => entry.rule.ruling === "deny"),
    firstOf("ask", false),
    firstOf("ask", true),
    firstOf("allow", false),
    rules.otherwise
  )
  const considered = rules.entries.map((entry) => ({
    rule: entry.rule,
    layer: compiled.policy.layers[entry.layer]?.name ?? "",
    layerIndex: entry.layer,
    ruleIndex: entry.index,
    narrowing: entry.narrowing,
    matched: matched.includes(entry)
  }))
  return { act, target: canonical, verdict, considered }
}

interface CompiledAct {
  readonly entries: ReadonlyArray<RuleIndex.Entry>
  readonly deny: RuleIndex.RuleIndex
  readonly ask: RuleIndex.RuleIndex
  readonly narrowingAsk: RuleIndex.RuleIndex
  readonly allow: RuleIndex.RuleIndex
  readonly otherwise: Verdict
}

const decide = (
  deny: RuleIndex.Entry | undefined,
  ask: RuleIndex.Entry | undefined,
  narrowingAsk: RuleIndex.Entry | undefined,
  allow: RuleIndex.Entry | undefined,
  otherwise: Verdict
): Verdict => {
  if (deny !== undefined) return deny.verdict
  if (ask !== undefined) {
    return narrowingAsk !== undefined && narrowingAsk.ordinal < ask.ordinal ? narrowingAsk.verdict : ask.verdict
  }
  const granted = allow?.verdict ?? otherwise
  return narrowingAsk === undefined || granted.ruling === "deny" ? granted : narrowingAsk.verdict
}

const subjectsOf = (act: Act.Act, whole: string): RuleIndex.Subjects => ({
  whole,
  base: Target.basename(whole),
  host: act === "net" ? Target.host(whole) : undefined
})

const compileAct = (all: ReadonlyArray<RuleIndex.Entry>, act: Act.Act, otherwise: Ruling): CompiledAct => {
  const mine = all.filter((entry) => entry.rule.act === act)
  const deny = mine.filter((entry) => entry.rule.ruling === "deny")
  const ask = mine.filter((entry) => entry.rule.ruling === "ask")
  // A narrowing layer cannot be given an allow by its type; one that was forced in anyway grants nothing.
  const allow = mine.filter((entry) => entry.rule.ruling === "allow" && !entry.narrowing)
  return {
    entries: [...deny, ...ask, ...allow],
    deny: RuleIndex.make(deny),
    ask: RuleIndex.make(ask.filter((entry) => !entry.narrowing)),
    narrowingAsk: RuleIndex.make(ask.filter((entry) => entry.narrowing)),
    allow: RuleIndex.make(allow),
    otherwise: { ruling: otherwise }
  }
}

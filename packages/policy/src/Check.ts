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
import { type Platform, posix } from "./Platform.ts"
import type { Policy } from "./Policy.ts"
import * as Ruling from "./Ruling.ts"
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
  readonly platform: Platform
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
 * Reads every pattern of a policy, for the platform whose files it rules on, and files the rules by act. The first
 * malformed pattern is the error.
 *
 * @since 0.1.0
 * @category constructors
 */
export const compile = (
  policy: Policy,
  platform: Platform = posix
): Either.Either<CompiledPolicy, MalformedPattern> => {
  const entries: Array<RuleIndex.Entry> = []
  for (const [layerIndex, layer] of policy.layers.entries()) {
    const narrowing = Layer.isNarrowing(layer)
    for (const [ruleIndex, rule] of layer.rules.entries()) {
      const pattern = Pattern.parse(rule.act, rule.pattern, platform)
      if (Either.isLeft(pattern)) {
        const at = { layer: layer.name, layerIndex, ruleIndex, pattern: rule.pattern }
        const path = `layers[${layerIndex}].rules[${ruleIndex}].pattern`
        return Either.left(new MalformedPattern({ ...at, path, reason: pattern.left }))
      }
      // A narrowing layer cannot be given an allow by its type; one that was forced in anyway grants nothing.
      if (narrowing && rule.ruling === "allow") continue
      entries.push({
        ordinal: entries.length,
        layerIndex,
        ruleIndex,
        narrowing,
        kind: rule.ruling === "ask" && narrowing ? "raise" : rule.ruling,
        rule,
        pattern: pattern.right,
        verdict: { ruling: rule.ruling, rule: rule.pattern, layer: layer.name }
      })
    }
  }
  const acts = Act.byAct((act): CompiledAct => {
    const mine = entries.filter((entry) => entry.rule.act === act)
    return { entries: mine, index: RuleIndex.make(mine), otherwise: { ruling: policy.defaults[act] } }
  })
  return Either.right({ policy, platform, acts })
}

/**
 * The verdict on an act and a target, which is made canonical first.
 *
 * @since 0.1.0
 * @category checking
 */
export const check = (compiled: CompiledPolicy, act: Act.Act, target: string): Verdict => {
  const { index, otherwise } = compiled.acts[act]
  return decide(RuleIndex.find(index, subjectsOf(act, Target.canonical(act, target, compiled.platform))), otherwise)
}

/**
 * The verdict of `check`, with everything that was weighed for it.
 *
 * @since 0.1.0
 * @category checking
 */
export const explain = (compiled: CompiledPolicy, act: Act.Act, target: string): Explanation => {
  const { entries, otherwise } = compiled.acts[act]
  const canonical = Target.canonical(act, target, compiled.platform)
  const subjects = subjectsOf(act, canonical)
  const weighed = entries.map((entry) => ({ entry, matched: RuleIndex.matches(entry.pattern, subjects) }))
  const found: RuleIndex.Found = {}
  for (const { entry, matched } of weighed) if (matched) found[entry.kind] ??= entry
  const considered = Ruling.all.toReversed().flatMap((ruling) =>
    weighed
      .filter(({ entry }) => entry.rule.ruling === ruling)
      .map(({ entry: { layerIndex, narrowing, rule, ruleIndex, verdict }, matched }) => {
        return { rule, layer: verdict.layer ?? "", layerIndex, ruleIndex, narrowing, matched }
      })
  )
  return { act, target: canonical, verdict: decide(found, otherwise), considered }
}

interface CompiledAct {
  readonly entries: ReadonlyArray<RuleIndex.Entry>
  readonly index: RuleIndex.RuleIndex
  readonly otherwise: Verdict
}

const decide = ({ allow, ask, deny, raise }: RuleIndex.Found, otherwise: Verdict): Verdict => {
  if (deny !== undefined) return deny.verdict
  if (ask !== undefined) {
    return raise !== undefined && raise.ordinal < ask.ordinal ? raise.verdict : ask.verdict
  }
  const granted = allow?.verdict ?? otherwise
  return raise === undefined || granted.ruling === "deny" ? granted : raise.verdict
}

const subjectsOf = (act: Act.Act, whole: string): RuleIndex.Subjects => ({
  whole,
  base: Target.basename(whole),
  host: act === "net" ? Target.host(whole) : undefined
})

/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Approval from "../Approval.ts"
import type { Act } from "../Act.ts"
import * as Check from "../Check.ts"
import { contain } from "../Contain.ts"
import { merge } from "../Merge.ts"
import type { Platform } from "../Platform.ts"
import * as Policy from "../Policy.ts"
import * as Refusal from "../Refusal.ts"
import * as Target from "../Target.ts"
import type { Verdict } from "../Verdict.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly check: (policy: Policy.Policy, act: Act, target: string, platform?: Platform) => Verdict
  readonly explain: (policy: Policy.Policy, act: Act, target: string) => Check.Explanation
  readonly merge: (base: Policy.Policy, overlay: Policy.Policy) => Policy.Policy
  readonly contain: (parent: Policy.Policy, child: Policy.Policy) => Policy.Policy
  readonly decode: (json: unknown) => Either.Either<Policy.Policy, unknown>
  readonly encode: (policy: Policy.Policy) => unknown
  readonly canonical: typeof Target.canonical
  readonly judge: (policy: Policy.Policy, asked: Approval.Asked, answer: Approval.Closing) => Approval.Judged
  readonly record: typeof Approval.record
  readonly recall: (policy: Policy.Policy, approvals: Approval.Approvals, asked: Approval.Asked) => Approval.Recalled
  readonly refusal: typeof Refusal.of
}

/**
 * This package. Throws `MalformedPattern` where a policy does not compile.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = {
  check: (policy, act, target, platform) => Check.check(compiled(policy, platform), act, target),
  explain: (policy, act, target) => Check.explain(compiled(policy), act, target),
  merge,
  contain,
  decode: Policy.decode,
  encode: Policy.encode,
  canonical: Target.canonical,
  judge: (policy, asked, answer) => Approval.judge(compiled(policy), asked, answer),
  record: Approval.record,
  recall: (policy, approvals, asked) => Approval.recall(compiled(policy), approvals, asked),
  refusal: Refusal.of
}

const compiled = (policy: Policy.Policy, platform?: Platform): Check.CompiledPolicy =>
  Either.getOrThrowWith(Check.compile(policy, platform), (error) => error)

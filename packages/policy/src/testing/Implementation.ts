/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { Act } from "../Act.ts"
import * as Check from "../Check.ts"
import { contain } from "../Contain.ts"
import { merge } from "../Merge.ts"
import * as Policy from "../Policy.ts"
import type { Verdict } from "../Verdict.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly check: (policy: Policy.Policy, act: Act, target: string) => Verdict
  readonly explain: (policy: Policy.Policy, act: Act, target: string) => Check.Explanation
  readonly merge: (base: Policy.Policy, overlay: Policy.Policy) => Policy.Policy
  readonly contain: (parent: Policy.Policy, child: Policy.Policy) => Policy.Policy
  readonly decode: (json: unknown) => Either.Either<Policy.Policy, unknown>
  readonly encode: (policy: Policy.Policy) => unknown
}

/**
 * This package. Throws `MalformedPattern` where a policy does not compile.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = {
  check: (policy, act, target) =>
    Check.check(
      Either.getOrThrowWith(Check.compile(policy), (error) => error),
      act,
      target
    ),
  explain: (policy, act, target) =>
    Check.explain(
      Either.getOrThrowWith(Check.compile(policy), (error) => error),
      act,
      target
    ),
  merge,
  contain,
  decode: Policy.decode,
  encode: Policy.encode
}

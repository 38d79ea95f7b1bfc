/**
 * Policies: layers of rules, and what holds for each act where no rule speaks.
 *
 * ```
 * any deny, in any layer  >  any ask  >  any allow  >  the default of the act
 * ```
 *
 * Neither the order of layers nor how specific a pattern is decides anything but which rule gets the credit. A policy is
 * data, written by hand, by the functions here, or by `Merge` and `Contain`; `Check.compile` makes it answer.
 *
 * Laws kept here: 12 (secrets are denied by default), 13 (deny beats ask beats allow), 14 (strict decoding).
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Act from "./Act.ts"
import { strict } from "./internal/strict.ts"
import * as Layer from "./Layer.ts"
import { Ruling } from "./Ruling.ts"

/**
 * @since 0.1.0
 * @category schemas
 */
export const Defaults = Schema.Struct({
  read: Ruling,
  write: Ruling,
  exec: Ruling,
  net: Schema.optionalWith(Ruling, { default: () => "deny" as const })
}).annotations(strict)

/**
 * The answer for each act where no rule speaks.
 *
 * @since 0.1.0
 * @category models
 */
export type Defaults = Act.ByAct<Ruling>

/**
 * JSON: `{layers: [...], defaults: {read, write, exec, net}}`. The one key that may be missing is `defaults.net`, which
 * older documents lack and which is then `deny`. Source: IO-37, IO-40.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Policy = Schema.Struct({ layers: Schema.Array(Layer.Layer), defaults: Defaults }).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly layers: ReadonlyArray<Layer.Layer>
  readonly defaults: Defaults
}

/**
 * Reads a policy from parsed JSON. The error names the path of each fault: an unknown key, act or ruling, a malformed
 * pattern, a missing part.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode: (json: unknown) => Either.Either<Policy, ParseResult.ParseError> = Schema.decodeUnknownEither(
  Policy,
  { errors: "all" }
)

/**
 * A policy as JSON data. `decode` of it enforces the same.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode: (policy: Policy) => typeof Policy.Encoded = Schema.encodeSync(Policy)

/**
 * Nothing denied, nothing asked, nothing listed.
 *
 * @since 0.1.0
 * @category policies
 */
export const permissive: Policy = { layers: [], defaults: Act.byAct(() => "allow") }

/**
 * What holds where nobody has written a policy: read freely, ask before writing or running, no network, and no secrets
 * at all. Source: IO-40.
 *
 * @since 0.1.0
 * @category policies
 */
export const builtin: Policy = {
  layers: [
    {
      name: "builtin-secrets",
      rules: [".env", "*.pem", "id_rsa", "id_ed25519", "*.key"].flatMap((pattern) =>
        (["read", "write"] as const).map((act): Layer.Rule => ({ act, ruling: "deny", pattern }))
      )
    },
    {
      name: "builtin-exec",
      rules: [
        { act: "exec", ruling: "allow", pattern: "rustc" },
        { act: "exec", ruling: "allow", pattern: "<test-binary>" }
      ]
    }
  ],
  defaults: { read: "allow", write: "ask", exec: "ask", net: "deny" }
}

/**
 * Whether a policy enforces nothing: it has no rule, and every default allows.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isPermissive = (policy: Policy): boolean =>
  policy.layers.every((layer) => layer.rules.length === 0) && Act.all.every((act) => policy.defaults[act] === "allow")

/**
 * Starts a new, empty layer: the rules added next go there.
 *
 * @since 0.1.0
 * @category builders
 */
export const layer = (policy: Policy, name: string): Policy => ({
  ...policy,
  layers: [...policy.layers, { name, rules: [] }]
})

/**
 * Adds a rule to the newest layer; where there is none to add to, to a new one named `policy`. A malformed pattern is
 * found by `Check.compile`.
 *
 * @since 0.1.0
 * @category builders
 */
export const rule = (policy: Policy, act: Act.Act, ruling: Ruling, pattern: string): Policy => {
  const last = policy.layers.at(-1)
  // A narrowing layer is no author's to extend: an allow in it would be refused.
  if (last === undefined || Layer.isNarrowing(last)) return rule(layer(policy, "policy"), act, ruling, pattern)
  return {
    ...policy,
    layers: [...policy.layers.slice(0, -1), { ...last, rules: [...last.rules, { act, ruling, pattern }] }]
  }
}

/**
 * Adds a rule that allows an act on what the pattern matches.
 *
 * @since 0.1.0
 * @category builders
 */
export const allow = (policy: Policy, act: Act.Act, pattern: string): Policy => rule(policy, act, "allow", pattern)

/**
 * Adds a rule that sends an act on what the pattern matches to an approver.
 *
 * @since 0.1.0
 * @category builders
 */
export const ask = (policy: Policy, act: Act.Act, pattern: string): Policy => rule(policy, act, "ask", pattern)

/**
 * Adds a rule that denies an act on what the pattern matches.
 *
 * @since 0.1.0
 * @category builders
 */
export const deny = (policy: Policy, act: Act.Act, pattern: string): Policy => rule(policy, act, "deny", pattern)

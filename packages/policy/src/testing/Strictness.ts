/**
 * Law 14: a policy document with anything in it that is not known does not decode; one that decodes enforces what it
 * enforced when it was written.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Policy from "../Policy.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const refusal: Law<Implementation> = {
  number: 14,
  name: "an unknown key, act or ruling, a malformed pattern or a missing part is an error, wherever it stands",
  property: ({ decode, encode }) =>
    FastCheck.property(Arbitraries.policy, Arbitraries.rule, damage, (policy, rule, spoil) => {
      const whole = Policy.rule(policy, rule.act, rule.ruling, rule.pattern)
      return Either.isRight(decode(encode(whole))) && Either.isLeft(decode(spoil(copyOf(encode(whole)))))
    }),
  mutants: [
    {
      name: "unknown keys are ignored",
      implementation: {
        ...ours,
        decode: Schema.decodeUnknownEither(
          Schema.Struct({
            layers: Schema.Array(Schema.Struct({ name: Schema.String, rules: Schema.Array(Schema.Any) })),
            defaults: Policy.Defaults
          })
        )
      }
    },
    { name: "anything decodes", implementation: { ...ours, decode: () => Either.right(Policy.permissive) } },
    { name: "nothing decodes", implementation: { ...ours, decode: () => Either.left("no") } }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const roundTrip: Law<Implementation> = {
  number: 14,
  name: "a policy, contained or not, that went through JSON text gives the verdicts it gave before",
  property: ({ check, contain, decode, encode }) =>
    FastCheck.property(Arbitraries.policy, Arbitraries.policy, Arbitraries.question, (parent, child, { act, target }) =>
      [parent, contain(parent, child)].every((policy) => {
        const back = decode(copyOf(encode(policy)))
        if (Either.isLeft(back)) return false
        return JSON.stringify(check(back.right, act, target)) === JSON.stringify(check(policy, act, target))
      })
    ),
  mutants: [
    {
      name: "layers come back in reverse",
      implementation: {
        ...ours,
        decode: (json) =>
          Either.map(ours.decode(json), (policy) => ({ ...policy, layers: [...policy.layers].reverse() }))
      }
    },
    {
      name: "the narrowing mark is lost",
      implementation: {
        ...ours,
        decode: (json) =>
          Either.map(ours.decode(json), (policy) => ({
            ...policy,
            layers: policy.layers.map(({ name, rules }) => ({ name, rules }))
          }))
      }
    }
  ]
}

interface Document {
  extra?: unknown
  layers?: Array<{ extra?: unknown; name?: unknown; rules: Array<Record<string, unknown>> }>
  defaults?: Record<string, unknown>
}

const copyOf = (json: unknown): Document => JSON.parse(JSON.stringify(json))

/** One thing put wrong in a document whose last layer has a rule. */
const damage: FastCheck.Arbitrary<(document: Document) => Document> = FastCheck.oneof(
  FastCheck.constantFrom<(document: Document) => Document>(
    (document) => ({ ...document, extra: 1 }),
    ({ defaults }) => ({ defaults: { ...defaults } }),
    ({ layers }) => ({ layers: layers ?? [] }),
    (document) => ({ ...document, defaults: { ...document.defaults, spend: "deny" } }),
    (document) => ({ ...document, defaults: { write: "ask", exec: "ask", net: "deny" } }),
    (document) => ({ ...document, defaults: { ...document.defaults, net: "Deny" } }),
    (document) => ({ ...document, layers: document.layers?.map((layer) => ({ ...layer, extra: null })) ?? [] }),
    (document) => ({ ...document, layers: document.layers?.map(({ rules }) => ({ rules })) ?? [] }),
    (document) => ({ ...document, layers: document.layers?.map((layer) => ({ ...layer, narrowing: false })) ?? [] })
  ),
  FastCheck.constantFrom<Record<string, unknown>>(
    { act: "list" },
    { act: "Read" },
    { act: undefined },
    { ruling: "warn" },
    { ruling: null },
    { pattern: "" },
    { pattern: "[ab]" },
    { pattern: "{a,b}" },
    { pattern: 7 },
    { note: "why" }
  ).map((change) => (document: Document) => ({
    ...document,
    layers:
      document.layers?.map((layer) => ({ ...layer, rules: layer.rules.map((rule) => ({ ...rule, ...change })) })) ?? []
  }))
)

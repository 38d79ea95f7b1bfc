/**
 * Law 14: what is written down decodes exactly, or not at all.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Arbitraries from "./Arbitraries.ts"
import { type Document, type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const refusal: Law<Implementation> = {
  number: 14,
  name: "a document decodes whole, and not with an unknown key, a missing or renamed part, or a malformed value",
  property: ({ decode }) =>
    FastCheck.property(documents, FastCheck.nat(), ([document, json, wrong], pick) => {
      const spoilt = wrong[pick % wrong.length]
      return Either.isRight(decode[document](json)) && spoilt !== undefined && Either.isLeft(decode[document](spoilt))
    }),
  mutants: [
    ...(["contextBudget", "priceTable", "measure", "reported"] as const).map((document) => ({
      name: `unknown keys of ${document} are ignored`,
      implementation: {
        ...ours,
        decode: { ...ours.decode, [document]: (json: unknown) => ours.decode[document](without("extra", json)) }
      }
    })),
    {
      name: "a share out of bounds is clamped",
      implementation: {
        ...ours,
        decode: {
          ...ours.decode,
          contextBudget: (json) => Either.orElse(ours.decode.contextBudget(json), () => ours.decode.contextBudget({}))
        }
      }
    },
    {
      name: "a measure that says nothing is 0",
      implementation: {
        ...ours,
        decode: {
          ...ours.decode,
          measure: (json) => ours.decode.measure(Object.assign({ _tag: "Measured", n: 0 }, json))
        }
      }
    }
  ]
}

const without = (key: string, json: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(json)).filter(([name]) => name !== key))

type Example = readonly [document: Document, right: object, wrong: ReadonlyArray<unknown>]

/** A document that is right, and what it becomes with one thing put wrong. */
const documents: FastCheck.Arbitrary<Example> = FastCheck.oneof(
  FastCheck.record({ max_tokens: Arbitraries.tokens, share: Arbitraries.basisPoints.map((n) => n / 10_000) }).map(
    (json): Example => [
      "contextBudget",
      json,
      [
        ...[Number.NaN, -0.5, 0, 1.5, 0.000_01, "0.5", null].map((share) => ({ ...json, share })),
        ...[-1, 0.5, "9", null].map((max_tokens) => ({ ...json, max_tokens })),
        { ...json, maxTokens: 1 },
        { ...json, extra: 1 }
      ]
    ]
  ),
  FastCheck.record({ uncached: Arbitraries.tokens, cacheRead: Arbitraries.tokens, cacheWrite: Arbitraries.tokens }).map(
    (json): Example => [
      "priceTable",
      json,
      [
        ...[Number.NaN, Number.POSITIVE_INFINITY, -0.1, "1", null].map((cacheRead) => ({ ...json, cacheRead })),
        without("uncached", json),
        { ...json, extra: 1 }
      ]
    ]
  ),
  Arbitraries.measure.map((json): Example => [
    "measure",
    json,
    [
      {},
      { n: 1 },
      { ...json, _tag: "Zero" },
      { ...json, extra: 1 },
      { _tag: "Measured", n: -1 },
      { _tag: "Unmeasured", why: "" }
    ]
  ]),
  FastCheck.record({ step: Arbitraries.tokens, request: Arbitraries.tokens, usage: Arbitraries.usage }).map(
    (fields): Example => {
      const json = { _tag: "Reported", ...fields }
      return [
        "reported",
        json,
        [
          { ...json, extra: 1 },
          { ...json, _tag: "Usage" },
          { ...json, step: -1 },
          { ...json, usage: { ...json.usage, extra: 1 } },
          { ...json, usage: without("reasoning", json.usage) },
          { ...json, usage: { ...json.usage, output: 0 } }
        ]
      ]
    }
  )
)

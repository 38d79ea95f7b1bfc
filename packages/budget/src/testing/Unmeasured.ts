/**
 * Law 11: measured is not zero.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import * as Measure from "../Measure.ts"
import * as Usage from "../Usage.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const absorbing: Law<Implementation> = {
  number: 11,
  name: "a sum is a number exactly where every part of it is one",
  property: ({ sum }) =>
    FastCheck.property(FastCheck.array(Arbitraries.measure, { maxLength: 6 }), (measures) => {
      const total = sum(measures)
      const numbers = measures.flatMap((measure) => (measure._tag === "Measured" ? [measure.n] : []))
      if (numbers.length < measures.length) return total._tag === "Unmeasured" && total.why !== ""
      return total._tag === "Measured" && total.n === numbers.reduce((a, b) => a + b, 0)
    }),
  mutants: [
    {
      name: "unmeasured counts as 0",
      implementation: { ...ours, sum: (measures) => ours.sum(measures.filter(Measure.isMeasured)) }
    },
    {
      name: "only the first part is looked at",
      implementation: {
        ...ours,
        sum: (measures) =>
          measures[0]?._tag === "Unmeasured" ? measures[0] : ours.sum(measures.filter(Measure.isMeasured))
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const reported: Law<Implementation> = {
  number: 11,
  name: "a field that a provider left out or spoilt is unmeasured, the others are exact, and no token is counted twice",
  property: ({ fromAnthropic, fromOpenAiChat }) =>
    FastCheck.property(field, field, field, field, field, (read, write, fresh, output, reasoning) => {
      const anthropic = fromAnthropic(
        record({
          input_tokens: fresh,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: write,
          output_tokens: output
        })
      )
      const prompt = isCount(fresh) && isCount(read) ? fresh + read : fresh
      const completion = isCount(output) && isCount(reasoning) ? output + reasoning : output
      const openAi = fromOpenAiChat(
        record({
          prompt_tokens: prompt,
          completion_tokens: completion,
          prompt_tokens_details: record({ cached_tokens: read }),
          completion_tokens_details: record({ reasoning_tokens: reasoning })
        })
      )
      return (
        says(anthropic.uncached, fresh) &&
        says(anthropic.cacheRead, read) &&
        says(anthropic.cacheWrite, write) &&
        says(anthropic.output, output) &&
        !Measure.isMeasured(anthropic.reasoning) &&
        says(
          Usage.inputTokens(anthropic),
          [fresh, read, write].every(isCount) ? total(fresh, read, write) : undefined
        ) &&
        says(openAi.cacheRead, read) &&
        says(openAi.reasoning, reasoning) &&
        says(openAi.uncached, isCount(read) ? fresh : undefined) &&
        says(openAi.output, output) &&
        says(Usage.inputTokens(openAi), isCount(read) ? prompt : undefined) &&
        says(Usage.outputTokens(openAi), completion)
      )
    }),
  mutants: [
    {
      name: "a missing field is 0",
      implementation: {
        ...ours,
        fromAnthropic: (json) =>
          ours.fromAnthropic(Object.assign({ cache_read_input_tokens: 0, input_tokens: 0 }, json))
      }
    },
    {
      name: "cached tokens are left in the prompt's",
      implementation: {
        ...ours,
        fromOpenAiChat: (json) => {
          const usage = ours.fromOpenAiChat(json)
          return { ...usage, uncached: Measure.add(usage.uncached, usage.cacheRead) }
        }
      }
    },
    {
      name: "unknown cached tokens are taken for none",
      implementation: {
        ...ours,
        fromOpenAiChat: (json) => {
          const usage = ours.fromOpenAiChat(json)
          const whole = ours.fromOpenAiChat(Object.assign({}, json, { prompt_tokens_details: { cached_tokens: 0 } }))
          return Measure.isMeasured(usage.cacheRead) ? usage : { ...usage, uncached: whole.uncached }
        }
      }
    },
    {
      name: "reasoning is left in the output",
      implementation: {
        ...ours,
        fromOpenAiChat: (json) => {
          const usage = ours.fromOpenAiChat(json)
          return { ...usage, output: Usage.outputTokens(usage) }
        }
      }
    }
  ]
}

/** What stands in a provider's field: a count, nothing, null, or rubbish. */
const field: FastCheck.Arbitrary<unknown> = FastCheck.oneof(
  { weight: 5, arbitrary: FastCheck.nat(1_000_000) },
  { weight: 2, arbitrary: FastCheck.constantFrom<unknown>(undefined, null, "12", -3, 1.5, {}) }
)

const record = (fields: { readonly [key: string]: unknown }): unknown =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0

const total = (...values: ReadonlyArray<unknown>): number => values.filter(isCount).reduce((a, b) => a + b, 0)

const says = (measure: Measure.Measure, value: unknown): boolean =>
  isCount(value)
    ? measure._tag === "Measured" && measure.n === value
    : measure._tag === "Unmeasured" && measure.why !== ""

/**
 * Usage: what a provider says that one request cost, in counts that do not overlap.
 *
 * ```
 *   input  = uncached + cacheRead + cacheWrite
 *   output = output + reasoning              (reasoning that is not told apart is within output)
 * ```
 *
 * Providers differ in what contains what: Anthropic's `input_tokens` leaves cached tokens out, OpenAI's `prompt_tokens`
 * has them in. Normalised here once, no sum can bill a token twice. A field that is missing, null or no count is
 * unmeasured: and where it was to be taken off another count, that one is unmeasured too, because the two have different
 * prices. Reasoning has the price of output, so there it only means that nothing was told apart.
 *
 * Laws kept here: 10 (each token has one owner), 11 (measured is not zero), 14 (strict in our own form).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Measure from "./Measure.ts"

/**
 * Tokens. `uncached`: input at full price. `cacheRead`: input that was read from a cache. `cacheWrite`: input that was
 * written to one. `output`: what came back, without the tokens counted in `reasoning`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Usage = Schema.Struct({
  uncached: Measure.Measure,
  cacheRead: Measure.Measure,
  cacheWrite: Measure.Measure,
  output: Measure.Measure,
  reasoning: Measure.Measure
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Usage = typeof Usage.Type

/**
 * The `usage` of an Anthropic message. Its three input counts are disjoint as they come, and `output_tokens` has the
 * reasoning in it, which is not told apart.
 *
 * @since 0.1.0
 * @category providers
 */
export const fromAnthropic = (json: unknown): Usage => ({
  uncached: countAt(json, "input_tokens"),
  cacheRead: countAt(json, "cache_read_input_tokens"),
  cacheWrite: countAt(json, "cache_creation_input_tokens"),
  output: countAt(json, "output_tokens"),
  reasoning: Measure.unmeasured("within output_tokens, not told apart")
})

/**
 * The `usage` of an OpenAI chat completion, or of a server that speaks its form. `prompt_tokens` has the cached tokens in
 * it and `completion_tokens` the reasoning. Writing to the cache is no count of that form and costs no more than reading
 * afresh, so it is a measured 0, unless the server counts it (`prompt_tokens_details.cache_write_tokens`).
 *
 * @since 0.1.0
 * @category providers
 */
export const fromOpenAiChat = (json: unknown): Usage => {
  const promptDetails = fieldAt(json, "prompt_tokens_details")
  const cacheRead = countAt(promptDetails, "cached_tokens")
  const cacheWrite =
    fieldAt(promptDetails, "cache_write_tokens") === undefined
      ? Measure.isMeasured(cacheRead)
        ? Measure.measured(0)
        : cacheRead
      : countAt(promptDetails, "cache_write_tokens")
  const completion = countAt(json, "completion_tokens")
  const reasoning = countAt(fieldAt(json, "completion_tokens_details"), "reasoning_tokens")
  return {
    uncached: Measure.subtract(countAt(json, "prompt_tokens"), Measure.add(cacheRead, cacheWrite)),
    cacheRead,
    cacheWrite,
    output: Measure.isMeasured(reasoning) ? Measure.subtract(completion, reasoning) : completion,
    reasoning
  }
}

/**
 * All tokens of a request's input. Unmeasured where a part is.
 *
 * @since 0.1.0
 * @category totals
 */
export const inputTokens = ({ cacheRead, cacheWrite, uncached }: Usage): Measure.Measure =>
  Measure.sum([uncached, cacheRead, cacheWrite])

/**
 * All tokens of a request's output. Reasoning that was not told apart is in `output` already, by its definition.
 *
 * @since 0.1.0
 * @category totals
 */
export const outputTokens = ({ output, reasoning }: Usage): Measure.Measure =>
  Measure.isMeasured(reasoning) ? Measure.add(output, reasoning) : output

/**
 * All tokens of a request, in and out.
 *
 * @since 0.1.0
 * @category totals
 */
export const totalTokens = (usage: Usage): Measure.Measure => Measure.add(inputTokens(usage), outputTokens(usage))

/** A field of foreign JSON. Null is how some providers write a missing one. */
const fieldAt = (json: unknown, key: string): unknown =>
  isRecord(json) && Object.hasOwn(json, key) ? (json[key] ?? undefined) : undefined

const isRecord = (json: unknown): json is { readonly [key: string]: unknown } =>
  typeof json === "object" && json !== null

const countAt = (json: unknown, key: string): Measure.Measure => {
  const value = fieldAt(json, key)
  if (value === undefined) return Measure.unmeasured(`no ${key}`)
  return typeof value === "number" ? Measure.measured(value) : Measure.unmeasured(`${key} is no number`)
}

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
import { countAt, fieldAt } from "./internal/Json.ts"
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
  const { cacheRead, cacheWrite } = cachedOf(fieldAt(json, "prompt_tokens_details"))
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
 * The `usage` of an OpenAI response. As in a chat completion `input_tokens` has the cached tokens in it and
 * `output_tokens` the reasoning.
 *
 * @since 0.1.0
 * @category providers
 */
export const fromOpenAiResponses = (json: unknown): Usage => {
  const { cacheRead, cacheWrite } = cachedOf(fieldAt(json, "input_tokens_details"))
  const reasoning = countAt(fieldAt(json, "output_tokens_details"), "reasoning_tokens")
  const output = countAt(json, "output_tokens")
  return {
    uncached: Measure.subtract(countAt(json, "input_tokens"), Measure.add(cacheRead, cacheWrite)),
    cacheRead,
    cacheWrite,
    output: Measure.isMeasured(reasoning) ? Measure.subtract(output, reasoning) : output,
    reasoning
  }
}

/**
 * The `usageMetadata` of Gemini. `promptTokenCount` has the cached tokens in it, `thoughtsTokenCount` stands beside
 * `candidatesTokenCount`. A cache is made by a call of its own there, so writing one is a measured 0. Prompts that its
 * own tools made (`toolUsePromptTokenCount`) are input as well.
 *
 * @since 0.1.0
 * @category providers
 */
export const fromGemini = (json: unknown): Usage => {
  const cacheRead = countAt(json, "cachedContentTokenCount")
  const prompt = countAt(json, "promptTokenCount")
  const byTools = countAt(json, "toolUsePromptTokenCount")
  const hasTools = fieldAt(json, "toolUsePromptTokenCount") !== undefined
  const uncached = Measure.subtract(prompt, cacheRead)
  return {
    uncached: hasTools ? Measure.add(uncached, byTools) : uncached,
    cacheRead,
    cacheWrite: Measure.isMeasured(prompt) ? Measure.measured(0) : prompt,
    output: countAt(json, "candidatesTokenCount"),
    reasoning: countAt(json, "thoughtsTokenCount")
  }
}

/**
 * A usage report of a form that is not known. What it calls cached and output is taken by name; whether its input has
 * the cached tokens in it is not known, so the uncached part is not either.
 *
 * @since 0.1.0
 * @category providers
 */
export const fromUnknown = (json: unknown): Usage => ({
  uncached: Measure.unmeasured("whether the input has the cached tokens in it is not known"),
  cacheRead: firstOf(json, ["cache_read_input_tokens", "cache_read", "cached_tokens", "cachedContentTokenCount"]),
  cacheWrite: firstOf(json, ["cache_creation_input_tokens", "cache_write", "cache_write_tokens"]),
  output: firstOf(json, OUTPUT_NAMES),
  reasoning: Measure.unmeasured("whether it is within the output is not known")
})

/**
 * Names under which input has been seen in usage reports.
 *
 * @since 0.1.0
 * @category constants
 */
export const INPUT_NAMES: ReadonlyArray<string> = ["input_tokens", "prompt_tokens", "promptTokenCount", "input"]

/**
 * Names under which output has been seen in usage reports.
 *
 * @since 0.1.0
 * @category constants
 */
export const OUTPUT_NAMES: ReadonlyArray<string> = [
  "output_tokens",
  "completion_tokens",
  "candidatesTokenCount",
  "output"
]

/**
 * The first of several fields that holds anything.
 *
 * @since 0.1.0
 * @category providers
 */
export const firstOf = (json: unknown, names: ReadonlyArray<string>): Measure.Measure => {
  const name = names.find((name) => fieldAt(json, name) !== undefined)
  return name === undefined ? Measure.unmeasured(`none of ${names.join(", ")}`) : countAt(json, name)
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

/** Writing is counted by few; where it is not, it costs no more than reading afresh and is within the uncached. */
const cachedOf = (details: unknown): { readonly cacheRead: Measure.Measure; readonly cacheWrite: Measure.Measure } => {
  const cacheRead = countAt(details, "cached_tokens")
  if (fieldAt(details, "cache_write_tokens") !== undefined) {
    return { cacheRead, cacheWrite: countAt(details, "cache_write_tokens") }
  }
  return { cacheRead, cacheWrite: Measure.isMeasured(cacheRead) ? Measure.measured(0) : cacheRead }
}

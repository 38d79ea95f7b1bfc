/**
 * Usage by provider: for each known form of a usage report, how its fields become counts that do not overlap, and what
 * all tokens of the request together are, which is often known where the parts are not.
 *
 * | shape            | input                                        | output                             |
 * | ---------------- | -------------------------------------------- | ---------------------------------- |
 * | anthropic        | cached tokens beside `input_tokens`          | `output_tokens`, reasoning within  |
 * | openai-chat      | cached tokens within `prompt_tokens`         | reasoning within `completion_tokens` |
 * | openai-responses | cached tokens within `input_tokens`          | reasoning within `output_tokens`   |
 * | gemini           | cached tokens within `promptTokenCount`      | thoughts beside `candidatesTokenCount` |
 * | unknown          | whichever names are there, overlap not known | as named                           |
 *
 * For an unknown form the total is the `max` rule, `max(input, cache read + cache write) + output`: exact where the one
 * holds the other, a floor where they are disjoint. So it is told as a floor, and no floor is taken for a count.
 *
 * Laws kept here: 10 (each token has one owner), 11. Source: LE-10, mending LE-W1; field report B76.
 *
 * @since 0.1.0
 */
import { countAt, fieldAt } from "./internal/Json.ts"
import * as Measure from "./Measure.ts"
import * as Usage from "./Usage.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Shape = "anthropic" | "openai-chat" | "openai-responses" | "gemini" | "unknown"

/**
 * A usage report, read: the counts, all tokens together, and how many those are at the least where they were not measured.
 *
 * @since 0.1.0
 * @category models
 */
export interface Counted {
  readonly usage: Usage.Usage
  readonly total: Measure.Measure
  readonly atLeast: number
}

/**
 * A usage report of a shape.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = (shape: Shape, json: unknown): Counted => {
  const { total, usage } = TABLE[shape](json)
  return { usage, total, atLeast: Measure.isMeasured(total) ? total.n : atLeastOf(shape, json, usage) }
}

/**
 * Usage of a request that a form in hand already normalised.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofUsage = (usage: Usage.Usage): Counted => {
  const total = Usage.totalTokens(usage)
  return { usage, total, atLeast: Measure.isMeasured(total) ? total.n : knownIn(usage) }
}

/**
 * How many written tokens have the longer time to live, where an Anthropic report tells.
 *
 * @since 0.1.0
 * @category providers
 */
export const longWrite = (json: unknown): Measure.Measure =>
  countAt(fieldAt(json, "cache_creation"), "ephemeral_1h_input_tokens")

/**
 * The `max` rule. Source: LE-W1.
 *
 * @since 0.1.0
 * @category totals
 */
export const maxRule = (counts: {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}): number => Math.max(counts.input, counts.cacheRead + counts.cacheWrite) + counts.output

type Reader = (json: unknown) => { readonly usage: Usage.Usage; readonly total: Measure.Measure }

const TABLE: { readonly [S in Shape]: Reader } = {
  anthropic: (json) => {
    const usage = Usage.fromAnthropic(json)
    return { usage, total: Usage.totalTokens(usage) }
  },
  "openai-chat": (json) => ({
    usage: Usage.fromOpenAiChat(json),
    total: Measure.add(countAt(json, "prompt_tokens"), countAt(json, "completion_tokens"))
  }),
  "openai-responses": (json) => ({
    usage: Usage.fromOpenAiResponses(json),
    total: Measure.add(countAt(json, "input_tokens"), countAt(json, "output_tokens"))
  }),
  gemini: (json) => {
    const usage = Usage.fromGemini(json)
    const whole = Usage.totalTokens(usage)
    return { usage, total: Measure.isMeasured(whole) ? whole : countAt(json, "totalTokenCount") }
  },
  unknown: (json) => {
    const usage = Usage.fromUnknown(json)
    return { usage, total: Measure.unmeasured("the form of this usage is not known, so nor is what overlaps in it") }
  }
}

const atLeastOf = (shape: Shape, json: unknown, usage: Usage.Usage): number => {
  if (shape !== "unknown") return knownIn(usage)
  const n = (names: ReadonlyArray<string>) => numberOf(Usage.firstOf(json, names))
  return maxRule({
    input: n(Usage.INPUT_NAMES),
    cacheRead: numberOf(usage.cacheRead),
    cacheWrite: numberOf(usage.cacheWrite),
    output: n(Usage.OUTPUT_NAMES)
  })
}

/** A floor may leave out what is not known: it only says "not less than this". */
const numberOf = (measure: Measure.Measure): number =>
  Measure.match(measure, { measured: (n) => n, unmeasured: () => 0 })

const knownIn = (usage: Usage.Usage): number =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    Object.values(usage).reduce((sum, measure) => sum + numberOf(measure), 0)
  )

/**
 * The strategy `observation_mask`: a recap of the archived messages within a budget of bytes, the newest first.
 *
 *     [auto-compacted 9 older messages via observation masking]
 *     [prior recap] …                                  the newest earlier recap, once
 *     [user] …                                         masked lines, in the order of the messages
 *     [2 older message(s) dropped to fit recap budget]
 *
 * 1. Walking from the newest, a line that does not fit is skipped; smaller, older ones may still fit.
 * 2. Pins stand whole, and the newest prior recap in at most 6,000 bytes; both outside the budget (HA-W10, kept).
 * 3. A prior recap is carried without its header and its own mark, so a recap of recaps does not grow.
 * 4. Every message has a fate; those without words are neither shown nor counted as dropped.
 *
 * Kept: HA-W7 (what is carried of a prior recap is its beginning, the oldest part), HA-W6 and HA-W4. Mended: HA-W2.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { bytesOf, head } from "./Bytes.ts"
import type { Fate, Summary } from "./Fate.ts"
import { collapse, mask, type MaskCallback, pinnedAt } from "./Mask.ts"
import { bodyOf, type Message } from "./Message.ts"

/**
 * What a recap kept. `recapBytes` is its length, whatever stood outside the budget included.
 *
 * @since 0.1.0
 * @category models
 */
export const RecapMetrics = Schema.Struct({
  recapBytes: Schema.propertySignature(Schema.NonNegativeInt).pipe(Schema.fromKey("recap_bytes")),
  budgetBytes: Schema.propertySignature(Schema.NonNegativeInt).pipe(Schema.fromKey("budget_bytes")),
  keptResultsCount: Schema.propertySignature(Schema.NonNegativeInt).pipe(Schema.fromKey("kept_results_count")),
  droppedCount: Schema.propertySignature(Schema.NonNegativeInt).pipe(Schema.fromKey("dropped_count")),
  carriedPriorRecap: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("carried_prior_recap"))
})
/** @since 0.1.0 */
export interface RecapMetrics extends Schema.Schema.Type<typeof RecapMetrics> {}

/**
 * A recap with its metrics.
 *
 * @since 0.1.0
 * @category models
 */
export interface Recap extends Summary {
  readonly metrics: RecapMetrics
}

/**
 * Bytes of a recap, where no other number is given.
 *
 * @since 0.1.0
 * @category constants
 */
export const DEFAULT_RECAP_BUDGET_BYTES = 16_000

/**
 * What tells a recap from another message.
 *
 * @since 0.1.0
 * @category constants
 */
export const RECAP_HEADER_SENTINEL = "via observation masking]"

/**
 * The most that is carried of a prior recap (bytes).
 *
 * @since 0.1.0
 * @category constants
 */
export const PRIOR_RECAP_CARRY_CAP = 6_000

/**
 * The recap of archived messages; its header names `count` of them.
 *
 * @since 0.1.0
 * @category strategies
 */
export const recap = (
  messages: ReadonlyArray<Message>,
  budgetBytes = DEFAULT_RECAP_BUDGET_BYTES,
  callback?: MaskCallback,
  count = messages.length
): Recap => {
  const header = `[auto-compacted ${count} older messages ${RECAP_HEADER_SENTINEL}`
  const pinned = pinnedAt(messages)
  const prior = messages.findLastIndex((message) => isRecap(bodyOf(message)))
  const fates: Array<Fate> = messages.map(() => "empty")
  const lines: Array<Line> = []
  let spent = bytesOf(header)
  for (const [at, message] of [...messages.entries()].reverse()) {
    const body = bodyOf(message)
    if (body === "") continue
    const line = lineOf(message, body, at === prior, pinned.has(at), callback)
    const cost = bytesOf(line.text) + 1
    const fits = line.alone || spent + cost <= budgetBytes
    fates[at] = fits ? line.fate : "dropped"
    if (fates[at] === "dropped") continue
    if (!line.alone) spent += cost
    lines.push(line)
  }
  lines.reverse()
  const droppedCount = fates.filter((fate) => fate === "dropped").length
  const shown = collapse(lines)
  const last = droppedCount > 0 ? [`[${droppedCount} older message(s) dropped to fit recap budget]`] : []
  const text = [header, ...shown.map((line) => line.text), ...last].join("\n")
  return {
    text,
    carriedBytes: shown.reduce((sum, { line }) => sum + line.carriedBytes, 0),
    fates,
    metrics: {
      recapBytes: bytesOf(text),
      budgetBytes,
      keptResultsCount: lines.filter(({ result }) => result).length,
      droppedCount,
      carriedPriorRecap: lines.some(({ fate }) => fate === "recapped")
    }
  }
}

/**
 * Whether a text is a recap of this strategy, by its words.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isRecap = (body: string): boolean => body.includes(RECAP_HEADER_SENTINEL)

/**
 * What is carried of a prior recap: its lines without header and mark, at most 6,000 bytes of whole lines.
 *
 * @since 0.1.0
 * @category rendering
 */
export const carryPrior = (body: string): string => {
  const words = body
    .split("\n")
    .filter((line) => !line.startsWith("[auto-compacted ") || !line.endsWith(RECAP_HEADER_SENTINEL))
    .map((line) => (line.startsWith(PRIOR) ? line.slice(PRIOR.length) : line))
    .join("\n")
  if (bytesOf(words) <= PRIOR_RECAP_CARRY_CAP) return words
  const cut = head(words, PRIOR_RECAP_CARRY_CAP)
  const end = cut.lastIndexOf("\n")
  return words[cut.length] === "\n" || end <= 0 ? cut : cut.slice(0, end)
}

const PRIOR = "[prior recap] "

/** A line of the recap. `alone`: outside the budget, never collapsed. */
interface Line {
  readonly text: string
  readonly carriedBytes: number
  readonly fate: Fate
  readonly alone: boolean
  readonly result: boolean
}

/** A recap is no pin, whatever it quotes: what it carried pinned would otherwise grow with every recap. */
const lineOf = (
  message: Message,
  body: string,
  isPrior: boolean,
  isPinned: boolean,
  callback: MaskCallback | undefined
): Line => {
  if (isRecap(body)) {
    const carried = isPrior ? carryPrior(body) : ""
    const fate = carried === "" ? "dropped" : "recapped"
    return { text: PRIOR + carried, carriedBytes: bytesOf(carried), fate, alone: true, result: false }
  }
  const result = message.role !== "assistant"
  if (isPinned) {
    return { text: `[${message.role}] ${body}`, carriedBytes: bytesOf(body), fate: "pinned", alone: true, result }
  }
  const line = mask(message, callback)
  return { ...line, fate: line.whole ? "whole" : "masked", alone: false, result }
}

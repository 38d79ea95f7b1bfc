/**
 * From what a compaction made of messages to the changes of a decision: archived entries leave under the summary, results
 * that stay are bounded, and each archived message is named with its fate (law 9).
 */
import * as Effect from "effect/Effect"
import type { Compacted } from "@palimpsest/compaction/CompactionFact"
import type * as Compact from "@palimpsest/compaction/harn/Compact"
import type { AutoCompactConfig } from "@palimpsest/compaction/harn/Config"
import { piecesOf } from "@palimpsest/compaction/harn/Microcompact"
import { modeOf } from "@palimpsest/compaction/harn/Policy"
import type { ReceiptId } from "@palimpsest/compaction/harn/Receipt"
import type { Change } from "@palimpsest/compaction/Decision"
import { putOf, type Form } from "@palimpsest/compaction/Form"
import { scalarsIn, type Splice } from "@palimpsest/compaction/Splice"
import type { Item, Message } from "@palimpsest/compaction/Transcript"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import { bodiesOf } from "@palimpsest/ledger/Part"
import { blockText, spliceText, type Fault, type Reader } from "../Texts.ts"
import { joined, rangesOf, splicedOf, spliced, type Shown } from "./ranges.ts"

type EntryItem = Item & { readonly _tag: "Entry" }

export interface Changed {
  readonly changes: ReadonlyArray<Change>
  readonly clamped: Compacted["clamped"]
}

/** The changes that make of `listed` what the engine made of it. */
export const changesOf = (
  listed: ReadonlyArray<Message>,
  done: Compact.Compacted,
  max: number,
  reader: Reader
): Effect.Effect<Changed, Fault> =>
  Effect.gen(function* () {
    const { split, start } = done.window
    const archived = listed.slice(start, split)
    const texts: Array<Shown> = []
    for (const item of archived.flatMap(({ items }) => items)) {
      if (item._tag === "Entry" && item.entered.part._tag !== "Reasoning") texts.push(yield* shownOf(item, reader))
    }
    const summary = quoting(done.summary, texts)
    const staying = [...listed.slice(0, start), ...listed.slice(split)]
    const recaps = spansOf(archived.flatMap(seqsIn), staying.flatMap(seqsIn)).map(([from, to], i): Change => ({
      entries: [from, to],
      form: { _tag: "Recap", rest: { seq: from }, put: i === 0 ? summary : [] }
    }))
    const bounds: Array<Change> = []
    const clamped: Array<Compacted["clamped"][number]> = []
    for (const { at } of done.clamped) {
      for (const item of listed[at]?.items ?? []) {
        const bound = yield* boundOf(item, max, reader)
        if (bound === undefined) continue
        bounds.push({ entries: [item.seq, item.seq], form: bound.form })
        clamped.push({ entry: item.seq, dropped: bound.dropped })
      }
    }
    return { changes: [...recaps, ...bounds], clamped }
  })

/** The fact of a compaction that was done. */
export const compactedOf = (
  listed: ReadonlyArray<Message>,
  done: Compact.Compacted,
  clamped: Compacted["clamped"],
  settings: AutoCompactConfig,
  { id, step }: { readonly id: ReceiptId; readonly step: Step }
): Compacted => {
  const { hardLimitTokens, policy, requestProvenance, tokenThreshold } = settings
  const { requestedStrategy, thresholdSource } = requestProvenance ?? {}
  const instructions = modeOf(policy)
  const archived = done.fates.map((fate, i): Compacted["archived"][number] => {
    const message = listed[done.window.start + i]
    const seqs = message === undefined || message.items[0]._tag === "Words" ? [] : seqsIn(message)
    const [first] = seqs
    return first === undefined ? { fate } : { entries: [first, seqs.reduce(larger, first)], fate }
  })
  return {
    _tag: "Compacted",
    step,
    id,
    mode: "auto",
    strategy: settings.policyStrategy,
    ...(requestedStrategy === undefined ? {} : { requested: requestedStrategy }),
    effective: done.strategy,
    threshold: tokenThreshold,
    ...(thresholdSource === undefined ? {} : { thresholdSource }),
    ...(hardLimitTokens === undefined ? {} : { hardLimit: hardLimitTokens }),
    before: done.tokensBefore,
    after: done.tokensAfter,
    archived,
    clamped,
    instructions,
    ...(instructions === "default" ? {} : { policy }),
    ...(done.recapMetrics === undefined ? {} : { recap: done.recapMetrics }),
    measurement: done.measurement,
    calls: done.calls.length
  }
}

/** What an entry shows now: its blocks, or the pieces of the words in their place. Media say nothing. */
const shownOf = (item: EntryItem, reader: Reader): Effect.Effect<Shown, Fault> => {
  const { entered, form } = item
  const put = putOf(form)
  if (put === undefined) {
    const texts = Effect.forEach(bodiesOf(entered.part), ({ encoding }, i) =>
      encoding === "bytes" ? Effect.succeed("") : blockText(reader, entered, i + 1)
    )
    return Effect.map(texts, (blocks) => joined(item.seq, blocks))
  }
  const pieces = Effect.forEach(put, (piece) => spliceText(reader, [piece], () => Effect.succeed(entered)))
  return Effect.map(pieces, (texts) => splicedOf(put, texts))
}

const boundOf = (
  item: Item,
  max: number,
  reader: Reader
): Effect.Effect<{ readonly form: Form; readonly dropped: number } | undefined, Fault> => {
  if (item._tag !== "Entry" || item.entered.part._tag !== "Result") return NOTHING
  if (item.entered.part.blocks.some(({ encoding }) => encoding === "bytes")) return NOTHING
  return Effect.map(shownOf(item, reader), (shown) => {
    const { droppedBytes, pieces } = piecesOf(shown.text, max)
    if (droppedBytes === 0) return undefined
    const put = spliced(
      ...pieces.map((piece) => (typeof piece === "string" ? piece : rangesOf(shown, piece[0], piece[1])))
    )
    const form: Form = { _tag: "Bounded", keep: "both", cap: scalarsIn(put), rest: { seq: item.seq }, put }
    return { form, dropped: droppedBytes }
  })
}

const NOTHING = Effect.succeed(undefined)

/**
 * A summary with ranges where it quotes what it is of: whole texts, and the beginnings that a mask shows. What is shorter
 * than a range is long stays words.
 */
const quoting = (summary: string, texts: ReadonlyArray<Shown>): Splice => {
  const splice: Array<Splice[number]> = []
  let at = 0
  for (const shown of texts) {
    const found = quoteOf(summary, at, shown.text)
    if (found === undefined) continue
    splice.push(...spliced(summary.slice(at, found.at)))
    splice.push(...rangesOf(shown, 0, found.length))
    at = found.at + found.length
  }
  return [...splice, ...spliced(summary.slice(at))]
}

const quoteOf = (
  summary: string,
  from: number,
  text: string
): { readonly at: number; readonly length: number } | undefined => {
  if (text.length < LEAST || !isWellFormed(text)) return undefined
  const line = text.indexOf("\n")
  for (const length of [text.length, PREVIEW, Math.min(FIRST_LINE, line < 0 ? FIRST_LINE : line)]) {
    if (length > text.length || length < LEAST) continue
    const part = text.slice(0, length)
    const at = isWellFormed(part) ? summary.indexOf(part, from) : -1
    if (at >= 0) return { at, length }
  }
  return undefined
}

/** Units. Below the first a range takes more room than the words; the others are what the masks show of a text. */
const LEAST = 64
const PREVIEW = 240
const FIRST_LINE = 120

const seqsIn = ({ hidden, items }: Message): ReadonlyArray<Seq> => [
  ...items.flatMap((item) => (item._tag === "Entry" ? [item.seq] : [])),
  ...hidden.map(({ seq }) => seq)
]

const larger = (a: Seq, b: Seq): Seq => (b > a ? b : a)

/** Entries in as few ranges of the log as hold nothing that stays. */
const spansOf = (leaving: ReadonlyArray<Seq>, staying: ReadonlyArray<Seq>): ReadonlyArray<readonly [Seq, Seq]> => {
  const sorted = [...new Set(leaving)].sort((a, b) => a - b)
  const kept = [...staying].sort((a, b) => a - b)
  const spans: Array<readonly [Seq, Seq]> = []
  let next = 0
  for (const seq of sorted) {
    while (next < kept.length && kept[next]! < seq) next++
    const last = spans.at(-1)
    const between = kept[next - 1]
    if (last !== undefined && (between === undefined || between < last[0])) spans[spans.length - 1] = [last[0], seq]
    else spans.push([seq, seq])
  }
  return spans
}

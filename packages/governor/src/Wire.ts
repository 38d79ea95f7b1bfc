/**
 * From the messages of a view to the messages on the wire: each item becomes a slice of the record that it came from, or
 * the words that a decision put in its place.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import { BodyFault } from "@palimpsest/ledger/BodyStore"
import { GENESIS } from "@palimpsest/ledger/Event"
import { bodiesOf } from "@palimpsest/ledger/Part"
import { putOf } from "@palimpsest/compaction/Form"
import type { Splice } from "@palimpsest/compaction/Splice"
import type { Item, Message, Shape } from "@palimpsest/compaction/Transcript"
import { renderMessage } from "@palimpsest/transcript/Render"
import type * as Provider from "@palimpsest/transcript/Shape"
import { mended } from "@palimpsest/transcript/WellFormed"
import { blockText, spliceText, type Fault, type Reader } from "./Texts.ts"

/**
 * The JSON text of one message.
 *
 * @since 0.1.0
 * @category rendering
 */
export const messageText = (reader: Reader, shape: Shape, message: Message): Effect.Effect<string, Fault> =>
  Effect.map(
    Effect.forEach(message.items, (item) => wireItem(reader, item, message)),
    (items) => {
      const text = renderMessage(shape, { role: message.role, items })
      return message.items.some(isMended) ? mended(text) : text
    }
  )

/**
 * The text of one block of an item's entry.
 *
 * @since 0.1.0
 * @category reading
 */
export const blockTextOfItem = (
  reader: Reader,
  item: Item & { readonly _tag: "Entry" },
  block: number
): Effect.Effect<string, Fault> => blockText(reader, item.entered, block)

const isMended = (item: Item): boolean => item._tag === "Entry" && item.form._tag === "Mended"

const wireItem = (reader: Reader, item: Item, { hidden }: Message): Effect.Effect<Provider.Item, Fault> =>
  Effect.gen(function* () {
    if (item._tag === "Closed") return { _tag: "Closed", call: item.call, text: yield* words(reader, item, item.put) }
    if (item._tag === "Words") return { _tag: "Words", text: yield* words(reader, item, item.put, hidden) }
    const { entered } = item
    const put = putOf(item.form)
    const record = entered.origin._tag === "Read" ? decodeUtf8(yield* reader.stored(entered.origin.record)) : ""
    if (put !== undefined) return { _tag: "Entry", entered, record, replaced: yield* words(reader, item, put) }
    if (entered.origin._tag === "Read") return { _tag: "Entry", entered, record }
    return { _tag: "Entry", entered, record, replaced: yield* ownText(reader, item) }
  })

/** A splice of an item takes its ranges from the item's own entry; of words, from the entries that they stand for. */
const words = (reader: Reader, item: Item, put: Splice, hidden: Message["hidden"] = []): Effect.Effect<string, Fault> =>
  spliceText(reader, put, (seq) => {
    const entered =
      item._tag === "Entry" && seq === item.seq ? item.entered : hidden.find((one) => one.seq === seq)?.entered
    return entered === undefined
      ? Effect.fail(new BodyFault({ digest: GENESIS, why: "missing" }))
      : Effect.succeed(entered)
  })

const ownText = (reader: Reader, item: Item & { readonly _tag: "Entry" }): Effect.Effect<string, Fault> =>
  Effect.map(
    Effect.forEach(bodiesOf(item.entered.part), (_, i) => blockText(reader, item.entered, i + 1)),
    (texts) => texts.join("\n")
  )

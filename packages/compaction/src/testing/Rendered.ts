/**
 * The text of a view, rendered from the texts that were entered: what a splice's ranges give, and an independent count of
 * what that takes of a request.
 *
 * @since 0.1.0
 */
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import { putOf } from "../Form.ts"
import { render, type Range } from "../Splice.ts"
import type { Item, Message } from "../Transcript.ts"

/**
 * The texts of the blocks of each entry; "" for a picture.
 *
 * @since 0.1.0
 * @category models
 */
export type Texts = ReadonlyMap<Seq, ReadonlyArray<string>>

/**
 * The text of a range. One without a block counts in the blocks of its entry one behind the other.
 *
 * @since 0.1.0
 * @category rendering
 */
export const textOfRange = (texts: Texts, { bytes, of }: Range): string => {
  const blocks = texts.get(of.seq) ?? []
  const text = of.block === undefined ? blocks.join("") : (blocks[of.block - 1] ?? "")
  return decodeUtf8(encodeUtf8(text).subarray(...bytes))
}

/**
 * The text that an item puts into a request.
 *
 * @since 0.1.0
 * @category rendering
 */
export const textOfItem = (texts: Texts, item: Item): string => {
  const put = item._tag === "Entry" ? putOf(item.form) : item.put
  return put === undefined ? (texts.get(item.seq) ?? []).join("") : render(put, (range) => textOfRange(texts, range))
}

/**
 * The text of a message: who speaks, and the items. Two messages that differ in anything that is sent differ here.
 *
 * @since 0.1.0
 * @category rendering
 */
export const textOfMessage = (texts: Texts, message: Message): string =>
  JSON.stringify([message.role, message.items.map((item) => [item.seq, textOfItem(texts, item)])])

/**
 * Estimated tokens of a message, counted from its text: a quarter of its scalar values, rounded up, and 1,500 a picture.
 *
 * @since 0.1.0
 * @category sizes
 */
export const tokensOfMessage = (texts: Texts, message: Message): number => {
  let scalars = 0
  let pictures = 0
  for (const item of message.items) {
    const text = textOfItem(texts, item)
    scalars += text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
    if (item._tag === "Entry" && item.form._tag === "Whole") {
      const { part } = item.entered
      const bodies = part._tag === "Result" ? part.blocks : part._tag === "Call" ? [part.args] : [part.body]
      pictures += bodies.filter(({ encoding }) => encoding === "bytes").length
    }
  }
  return Math.ceil(scalars / 4) + pictures * 1_500
}

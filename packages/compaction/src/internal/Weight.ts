import { weightOf } from "@palimpsest/ledger/Part"
import { putOf } from "../Form.ts"
import { scalarsIn } from "../Splice.ts"
import type { Item } from "../Transcript.ts"

/**
 * What an item takes of a request: scalar values of its text, and media, which are charged by the piece.
 *
 * @since 0.1.0
 * @category sizes
 */
export const weigh = (item: Item): { readonly scalars: number; readonly media: number } => {
  if (item._tag !== "Entry") return { scalars: scalarsIn(item.put), media: 0 }
  const put = putOf(item.form)
  return put === undefined ? weightOf(item.entered.part) : { scalars: scalarsIn(put), media: 0 }
}

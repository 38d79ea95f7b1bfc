/**
 * Duplicates: a result whose bytes stand whole in the view already enters as a pointer to them. Nothing that a request has
 * shown is rewritten for it, so no cache breaks; and the call ran, so what changed is never answered from memory.
 *
 *     [result @12: whole] … [result @41: the same bytes]  ─>  [result @41: "[@41 is the same as @12 above …]"]
 *
 * Rows CA-13 and CA-14 in kind: only to a copy that stands whole, never to a pointer, never of an error or of media; the
 * copy that is pointed at counts as used. Identity is the digest of each block.
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import { weightOf } from "@palimpsest/ledger/Part"
import type { Change } from "./Decision.ts"
import { isWhole } from "./Form.ts"
import { pointer } from "./Mark.ts"
import type { Item, Transcript } from "./Transcript.ts"

/**
 * The pointers with which new results enter. `isNew` says which messages no request has shown.
 *
 * @since 0.1.0
 * @category classes
 */
export const pointers = (view: Transcript, isNew: (at: number) => boolean): ReadonlyArray<Change> => {
  const first = new Map<string, Seq>()
  const changes: Array<Change> = []
  view.messages.forEach(({ items }, at) => {
    for (const item of items) {
      const key = isWholeText(item) ? keyOf(item) : undefined
      if (key === undefined) continue
      const to = first.get(key)
      if (to === undefined) first.set(key, item.seq)
      else if (isNew(at)) changes.push({ entries: [item.seq, item.seq], form: pointer({ seq: item.seq }, to) })
    }
  })
  return changes
}

type Entry = Item & { readonly _tag: "Entry" }

const isWholeText = (item: Item): item is Entry =>
  item._tag === "Entry" &&
  isWhole(item.form) &&
  item.entered.part._tag === "Result" &&
  item.entered.part.status === "ok" &&
  item.entered.part.blocks.every(({ encoding }) => encoding !== "bytes") &&
  weightOf(item.entered.part).scalars >= LEAST

const keyOf = ({ entered: { part } }: Entry): string | undefined =>
  part._tag === "Result" ? part.blocks.map(({ digest }) => digest).join(" ") : undefined

/** A result of less is not pointed at (scalar values): a pointer has to be clearly shorter. */
const LEAST = 240

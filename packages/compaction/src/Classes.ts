/**
 * What the results of a view are still worth, by what came after them: superseded by a later observation of the same
 * subject that covers as much, or invalidated by a write to it. Classes are about what is shown, and cause nothing by
 * themselves (DESIGN section 5).
 *
 * A write spends what it touches, not all that came before it (mending CA-W4).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import { invalidated } from "./Invalidation.ts"
import { superseded, type Observed } from "./Supersession.ts"
import type { Item, Transcript } from "./Transcript.ts"

/**
 * For each entry that is spent, the entry that made it so.
 *
 * @since 0.1.0
 * @category models
 */
export interface Classes {
  readonly superseded: ReadonlyMap<Seq, Seq>
  readonly invalidated: ReadonlyMap<Seq, Seq>
}

/**
 * The classes of what a view shows. A failed or a pending result shows nothing of its subject, so it neither replaces nor
 * changes what another shows; nor does a result that the client blanked.
 *
 * @since 0.1.0
 * @category classes
 */
export const classesOf = (view: Transcript): Classes => {
  const everything = view.messages.flatMap(({ items }) => items.filter(isObserved)).sort((a, b) => a.seq - b.seq)
  return {
    superseded: superseded(everything.filter(({ form }) => form._tag !== "Framed").map(toObserved)),
    invalidated: invalidated(everything.map(toObserved))
  }
}

type Entry = Item & { readonly _tag: "Entry" }

const isObserved = (item: Item): item is Entry => {
  if (item._tag !== "Entry" || item.entered.observation === undefined) return false
  const { part, role } = item.entered
  return part._tag === "Result" ? part.status === "ok" : part._tag === "Text" && role === "user"
}

const toObserved = (item: Entry): Observed => ({ seq: item.seq, observation: item.entered.observation! })

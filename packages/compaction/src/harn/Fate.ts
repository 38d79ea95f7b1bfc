/**
 * What became of each archived message (law 9): the text of this preset names few of them (HA-W4 and HA-W17, kept), so
 * the result names all, in the order of the messages.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * `whole`: all its words are in the summary. `masked`: some of them. `pinned`: all of them, outside the budget.
 * `recapped`: a summariser or a callback had it. `dropped`: counted, not shown. `empty`: it had no words.
 *
 * @since 0.1.0
 * @category models
 */
export const Fate = Schema.Literal("whole", "masked", "pinned", "recapped", "dropped", "empty")
/** @since 0.1.0 */
export type Fate = typeof Fate.Type

/**
 * A summary of archived messages, before anything is appended to it. `carriedBytes` is how much of it came from them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Summary {
  readonly text: string
  readonly carriedBytes: number
  readonly fates: ReadonlyArray<Fate>
}

/**
 * How a run ended, and what of it lands in its parent's inbox.
 *
 * The epitaphs are all there are, and code branches on the value, never on the shape of a message. Running out is an
 * ordinary end: the result is deposited like any other, and nobody is woken by it, for a tree-wide limit would wake run
 * after run only to tell each the same.
 *
 * Laws kept here: 14, 15. Source: LE-16 to LE-18, mending LE-W13.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { RunId } from "./Ids.ts"

/**
 * @since 0.1.0
 * @category schemas
 */
export const Epitaph = Schema.Literal("final-response", "stopped", "budget-exhausted", "died")

/**
 * @since 0.1.0
 * @category models
 */
export type Epitaph = typeof Epitaph.Type

/**
 * Whether an end starts anybody: a final response alone, itself and its parent. Source: LE-18.
 *
 * @since 0.1.0
 * @category predicates
 */
export const wakes = (epitaph: Epitaph): boolean => epitaph === "final-response"

/**
 * A run's end as an event of its parent's inbox. `position` is the place of the end in the account; `result` refers to
 * the run's last words, where it had any. Source: LE-16.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Deposited = Schema.TaggedStruct("Deposited", {
  from: RunId,
  to: RunId,
  epitaph: Epitaph,
  position: Schema.Positive.pipe(Schema.int()),
  result: Schema.optionalWith(Schema.NonEmptyString, { exact: true })
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Deposited = typeof Deposited.Type

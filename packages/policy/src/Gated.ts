/**
 * Gated: the event that a ruling leaves behind, kept in the log of the run it was made for.
 *
 * Laws kept here: 12 (what was asked for, why, and under which rule), 14 (unknown keys do not decode).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Act } from "./Act.ts"
import { optional, strict } from "./internal/strict.ts"
import { Verdict } from "./Verdict.ts"

/**
 * Why leave was asked: to read a stale file again, to give elided bytes back, to write a body out to a file, or for a tool
 * call of the agent.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Purpose = Schema.Literal("refresh", "recall", "spill", "call")

/**
 * @since 0.1.0
 * @category models
 */
export type Purpose = typeof Purpose.Type

/**
 * The payload. `step` is the number of the request that it happened under, `target` is canonical, and `of` is the seq of
 * the entry whose bytes were asked for, where there is one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Gated = Schema.TaggedStruct("Gated", {
  step: Schema.NonNegativeInt,
  act: Act,
  target: Schema.String,
  of: optional(Schema.Int.pipe(Schema.positive())),
  purpose: Purpose,
  verdict: Verdict
}).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type Gated = typeof Gated.Type

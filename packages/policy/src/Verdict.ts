/**
 * Verdicts: policy's answer about one act on one target, and which rule of which layer gave it.
 *
 * Laws kept here: 14 (unknown keys and half an attribution do not decode).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { optional, strict } from "./internal/strict.ts"
import { Ruling } from "./Ruling.ts"

/**
 * `rule` is the pattern as its author wrote it and `layer` the layer's name: both present when a rule decided, both
 * absent when the default of the act did. Source: IO-37.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Verdict = Schema.Struct({
  ruling: Ruling,
  rule: optional(Schema.String),
  layer: optional(Schema.String)
})
  .annotations(strict)
  .pipe(
    Schema.filter((verdict) =>
      "rule" in verdict === "layer" in verdict
        ? undefined
        : { path: ["rule" in verdict ? "layer" : "rule"], message: "rule and layer come together" }
    )
  )

/**
 * @since 0.1.0
 * @category models
 */
export interface Verdict {
  readonly ruling: Ruling
  readonly rule?: string
  readonly layer?: string
}

/**
 * Whether the act may go ahead with nobody asked. `ask` is not permission.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isAllowed = (verdict: Verdict): boolean => verdict.ruling === "allow"

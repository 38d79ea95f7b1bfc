/**
 * Forms: how one entry appears in a view. Every form that leaves something out carries the address where it is whole;
 * one without does not typecheck (law 4).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Address } from "@palimpsest/ledger/Address"
import { Seq } from "@palimpsest/ledger/Ids"
import { Splice } from "./Splice.ts"

/**
 * Why an entry left the view: a later observation shows its subject, or a later write changed it; it grew old; or a
 * fresh read of it was refused.
 *
 * @since 0.1.0
 * @category models
 */
export const Why = Schema.Union(
  Schema.TaggedStruct("Superseded", { by: Seq }),
  Schema.TaggedStruct("Invalidated", { by: Seq }),
  Schema.TaggedStruct("Aged", {}),
  Schema.TaggedStruct("Refused", { invalidatedBy: Seq })
)
/** @since 0.1.0 */
export type Why = typeof Why.Type

/**
 * As it is. Also the way back: an entry that was left out can return.
 *
 * @since 0.1.0
 * @category models
 */
export const Whole = Schema.TaggedStruct("Whole", {})

/**
 * Whole, between words of the view (a section's heading for it).
 *
 * @since 0.1.0
 * @category models
 */
export const Framed = Schema.TaggedStruct("Framed", { put: Splice })

/**
 * Part of a large result, decided when it enters; the entry itself is never cut. `cap` is in scalar values.
 *
 * @since 0.1.0
 * @category models
 */
export const Bounded = Schema.TaggedStruct("Bounded", {
  keep: Schema.Literal("head", "tail", "both"),
  cap: Schema.NonNegativeInt,
  rest: Address,
  put: Splice
})

/**
 * Left out, with a mark in its place. Where one mark stands for many (a collapse), the others put nothing.
 *
 * @since 0.1.0
 * @category models
 */
export const Stub = Schema.TaggedStruct("Stub", { why: Why, rest: Address, put: Splice })

/**
 * A newer read of the same target, shown in the old place. Only the preset `io-harness` does this (IO-24).
 *
 * @since 0.1.0
 * @category models
 */
export const Refreshed = Schema.TaggedStruct("Refreshed", { by: Seq, rest: Address, put: Splice })

/**
 * A call whose result never came, answered by the view in these words, as providers refuse an open call.
 *
 * @since 0.1.0
 * @category models
 */
export const Closed = Schema.TaggedStruct("Closed", { put: Splice })

/** @since 0.1.0 */
export const Form = Schema.Union(Whole, Framed, Bounded, Stub, Refreshed, Closed)
/** @since 0.1.0 */
export type Form = typeof Form.Type

/**
 * What a form puts in place of the entry's own text; undefined where the text stands as it is.
 *
 * @since 0.1.0
 * @category accessors
 */
export const putOf = (form: Form): Splice | undefined => (form._tag === "Whole" ? undefined : form.put)

/**
 * The reason that a report counts a changed entry under; undefined where the entry is whole.
 *
 * @since 0.1.0
 * @category accessors
 */
export const reasonOf = (form: Form): Reason | undefined => {
  switch (form._tag) {
    case "Whole":
    case "Framed":
    case "Closed":
      return undefined
    case "Bounded":
      return "bounded"
    case "Refreshed":
      return "refreshed"
    case "Stub":
      return REASONS[form.why._tag]
  }
}

/** @since 0.1.0 */
export type Reason = "bounded" | "refreshed" | "superseded" | "invalidated" | "aged" | "refused"

const REASONS = {
  Superseded: "superseded",
  Invalidated: "invalidated",
  Aged: "aged",
  Refused: "refused"
} as const

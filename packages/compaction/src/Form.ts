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
 * Why an entry left the view: a later observation shows its subject, or a later write changed it; the same bytes stand
 * in another entry; the model acted on it; it grew old; a fresh read of it was refused; or it is reasoning whose
 * provider no longer takes it, as something before it was rewritten (law 8).
 *
 * @since 0.1.0
 * @category models
 */
export const Why = Schema.Union(
  Schema.TaggedStruct("Superseded", { by: Seq }),
  Schema.TaggedStruct("Invalidated", { by: Seq }),
  Schema.TaggedStruct("Aged", {}),
  Schema.TaggedStruct("Refused", { invalidatedBy: Seq }),
  Schema.TaggedStruct("Duplicated", { of: Seq }),
  Schema.TaggedStruct("Consumed", {}),
  Schema.TaggedStruct("Unbound", {})
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

/**
 * The same bytes stand whole in an earlier entry of the view, and this one points there.
 *
 * @since 0.1.0
 * @category models
 */
export const Pointer = Schema.TaggedStruct("Pointer", { to: Seq, rest: Address, put: Splice })

/**
 * The model's own words or arguments, folded: a text is a mark; arguments keep their keys, and what a key held becomes a
 * value that cannot pass for content.
 *
 * @since 0.1.0
 * @category models
 */
export const Fold = Schema.TaggedStruct("Fold", { rest: Address, put: Splice })

/**
 * An old observation masked by a compaction, with a few of its words (HA-13).
 *
 * @since 0.1.0
 * @category models
 */
export const Mask = Schema.TaggedStruct("Mask", { why: Why, rest: Address, put: Splice })

/**
 * Left out with its whole turn, calls and results together (law 8). `put` stands once for the entries of the change, as
 * words of the view between the messages that stay; empty, the entries go under the mark before them, or, where they
 * leave a message that stays, without one.
 *
 * @since 0.1.0
 * @category models
 */
export const Collapse = Schema.TaggedStruct("Collapse", { why: Why, rest: Address, put: Splice })

/**
 * Left out under a recap, whose words stand once for the entries of the change.
 *
 * @since 0.1.0
 * @category models
 */
export const Recap = Schema.TaggedStruct("Recap", { rest: Address, put: Splice })

/**
 * As it is but for halves of characters (lone surrogates), which no provider takes: each is sent as U+FFFD. The entry keeps
 * them, and so does its address.
 *
 * @since 0.1.0
 * @category models
 */
export const Mended = Schema.TaggedStruct("Mended", { rest: Address })

/** @since 0.1.0 */
export const Form = Schema.Union(
  Whole,
  Framed,
  Bounded,
  Stub,
  Refreshed,
  Closed,
  Pointer,
  Fold,
  Mask,
  Collapse,
  Recap,
  Mended
)
/** @since 0.1.0 */
export type Form = typeof Form.Type

/**
 * The forms in which an entry leaves the messages altogether.
 *
 * @since 0.1.0
 * @category models
 */
export type Hiding = typeof Collapse.Type | typeof Recap.Type

/**
 * Whether an entry of this form stands in no message.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isHiding = (form: Form): form is Hiding => form._tag === "Collapse" || form._tag === "Recap"

/**
 * Whether all of an entry's text stands where the entry does.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isWhole = (form: Form): form is typeof Whole.Type | typeof Mended.Type =>
  form._tag === "Whole" || form._tag === "Mended"

/**
 * What a form puts in place of the entry's own text; undefined where the text stands as it is.
 *
 * @since 0.1.0
 * @category accessors
 */
export const putOf = (form: Form): Splice | undefined => (isWhole(form) ? undefined : form.put)

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
    case "Pointer":
      return "duplicated"
    case "Fold":
      return "folded"
    case "Recap":
      return "recapped"
    case "Mended":
      return "mended"
    case "Mask":
      return "masked"
    case "Stub":
    case "Collapse":
      return REASONS[form.why._tag]
  }
}

/** @since 0.1.0 */
export type Reason =
  | "bounded"
  | "refreshed"
  | "duplicated"
  | "folded"
  | "masked"
  | "recapped"
  | "mended"
  | "superseded"
  | "invalidated"
  | "aged"
  | "refused"
  | "consumed"
  | "unbound"

const REASONS = {
  Superseded: "superseded",
  Invalidated: "invalidated",
  Aged: "aged",
  Refused: "refused",
  Duplicated: "duplicated",
  Consumed: "consumed",
  Unbound: "unbound"
} as const

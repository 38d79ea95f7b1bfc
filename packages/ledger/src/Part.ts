/**
 * One part of one message. One part is one entry, one event and one address, so a message that is split over lines, or
 * half written when it is read, only ever appends.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Body } from "./Body.ts"

/**
 * What someone said.
 *
 * @since 0.1.0
 * @category models
 */
export const Text = Schema.TaggedStruct("Text", { body: Body })

/**
 * A tool call of the model. `call` pairs it with its result; the body of the arguments is their canonical JSON, or the
 * text that came where it is no JSON.
 *
 * @since 0.1.0
 * @category models
 */
export const Call = Schema.TaggedStruct("Call", { call: Schema.String, name: Schema.String, args: Body })

/**
 * The result of a call, in one or more blocks: `@41.2` is the second. A result without content has one empty block.
 *
 * @since 0.1.0
 * @category models
 */
export const Result = Schema.TaggedStruct("Result", {
  call: Schema.String,
  status: Schema.Literal("ok", "error", "pending"),
  blocks: Schema.NonEmptyArray(Body)
})

/**
 * Reasoning, sent back byte for byte or not at all (law 8). `signature` is the number of scalar values of whatever
 * signs it, 0 where nothing does.
 *
 * @since 0.1.0
 * @category models
 */
export const Reasoning = Schema.TaggedStruct("Reasoning", { body: Body, signature: Schema.NonNegativeInt })

/**
 * An image or another medium, outside a result.
 *
 * @since 0.1.0
 * @category models
 */
export const Media = Schema.TaggedStruct("Media", { body: Body })

/**
 * A block of a type that is not known here: kept verbatim, sent as it came, and counted (law 14).
 *
 * @since 0.1.0
 * @category models
 */
export const Opaque = Schema.TaggedStruct("Opaque", { type: Schema.String, body: Body })

/** @since 0.1.0 */
export const Part = Schema.Union(Text, Call, Result, Reasoning, Media, Opaque)
/** @since 0.1.0 */
export type Part = typeof Part.Type
/** @since 0.1.0 */
export type Call = typeof Call.Type
/** @since 0.1.0 */
export type Result = typeof Result.Type

/**
 * Who speaks.
 *
 * @since 0.1.0
 * @category models
 */
export const Role = Schema.Literal("system", "user", "assistant", "tool")
/** @since 0.1.0 */
export type Role = typeof Role.Type

/**
 * The bodies of a part, in the order of their blocks.
 *
 * @since 0.1.0
 * @category accessors
 */
export const bodiesOf = (part: Part): readonly [Body, ...ReadonlyArray<Body>] => {
  switch (part._tag) {
    case "Result":
      return part.blocks
    case "Call":
      return [part.args]
    default:
      return [part.body]
  }
}

/**
 * How much of a request a part takes: scalar values of text (arguments as canonical JSON, reasoning with its
 * signature), and the number of media, which are charged by the piece.
 *
 * @since 0.1.0
 * @category sizes
 */
export const weightOf = (part: Part): { readonly scalars: number; readonly media: number } => {
  let scalars = part._tag === "Reasoning" ? part.signature : 0
  let media = 0
  for (const body of bodiesOf(part)) {
    if (body.encoding === "bytes") media++
    else scalars += body.size.scalars
  }
  return { scalars, media }
}

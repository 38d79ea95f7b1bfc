/**
 * The facts of a workspace's notes: one was written, one is no longer kept. They stand in a log of their own, so that what
 * was overwritten, evicted or deleted can still be read there (laws 1 and 2).
 *
 *     Noted ──> kept ── Noted, same key ──> kept, newest again
 *                   └── Unnoted: deleted | cleared | evicted ──> gone from the notes, still in the log
 *
 * Decoding is strict: an unknown key or a reason that is none of the three is an error (law 14).
 *
 * Source: IO-42.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { LogId, Step } from "@palimpsest/ledger/Ids"

/**
 * The name of a note in its workspace: 1 to 200 Unicode scalar values, well-formed.
 *
 * @since 0.1.0
 * @category models
 */
export const NoteKey = Schema.String.pipe(
  Schema.filter((text) => /^.{1,200}$/su.test(text) && !/\p{Surrogate}/u.test(text)),
  Schema.annotations({ identifier: "NoteKey", description: "1 to 200 Unicode scalar values, well-formed" })
)

/**
 * A note was written, whole, however much of it is shown. `run` and `step` say where it was written; a person's note has
 * no run, and step 0.
 *
 * @since 0.1.0
 * @category models
 */
export const Noted = Schema.TaggedStruct("Noted", {
  step: Step,
  key: NoteKey,
  value: Schema.String,
  run: Schema.optionalWith(LogId, { exact: true })
})
/** @since 0.1.0 */
export interface Noted extends Schema.Schema.Type<typeof Noted> {}

/**
 * A note is no longer kept, and why: somebody deleted it, somebody cleared the workspace, or a newer note took its room.
 * `step` and `by`
 * say in which step of which run; a person has no run, and step 0.
 *
 * @since 0.1.0
 * @category models
 */
export const Unnoted = Schema.TaggedStruct("Unnoted", {
  step: Step,
  key: NoteKey,
  why: Schema.Literal("deleted", "cleared", "evicted"),
  by: Schema.optionalWith(LogId, { exact: true })
})
/** @since 0.1.0 */
export interface Unnoted extends Schema.Schema.Type<typeof Unnoted> {}

/**
 * @since 0.1.0
 * @category models
 */
export type NoteFact = Noted | Unnoted

/**
 * The three acts that remove bytes (laws 2 and 4), and the port to them. Each is a fact in a log of the tree's own, and the
 * bytes go in the transaction that writes it: nothing vanishes without its act, and no act stands without its effect.
 *
 *     expire   bodies that nothing has put since a time          Expired    names the bodies
 *     erase    one body, the records that hold the same bytes     Erased     names the bodies, and the entries asked for
 *     forget   all of a tree but its heads and this log           Forgotten  names the heads
 *
 * Events are never changed: after `expire` and `erase` every chain is whole as it was. After `forget` a log has no events
 * any more; its head stands in the store and, chained, in the tombstone.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { encodeUtf8 } from "./Body.ts"
import type { Head } from "./Event.ts"
import type { BadAppend, StoreError } from "./EventStore.ts"
import { Digest, LogId, Seq, Step, type TreeId } from "./Ids.ts"

/**
 * Bodies went by their age: none of them had been put since `before` (RFC 3339).
 *
 * @since 0.1.0
 * @category models
 */
export const Expired = Schema.TaggedStruct("Expired", {
  step: Step,
  before: Schema.String,
  bodies: Schema.NonEmptyArray(Digest)
})
/** @since 0.1.0 */
export interface Expired extends Schema.Schema.Type<typeof Expired> {}

/**
 * Bytes were erased by name, as what a person or a program gives for it in `why`. `entries` are what was asked for;
 * `bodies` all that held the same bytes, records included.
 *
 * @since 0.1.0
 * @category models
 */
export const Erased = Schema.TaggedStruct("Erased", {
  step: Step,
  why: Schema.String,
  entries: Schema.Array(Schema.Struct({ log: LogId, seq: Seq })),
  bodies: Schema.NonEmptyArray(Digest)
})
/** @since 0.1.0 */
export interface Erased extends Schema.Schema.Type<typeof Erased> {}

/**
 * A tree was forgotten: its tombstone. `heads` are those of all its logs but this one.
 *
 * @since 0.1.0
 * @category models
 */
export const Forgotten = Schema.TaggedStruct("Forgotten", {
  step: Step,
  why: Schema.String,
  heads: Schema.Array(Schema.Struct({ log: LogId, seq: Seq, digest: Digest }))
})
/** @since 0.1.0 */
export interface Forgotten extends Schema.Schema.Type<typeof Forgotten> {}

/**
 * What was done.
 *
 * @since 0.1.0
 * @category models
 */
export const Removed = Schema.Union(Expired, Erased, Forgotten).annotations({
  parseOptions: { onExcessProperty: "error" }
})
/** @since 0.1.0 */
export type Removed = typeof Removed.Type

/**
 * What is to be done. The store finds what it cannot be told: which bodies are still that old, and what the heads are.
 *
 * @since 0.1.0
 * @category models
 */
export type Command =
  | { readonly _tag: "Expire"; readonly before: string; readonly bodies: readonly [Digest, ...ReadonlyArray<Digest>] }
  | {
      readonly _tag: "Erase"
      readonly why: string
      readonly entries: Erased["entries"]
      readonly bodies: readonly [Digest, ...ReadonlyArray<Digest>]
    }
  | { readonly _tag: "Forget"; readonly why: string }

/**
 * One act: a command with a client-made id, unique among the appends of the store, and its time (RFC 3339).
 *
 * @since 0.1.0
 * @category models
 */
export interface Act {
  readonly id: string
  readonly tree: TreeId
  readonly at: string
  readonly command: Command
}

/**
 * What holds some bytes: bodies, which can be erased, and events, which cannot (a decision's own words, a title). Both
 * in order, at most as many as asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Holding {
  readonly bodies: ReadonlyArray<Digest>
  readonly events: ReadonlyArray<{ readonly log: LogId; readonly seq: Seq }>
}

/**
 * The log of a tree that its removals stand in. It outlives the tree.
 *
 * @since 0.1.0
 * @category accessors
 */
export const removalsOf = (tree: TreeId): LogId => LogId.make(`${tree}~removals`)

/**
 * Whether a log is one of removals: it is no run.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isRemovals = (log: LogId): boolean => log.endsWith("~removals")

/**
 * What the acts of a tree say, for whoever meets a body that is missing (law 4: a named deletion): by which act it went.
 * The oldest act that names a body is the one that took it.
 *
 * @since 0.1.0
 * @category accessors
 */
export const removedBy = (acts: ReadonlyArray<Removed>, body: Digest): Removed | undefined =>
  acts.find((act) => act._tag === "Forgotten" || act.bodies.includes(body))

/**
 * The forms that some bytes can have in a body of the same tree: as they are; inside a JSON text, and inside a JSON text
 * within one (the arguments of a call in a record); in base64, where they are no text.
 *
 * @since 0.1.0
 * @category accessors
 */
export const needlesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  if (bytes.length === 0) return []
  const text = Either.getOrUndefined(Either.try(() => strict.decode(bytes)))
  if (text === undefined) {
    let binary = ""
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return [bytes, encodeUtf8(btoa(binary))]
  }
  const escaped = [text, escape(text), escape(escape(text))]
  return [...new Set(escaped)].map(encodeUtf8)
}

/**
 * The acts that remove bytes. A repeat of an act answers as the first did. A tree that was forgotten takes no more
 * appends.
 *
 * @since 0.1.0
 * @category tags
 */
export class Removal extends Context.Tag("@palimpsest/ledger/Removal")<
  Removal,
  {
    /**
     * Does it, and then cleans the files of what was deleted. The answer is the fact, as it was written, and the head of
     * the log of removals. A failure between the two is a `StoreError`: the act stands, and its repeat cleans again.
     */
    readonly remove: (
      act: Act
    ) => Effect.Effect<{ readonly removed: Removed; readonly head: Head }, BadAppend | StoreError>
    /** Where any of these bytes are held in a tree: at most `limit` bodies and `limit` events. */
    readonly holding: (
      tree: TreeId,
      needles: ReadonlyArray<Uint8Array>,
      limit: number
    ) => Effect.Effect<Holding, StoreError>
    /** A page of a tree's bodies that were last put before a time (Unix, ms), by digest, behind `after`. */
    readonly aged: (
      tree: TreeId,
      before: number,
      after: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Digest>, StoreError>
    /**
     * Removes the bodies of a tree that no event names, nor any JSON body of at most 1 MiB, and that nothing has put for a
     * day. It may run beside any put: what is put is touched first. Not an act: nothing that was ever said is lost.
     */
    readonly sweep: (tree: TreeId) => Effect.Effect<{ readonly bodies: number; readonly bytes: number }, StoreError>
  }
>() {}

const escape = (text: string): string => JSON.stringify(text).slice(1, -1)
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * The port to the bodies: bytes by digest, stored once per tree, before anything refers to them. What comes back has
 * the digest it was asked by, or it is an error: never other bytes (laws 2 and 4).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Stored } from "./Body.ts"
import type { StoreError } from "./EventStore.ts"
import type { Digest, TreeId } from "./Ids.ts"

/**
 * A body that is not there, or whose stored bytes are no longer the ones that its digest names.
 *
 * @since 0.1.0
 * @category errors
 */
export class BodyFault extends Data.TaggedError("BodyFault")<{
  readonly digest: Digest
  readonly why: "missing" | "changed" | "unreadable"
}> {
  override get message(): string {
    return `body ${this.digest} is ${this.why}`
  }
}

/**
 * @since 0.1.0
 * @category tags
 */
export class BodyStore extends Context.Tag("@palimpsest/ledger/BodyStore")<
  BodyStore,
  {
    /** Stores what is not there yet; a digest that does not fit its bytes is a `StoreError`, and nothing is stored. */
    readonly put: (tree: TreeId, bodies: ReadonlyArray<Stored>) => Effect.Effect<void, StoreError>
    /** The bytes of one body, verified against its digest. */
    readonly get: (tree: TreeId, digest: Digest) => Effect.Effect<Stored, BodyFault | StoreError>
    /** A page of a tree's digests in order: at most `limit` greater than `after` ("" for the first page). */
    readonly list: (tree: TreeId, after: string, limit: number) => Effect.Effect<ReadonlyArray<Digest>, StoreError>
  }
>() {}

/**
 * From a reference to its bytes: a body that lies inside a record is read out of it and checked against its own digest,
 * so that an address gives those bytes or a typed reason, never other bytes (law 4).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { decodeUtf8, digestOf, encodeUtf8, type Body } from "./Body.ts"
import { BodyFault, BodyStore } from "./BodyStore.ts"
import { sorted } from "./Canonical.ts"
import type { StoreError } from "./EventStore.ts"
import type { Digest, TreeId } from "./Ids.ts"
import type { Hasher } from "./Sha256.ts"

/**
 * The digest that has to be fetched from a store to read a body.
 *
 * @since 0.1.0
 * @category accessors
 */
export const storedUnder = (body: Body): Digest => (body.at._tag === "Own" ? body.digest : body.at.record)

/**
 * The bytes of a body, given the bytes stored for it. A record that is parsed once can serve several bodies: pass
 * `parse` with a memory of its own.
 *
 * @since 0.1.0
 * @category resolving
 */
export const bytesOf = (
  hash: Hasher,
  body: Body,
  stored: Uint8Array,
  parse: (record: Digest, bytes: Uint8Array) => unknown = parseRecord
): Either.Either<Uint8Array, BodyFault> => {
  const fault = (why: BodyFault["why"]) => Either.left(new BodyFault({ digest: body.digest, why }))
  const bytes = body.at._tag === "Own" ? stored : extract(body, body.at, stored, parse)
  if (bytes === undefined) return fault("unreadable")
  return digestOf(hash, body.media, bytes) === body.digest ? Either.right(bytes) : fault("changed")
}

/**
 * The text of a body's bytes: `json` bodies of `text/plain` are unescaped, so an ill-formed text comes back as it was.
 *
 * @since 0.1.0
 * @category resolving
 */
export const textOf = (body: Body, bytes: Uint8Array): string => {
  const text = decodeUtf8(bytes)
  return body.encoding === "json" && body.media !== "application/json" ? String(JSON.parse(text)) : text
}

/**
 * Fetches and reads one body.
 *
 * @since 0.1.0
 * @category resolving
 */
export const fetch = (
  hash: Hasher,
  tree: TreeId,
  body: Body
): Effect.Effect<Uint8Array, BodyFault | StoreError, BodyStore> =>
  Effect.flatMap(BodyStore, (store) =>
    Effect.flatMap(store.get(tree, storedUnder(body)), (stored) => bytesOf(hash, body, stored.bytes))
  )

/**
 * The value at a JSON pointer (RFC 6901), undefined where there is none.
 *
 * @since 0.1.0
 * @category resolving
 */
export const atPointer = (value: unknown, pointer: string): unknown => {
  if (pointer === "") return value
  let at = value
  for (const token of pointer.slice(1).split("/")) {
    if (typeof at !== "object" || at === null) return undefined
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~")
    at = Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }
  return at
}

/**
 * Parses the JSON of a record; undefined where it is none. A record of a JSON document begins with the separator that
 * stood before it, which is passed over.
 *
 * @since 0.1.0
 * @category resolving
 */
export const parseRecord = (_record: Digest, bytes: Uint8Array): unknown =>
  parseText(decodeUtf8(bytes).replace(/^[\s,]+/, ""))

const extract = (
  body: Body,
  at: Exclude<Body["at"], { readonly _tag: "Own" }>,
  stored: Uint8Array,
  parse: (record: Digest, bytes: Uint8Array) => unknown
): Uint8Array | undefined => {
  const found = atPointer(parse(at.record, stored), at.path)
  const value = at._tag === "Parsed" ? (typeof found === "string" ? parseText(found) : undefined) : found
  if (value === undefined) return undefined
  switch (body.encoding) {
    case "utf8":
      return typeof value === "string" ? encodeUtf8(value) : undefined
    case "json":
      return encodeUtf8(sorted(value))
    case "bytes":
      return typeof value === "string" ? fromBase64(value) : undefined
  }
}

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

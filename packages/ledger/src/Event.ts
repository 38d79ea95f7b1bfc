/**
 * The envelope: one fact, numbered, and chained to the event before it by digest.
 *
 *     genesis <- 1 <- 2 <- 3 <- ... <- n      head = digest of n
 *
 * An event is stored and hashed as its canonical bytes; columns of a store are projections. Changing, dropping,
 * reordering or inserting an event at or below a head that is known elsewhere is detected, and says where (law 3).
 * Chain, audit and export need nothing but the envelope.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { encodeUtf8 } from "./Body.ts"
import { encode, isWellFormed } from "./Canonical.ts"
import { Digest, isName, LogId, Seq } from "./Ids.ts"
import type { Hasher } from "./Sha256.ts"

/**
 * `id` is the client's (unique in its log); `at` is RFC 3339, or empty where the source had no time; `payload` is the
 * fact without its tag, which is `kind`.
 *
 * @since 0.1.0
 * @category models
 */
export const Event = Schema.Struct({
  log: LogId,
  seq: Seq,
  id: Schema.NonEmptyString,
  at: Schema.String,
  kind: Schema.NonEmptyString,
  version: Schema.Int.pipe(Schema.positive()),
  payload: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  prev: Digest
})
/** @since 0.1.0 */
export interface Event extends Schema.Schema.Type<typeof Event> {}

/**
 * An event before a store has numbered and chained it. `payload` is canonical JSON of the fact without its tag.
 *
 * @since 0.1.0
 * @category models
 */
export interface Draft {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly version: number
  readonly payload: string
}

/**
 * The newest event of a log: its place and digest. An empty log has seq 0 and the genesis digest.
 *
 * @since 0.1.0
 * @category models
 */
export interface Head {
  readonly seq: number
  readonly digest: Digest
}

/**
 * An event as a store keeps it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sealed {
  readonly seq: Seq
  readonly id: string
  readonly digest: Digest
  readonly bytes: Uint8Array
}

/**
 * A place where a log is not what its head says it is.
 *
 * @since 0.1.0
 * @category errors
 */
export class Broken extends Data.TaggedError("Broken")<{
  readonly log: LogId
  readonly seq: number
  readonly why: string
}> {
  override get message(): string {
    return `event ${this.seq} of ${this.log}: ${this.why}`
  }
}

/**
 * What an empty log chains to: 64 zeros.
 *
 * @since 0.1.0
 * @category constants
 */
export const GENESIS: Digest = Digest.make("0".repeat(64))

/**
 * The head of an empty log.
 *
 * @since 0.1.0
 * @category constants
 */
export const EMPTY: Head = { seq: 0, digest: GENESIS }

/**
 * Why a draft can never become an event that opens again; undefined where it can.
 *
 * @since 0.1.0
 * @category predicates
 */
export const flawOf = (draft: Draft): string | undefined => {
  if (!isName(draft.id)) return "its id is empty, or holds U+0000 or a lone surrogate"
  if (!isName(draft.kind)) return "its kind is empty, or holds U+0000 or a lone surrogate"
  if (!isWellFormed(draft.at)) return "its time holds a lone surrogate"
  if (!Number.isSafeInteger(draft.version) || draft.version < 1) return "its version is not a positive integer"
  return isCanonicalObject(draft.payload) ? undefined : "its payload is not the canonical JSON of an object"
}

/**
 * Numbers and chains a draft behind a head. The canonical text of the envelope is put together from its parts, as the
 * payload is canonical already; keys stand in RFC 8785 order.
 *
 * @since 0.1.0
 * @category chaining
 */
export const seal = (hash: Hasher, log: LogId, head: Head, draft: Draft): Sealed => {
  const seq = (head.seq + 1) as Seq
  const text =
    `{"at":${JSON.stringify(draft.at)},"id":${JSON.stringify(draft.id)},"kind":${JSON.stringify(draft.kind)},` +
    `"log":${JSON.stringify(log)},"payload":${draft.payload},"prev":"${head.digest}","seq":${seq},"version":${draft.version}}`
  const bytes = encodeUtf8(text)
  return { seq, id: draft.id, digest: hash(bytes), bytes }
}

/**
 * Seals a batch in order.
 *
 * @since 0.1.0
 * @category chaining
 */
export const sealAll = (hash: Hasher, log: LogId, head: Head, drafts: ReadonlyArray<Draft>): ReadonlyArray<Sealed> => {
  let at = head
  return drafts.map((draft) => {
    const sealed = seal(hash, log, at, draft)
    at = { seq: sealed.seq, digest: sealed.digest }
    return sealed
  })
}

/**
 * Checks one stored event against the head before it, and decodes it. Everything that a change of its row could alter
 * is compared: the bytes against the digest, the columns against the bytes, the chain against the event before.
 *
 * @since 0.1.0
 * @category chaining
 */
export const open = (hash: Hasher, log: LogId, before: Head, stored: Sealed): Either.Either<Event, Broken> => {
  const broken = (why: string) => Either.left(new Broken({ log, seq: before.seq + 1, why }))
  if (stored.seq !== before.seq + 1) return broken(`missing; the next stored event is ${stored.seq}`)
  if (hash(stored.bytes) !== stored.digest) return broken("its bytes do not have its digest")
  const text = decode(stored.bytes)
  const event = text === undefined ? undefined : parse(text)
  if (event === undefined) return broken("its bytes are not an event")
  if (event.log !== log) return broken(`it belongs to ${event.log}`)
  if (event.seq !== stored.seq) return broken(`its bytes say it is event ${event.seq}`)
  if (event.id !== stored.id) return broken(`its bytes say its id is ${event.id}`)
  if (event.prev !== before.digest) return broken("it does not follow the event before it")
  if (Either.getOrUndefined(encode(event)) !== text) return broken("its bytes are not canonical")
  return Either.right(event)
}

const parse = (text: string): Event | undefined => {
  try {
    return Either.getOrUndefined(decodeEvent(JSON.parse(text), { onExcessProperty: "error" }))
  } catch {
    return undefined
  }
}

const isCanonicalObject = (payload: string): boolean => {
  if (!payload.startsWith("{")) return false
  try {
    return Either.getOrUndefined(encode(JSON.parse(payload))) === payload
  } catch {
    return false
  }
}

/** Strict: bytes that are no UTF-8 would otherwise read as U+FFFD, and two events as one. */
const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const decodeEvent = Schema.decodeUnknownEither(Event)

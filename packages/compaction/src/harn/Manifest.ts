/**
 * What a system prompt was made of, recorded at the boundary where it is sent: every segment with its size and digest,
 * those that were left out too, and why. `reconcile` holds a record against the bytes that were sent: sizes, digests,
 * places and separators agree exactly, or it says what does not. A replacement is one segment; a rewriting on the way out
 * is recorded as what was before and after it.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { digestOf, encodeText, encodeUtf8, TEXT } from "@palimpsest/ledger/Body"
import { sorted } from "@palimpsest/ledger/Canonical"
import { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"

/**
 * @since 0.1.0
 * @category constants
 */
export const MANIFEST_SCHEMA = "harn.llm.context_manifest.v1"

/**
 * What stands between two segments.
 *
 * @since 0.1.0
 * @category constants
 */
export const JOIN = "\n\n"

/**
 * A part of a prompt. `bytes` and `digest` are of its text, whether it was sent or not; `offset` is where it was sent.
 *
 * @since 0.1.0
 * @category models
 */
export const Segment = Schema.Struct({
  id: Schema.NonEmptyString,
  producer: Schema.NonEmptyString,
  bucket_before: Schema.String,
  bucket_after: Schema.String,
  included: Schema.Boolean,
  reason: Schema.String,
  bytes: Schema.NonNegativeInt,
  digest: Digest,
  offset: Schema.optionalWith(Schema.NonNegativeInt, { exact: true })
})
/** @since 0.1.0 */
export interface Segment extends Schema.Schema.Type<typeof Segment> {}

const Side = Schema.Struct({ bytes: Schema.NonNegativeInt, digest: Digest })

/**
 * @since 0.1.0
 * @category models
 */
export const Manifest = Schema.Struct({
  schema: Schema.Literal(MANIFEST_SCHEMA),
  scope: Schema.Literal("system_prompt"),
  boundary: Schema.Literal("observed_llm_call_pre_egress", "llm_request_payload_egress"),
  call_role: Schema.NonEmptyString,
  actor_chain: Schema.Array(Schema.String),
  root: Schema.Literal("composed", "replacement", "transformed"),
  segments: Schema.Array(Segment),
  join_separator: Schema.Literal(JOIN),
  whole_prompt_digest: Digest,
  system_prompt_bytes: Schema.NonNegativeInt,
  delta: Schema.optionalWith(Schema.Struct({ before: Side, after: Side }), { exact: true })
})
/** @since 0.1.0 */
export interface Manifest extends Schema.Schema.Type<typeof Manifest> {}

/**
 * A record that does not agree with itself, or with what was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class ManifestMismatch extends Data.TaggedError("ManifestMismatch")<{ readonly why: string }> {
  override get message(): string {
    return `context manifest: ${this.why}`
  }
}

/**
 * Nothing, where a record agrees with itself and with the system prompt that was sent.
 *
 * @since 0.1.0
 * @category validation
 */
export const reconcile = (hash: Hasher, manifest: Manifest, sent: string): Either.Either<void, ManifestMismatch> => {
  const why = wrong(hash, manifest, sent)
  return why === undefined ? Either.void : Either.left(new ManifestMismatch({ why }))
}

/**
 * The digest of a record over its canonical JSON: its address.
 *
 * @since 0.1.0
 * @category digests
 */
export const contentHash = (hash: Hasher, manifest: Manifest): Digest => hash(encodeUtf8(sorted(manifest)))

/**
 * The size of a text in bytes, and its digest.
 *
 * @since 0.1.0
 * @category digests
 */
export const sizeOf = (hash: Hasher, text: string): { readonly bytes: number; readonly digest: Digest } => {
  const { bytes } = encodeText(text)
  return { bytes: bytes.length, digest: digestOf(hash, TEXT, bytes) }
}

const wrong = (hash: Hasher, manifest: Manifest, sent: string): string | undefined => {
  const size = sizeOf(hash, sent)
  const included = manifest.segments.filter((segment) => segment.included)
  if (new Set(manifest.segments.map(({ id }) => id)).size < manifest.segments.length) return "a segment stands twice"
  if (manifest.system_prompt_bytes !== size.bytes) return `${size.bytes} bytes were sent`
  if (manifest.whole_prompt_digest !== size.digest) return "what was sent has another digest"
  if ((manifest.root === "transformed") !== (manifest.delta !== undefined))
    return "a rewriting has a delta, and only it"
  if (manifest.delta !== undefined) {
    const { bytes, digest } = manifest.delta.after
    if (included.length > 0) return "a rewritten prompt has no segment as it was"
    return bytes === size.bytes && digest === size.digest ? undefined : "the delta ends in another text"
  }
  if (manifest.root === "replacement" && (included.length !== 1 || manifest.segments.length !== 1))
    return "a replacement has exactly one segment"
  return misplaced(hash, included, encodeText(sent).bytes)
}

const misplaced = (hash: Hasher, segments: ReadonlyArray<Segment>, sent: Uint8Array): string | undefined => {
  const join = encodeUtf8(JOIN)
  let at = 0
  for (const [i, { id, bytes, digest, offset }] of segments.entries()) {
    if (i > 0) {
      if (!join.every((byte, j) => sent[at + j] === byte)) return `no separator before ${id}`
      at += join.length
    }
    if (offset !== at) return `${id} stands at ${at}`
    if (digestOf(hash, TEXT, sent.subarray(at, at + bytes)) !== digest) return `${id} has another digest`
    at += bytes
  }
  return at === sent.length ? undefined : `${sent.length - at} bytes belong to no segment`
}

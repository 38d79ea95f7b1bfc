/**
 * A system prompt put together from pieces, and the record of it: `composed` of those that apply, a `replacement` by one,
 * or `transformed` on the way out. A piece that is empty, or whose tool is not offered, is recorded and not sent.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import {
  JOIN,
  type Manifest,
  MANIFEST_SCHEMA,
  type ManifestMismatch,
  reconcile,
  type Segment,
  sizeOf
} from "./Manifest.ts"

/**
 * What a prompt may be made of. One that needs a tool is left out where the call does not offer it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Piece {
  readonly id: string
  readonly producer: string
  readonly bucket: string
  readonly text: string
  readonly needsTool?: string
}

/**
 * Who calls, and at which boundary it is recorded.
 *
 * @since 0.1.0
 * @category models
 */
export interface Place {
  readonly boundary: Manifest["boundary"]
  readonly callRole: string
  readonly actorChain: ReadonlyArray<string>
  readonly tools: ReadonlyArray<string>
}

/**
 * A prompt of pieces in their order, and its record.
 *
 * @since 0.1.0
 * @category constructors
 */
export const compose = (
  hash: Hasher,
  place: Place,
  pieces: ReadonlyArray<Piece>,
  root: "composed" | "replacement" = "composed"
): Either.Either<{ readonly text: string; readonly manifest: Manifest }, ManifestMismatch> => {
  const texts: Array<string> = []
  let offset = 0
  const segments = pieces.map((piece): Segment => {
    const { bytes, digest } = sizeOf(hash, piece.text)
    const left = whyLeftOut(piece, place.tools)
    const named = { id: piece.id, producer: piece.producer, bucket_before: piece.bucket }
    if (left !== undefined) return { ...named, bucket_after: "excluded", included: false, reason: left, bytes, digest }
    if (texts.length > 0) offset += JOIN.length
    texts.push(piece.text)
    const segment = { ...named, bucket_after: piece.bucket, included: true, reason: "included", bytes, digest, offset }
    offset += bytes
    return segment
  })
  const text = texts.join(JOIN)
  const manifest = recordOf(hash, place, root, segments, text)
  return Either.map(reconcile(hash, manifest, text), () => ({ text, manifest }))
}

/**
 * The record of a prompt that was rewritten on its way out: no segment of it went as it was.
 *
 * @since 0.1.0
 * @category constructors
 */
export const transformed = (
  hash: Hasher,
  place: Place,
  before: { readonly text: string; readonly segments: ReadonlyArray<Segment> },
  sent: string
): Manifest => ({
  ...recordOf(hash, place, "transformed", before.segments.map(rewritten), sent),
  delta: { before: sizeOf(hash, before.text), after: sizeOf(hash, sent) }
})

const recordOf = (
  hash: Hasher,
  { boundary, callRole, actorChain }: Place,
  root: Manifest["root"],
  segments: ReadonlyArray<Segment>,
  sent: string
): Manifest => {
  const { bytes, digest } = sizeOf(hash, sent)
  return {
    schema: MANIFEST_SCHEMA,
    scope: "system_prompt",
    boundary,
    call_role: callRole,
    actor_chain: actorChain,
    root,
    segments,
    join_separator: JOIN,
    whole_prompt_digest: digest,
    system_prompt_bytes: bytes
  }
}

const whyLeftOut = ({ text, needsTool }: Piece, tools: ReadonlyArray<string>): string | undefined => {
  if (text === "") return "empty"
  return needsTool === undefined || tools.includes(needsTool) ? undefined : `tool not offered: ${needsTool}`
}

const rewritten = ({ id, producer, bucket_before, included, reason, bytes, digest }: Segment): Segment => ({
  id,
  producer,
  bucket_before,
  bucket_after: "excluded",
  included: false,
  reason: included ? "rewritten" : reason,
  bytes,
  digest
})

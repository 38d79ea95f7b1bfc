/**
 * A body: bytes with a media type, known by digest and stored once per tree. An imported record (a source line) is a
 * body of its own; what an entry holds is a place inside that record, so nothing is stored twice.
 *
 * Text that is not well-formed Unicode is kept JSON-escaped and says so by its encoding: UTF-8 would replace its lone
 * surrogates, and three different strings would share one digest (law 2).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { isWellFormed } from "./Canonical.ts"
import { Digest } from "./Ids.ts"
import type { Hasher } from "./Sha256.ts"

/**
 * How large a body is, computed once, when it enters. `bytes` are of the body, `scalars` are Unicode scalar values of
 * its text (0 for binary bodies). Tokens are estimated from sums of scalars, never from sums of estimates.
 *
 * @since 0.1.0
 * @category models
 */
export const Size = Schema.Struct({ bytes: Schema.NonNegativeInt, scalars: Schema.NonNegativeInt })
/** @since 0.1.0 */
export type Size = typeof Size.Type

/**
 * What the bytes of a body are: `utf8` text as it is; `json`, a JSON text (an ill-formed string, escaped, or a
 * canonical value such as a call's arguments); `bytes`, anything else.
 *
 * @since 0.1.0
 * @category models
 */
export const Encoding = Schema.Literal("utf8", "json", "bytes")
/** @since 0.1.0 */
export type Encoding = typeof Encoding.Type

/**
 * Where the bytes of a body lie: stored under its own digest; or at a JSON pointer (RFC 6901) inside a stored record;
 * or `Parsed`, where the string at that pointer is itself a JSON text (the arguments of a chat tool call).
 *
 * @since 0.1.0
 * @category models
 */
export const Place = Schema.Union(
  Schema.TaggedStruct("Own", {}),
  Schema.TaggedStruct("Within", { record: Digest, path: Schema.String }),
  Schema.TaggedStruct("Parsed", { record: Digest, path: Schema.String })
)
/** @since 0.1.0 */
export type Place = typeof Place.Type

/**
 * A reference to a body. The digest covers the bytes and the media type.
 *
 * @since 0.1.0
 * @category models
 */
export const Body = Schema.Struct({
  digest: Digest,
  encoding: Encoding,
  media: Schema.String,
  size: Size,
  at: Place
})
/** @since 0.1.0 */
export interface Body extends Schema.Schema.Type<typeof Body> {}

/**
 * A body in hand: the reference, and the bytes that a store keeps for it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Stored {
  readonly digest: Digest
  readonly media: string
  readonly bytes: Uint8Array
}

/**
 * The media type of text.
 *
 * @since 0.1.0
 * @category constants
 */
export const TEXT = "text/plain"

/**
 * The media type of JSON.
 *
 * @since 0.1.0
 * @category constants
 */
export const JSON_MEDIA = "application/json"

/**
 * The digest of a body: SHA-256 over media type, a zero byte, and the bytes.
 *
 * @since 0.1.0
 * @category digests
 */
export const digestOf = (hash: Hasher, media: string, bytes: Uint8Array): Digest => hash(encodeUtf8(media), ZERO, bytes)

/**
 * The bytes and encoding of a text: UTF-8 where the text is well formed, else its JSON escape.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeText = (text: string): { readonly encoding: "utf8" | "json"; readonly bytes: Uint8Array } =>
  isWellFormed(text)
    ? { encoding: "utf8", bytes: encodeUtf8(text) }
    : { encoding: "json", bytes: encodeUtf8(JSON.stringify(text)) }

/**
 * A text body stored under its own digest, with the bytes to store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ownText = (hash: Hasher, text: string, media = TEXT): { readonly body: Body; readonly stored: Stored } => {
  const { bytes, encoding } = encodeText(text)
  const digest = digestOf(hash, media, bytes)
  const size = { bytes: bytes.length, scalars: scalarsOf(text) }
  return { body: { digest, encoding, media, size, at: { _tag: "Own" } }, stored: { digest, media, bytes } }
}

/**
 * The number of Unicode scalar values of a text; a lone surrogate counts as one (IO-10: scalars, not UTF-16 units).
 * Text without surrogates answers without a scan.
 *
 * @since 0.1.0
 * @category sizes
 */
export const scalarsOf = (text: string): number => {
  if (!/[\uD800-\uDFFF]/.test(text)) return text.length
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/**
 * UTF-8 bytes of a well-formed text.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)

/**
 * The text of UTF-8 bytes; ill-formed bytes become U+FFFD, as nothing of ours stores such bytes as text.
 *
 * @since 0.1.0
 * @category encoding
 */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const ZERO = new Uint8Array(1)

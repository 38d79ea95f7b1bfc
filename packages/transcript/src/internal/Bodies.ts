/**
 * References to bodies that lie inside a record. Each is measured and digested here, once, by the same rules by which
 * `Resolve.bytesOf` reads it back (law 2).
 */
import { type Body, digestOf, encodeText, encodeUtf8, JSON_MEDIA, scalarsOf, TEXT } from "@palimpsest/ledger/Body"
import * as LedgerBody from "@palimpsest/ledger/Body"
import { sorted } from "@palimpsest/ledger/Canonical"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { parse, wellFormed } from "./Json.ts"

/** Makes references into one record. */
export interface Bodies {
  readonly text: (path: string, text: string) => Body
  readonly json: (path: string, value: unknown) => Body
  /** A string that is itself JSON, as the arguments of a chat call; the string as text where it is none. */
  readonly parsed: (path: string, text: string) => Body
  /** Base64 text as the bytes it stands for; undefined where it is none. */
  readonly bytes: (path: string, base64: string, media: string) => Body | undefined
  /** The one body that lies in no record: what a result without content holds. */
  readonly empty: Body
}

export const make = (hash: Hasher): ((record: Digest) => Bodies) => {
  const empty = LedgerBody.ownText(hash, "").body
  return (record) => {
    const json = (at: Body["at"], value: unknown): Body => {
      const text = sorted(value)
      const bytes = encodeUtf8(text)
      const size = { bytes: bytes.length, scalars: scalarsOf(text) }
      return { digest: digestOf(hash, JSON_MEDIA, bytes), encoding: "json", media: JSON_MEDIA, size, at }
    }
    const text = (path: string, value: string): Body => {
      const { bytes, encoding } = encodeText(value)
      const size = { bytes: bytes.length, scalars: scalarsOf(value) }
      return { digest: digestOf(hash, TEXT, bytes), encoding, media: TEXT, size, at: { _tag: "Within", record, path } }
    }
    return {
      empty,
      text,
      json: (path, value) => json({ _tag: "Within", record, path }, value),
      parsed: (path, value) => {
        const inner = parse(value)
        return inner === undefined ? text(path, value) : json({ _tag: "Parsed", record, path }, inner)
      },
      bytes: (path, base64, type) => {
        const bytes = fromBase64(base64)
        if (bytes === undefined) return undefined
        const media = wellFormed(type)
        const size = { bytes: bytes.length, scalars: 0 }
        return {
          digest: digestOf(hash, media, bytes),
          encoding: "bytes",
          media,
          size,
          at: { _tag: "Within", record, path }
        }
      }
    }
  }
}

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    const chars = atob(text)
    const bytes = new Uint8Array(chars.length)
    for (let i = 0; i < chars.length; i++) bytes[i] = chars.charCodeAt(i)
    return bytes
  } catch {
    return undefined
  }
}

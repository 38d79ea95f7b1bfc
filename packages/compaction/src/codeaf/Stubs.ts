/**
 * The words that stand for what is left out (CA-13, CA-28). Their dash is U+2014.
 *
 * The text breaks law 4 (a stub may name no address, CA-W2, and drops one that does not pay, CA-W3) and law 15 in spirit
 * (a label is the model's own text inside a bracket, and may close it, CA-W8). Decisions carry entries' addresses beside
 * these words.
 *
 * @since 0.1.0
 */
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Call } from "./Message.ts"
import { joined, sized, type Sized } from "./Sized.ts"

/**
 * A label takes this many bytes of a call's arguments.
 *
 * @since 0.1.0
 * @category constants
 */
export const MAX_LABEL_ARGS = 60

/**
 * What a result without a label is called.
 *
 * @since 0.1.0
 * @category constants
 */
export const DEFAULT_LABEL: Sized = sized("earlier tool result")

/**
 * What a result is remembered as: the tool, and its arguments cut at 60 *bytes*, inside a character if it falls so
 * (CA-W8). As a wire shows them, the bytes of a cut character are U+FFFD each, and count one byte each.
 *
 * @since 0.1.0
 * @category labels
 */
export const callLabel = ({ arguments: text, name }: Call): Sized => {
  const bytes = encodeUtf8(text)
  if (bytes.length <= MAX_LABEL_ARGS) return joined(name, " ", { text, bytes: bytes.length })
  const end = boundaryIn(bytes, MAX_LABEL_ARGS)
  const half = "\uFFFD".repeat(MAX_LABEL_ARGS - end)
  return joined(name, " ", { text: decodeUtf8(bytes.subarray(0, end)) + half, bytes: MAX_LABEL_ARGS }, "…")
}

/**
 * The label mended, for other presets: cut between characters, on one line, and unable to close the bracket around it.
 *
 * @since 0.1.0
 * @category labels
 */
export const safeLabel = ({ arguments: text, name }: Call): Sized => {
  const bytes = encodeUtf8(text)
  const cut = bytes.subarray(0, boundaryIn(bytes, MAX_LABEL_ARGS))
  return sized(`${plain(name)} ${plain(decodeUtf8(cut))}${cut.length < bytes.length ? "…" : ""}`)
}

/**
 * The stub without an address.
 *
 * @since 0.1.0
 * @category stubs
 */
export const superseded = (label: Sized | undefined, bytes: number): Sized =>
  joined("[", named(label), ` — ${bytes} bytes, superseded]`)

/**
 * The stub with an address.
 *
 * @since 0.1.0
 * @category stubs
 */
export const spilledTo = (label: Sized | undefined, bytes: number, path: string): Sized =>
  joined("[", named(label), ` — ${bytes} bytes, spilled to ${path}]`)

/**
 * What stands for a body: the stub with the path if that is shorter than the body, else the bare one, which drops the
 * address (CA-W3); undefined where even the bare one saves nothing (CA-15).
 *
 * @since 0.1.0
 * @category stubs
 */
export const standIn = (
  label: Sized | undefined,
  bytes: number,
  path: string | undefined
): { readonly put: Sized; readonly path: string | undefined } | undefined => {
  const bare = superseded(label, bytes)
  if (bare.bytes >= bytes) return undefined
  if (path === undefined) return { put: bare, path: undefined }
  const put = spilledTo(label, bytes, path)
  return put.bytes < bytes ? { put, path } : { put: bare, path: undefined }
}

/**
 * The stub of the model's own text, in its own person. `turn` counts assistant messages from 1. Without a path it is
 * only priced, never put (CA-20).
 *
 * @since 0.1.0
 * @category stubs
 */
export const folded = (turn: number, bytes: number, path?: string): Sized => {
  const lead = `[my turn ${turn} — ${bytes} bytes of my own earlier reasoning, folded`
  return sized(
    path === undefined ? `${lead}]` : `${lead}; the full text is in ${path} — read it with sh if it matters]`
  )
}

/**
 * The pointer to an earlier copy of the same bytes.
 *
 * @since 0.1.0
 * @category stubs
 */
export const pointer = (label: Sized, turn: number, path: string): Sized =>
  joined("[identical to the result of ", label, ` at turn ${turn} — read it above, or from ${path}]`)

const named = (label: Sized | undefined): Sized => (label === undefined || label.text === "" ? DEFAULT_LABEL : label)

/** The last place at or before `at` where no character is cut. */
const boundaryIn = (bytes: Uint8Array, at: number): number => {
  if (bytes.length <= at) return bytes.length
  let end = at
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return end
}

const plain = (text: string): string =>
  text
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, " ")

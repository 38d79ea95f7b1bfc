/**
 * A text with its size, in the unit of this preset: UTF-8 bytes. Sizes are counted once, where a text comes in, and are
 * added from then on.
 *
 * The size is its own field, as it is not always that of the text: a label that was cut inside a character (CA-W8) holds
 * the raw bytes of half a character, which a wire can only show as U+FFFD, three bytes each.
 *
 * @since 0.1.0
 */
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Splice } from "../Splice.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Sized {
  readonly text: string
  /** UTF-8 bytes. */
  readonly bytes: number
}

/**
 * A text, counted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const sized = (text: string): Sized => ({ text, bytes: bytesOf(text) })

/**
 * Texts in a row.
 *
 * @since 0.1.0
 * @category constructors
 */
export const joined = (...pieces: ReadonlyArray<Sized | string>): Sized => {
  let text = ""
  let bytes = 0
  for (const piece of pieces) {
    const { bytes: more, text: next } = typeof piece === "string" ? sized(piece) : piece
    text += next
    bytes += more
  }
  return { text, bytes }
}

/**
 * The UTF-8 bytes of a text. A lone surrogate counts as the U+FFFD that would stand for it.
 *
 * @since 0.1.0
 * @category sizes
 */
export const bytesOf = (text: string): number => encodeUtf8(text).length

/**
 * The UTF-8 bytes that a splice puts into a view.
 *
 * @since 0.1.0
 * @category sizes
 */
export const bytesIn = (put: Splice): number =>
  put.reduce((sum, piece) => sum + (typeof piece === "string" ? bytesOf(piece) : piece.bytes[1] - piece.bytes[0]), 0)

/**
 * The words of this preset as splices of a decision. The path that words name is a piece of its own, so that what a run
 * knows of its paths is read from the decision's shape and never out of text (laws 7 and 15).
 *
 *     ["[sh {…} — 812 bytes, spilled to ", ".obs/run-decay-41.txt", "]"]
 *
 * @since 0.1.0
 */
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Splice } from "../Splice.ts"
import type { Sized } from "./Sized.ts"

/**
 * Words, as a wire can hold them, with the path that they name, if they name one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const naming = ({ text: said }: Sized, path: string | undefined): Splice => {
  const text = decodeUtf8(encodeUtf8(said))
  const at = path === undefined ? -1 : text.lastIndexOf(path)
  return path === undefined || at < 0 ? [text] : [text.slice(0, at), path, text.slice(at + path.length)]
}

/**
 * The path that the words of a decision name.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pathIn = ({ 1: path, length }: Splice): string | undefined =>
  length === 3 && typeof path === "string" ? path : undefined

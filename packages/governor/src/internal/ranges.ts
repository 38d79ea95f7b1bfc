/** What an entry shows as one text, and ranges of it as splices of its body (law 7: no body is copied). */
import { decodeUtf8, encodeUtf8, scalarsOf } from "@palimpsest/ledger/Body"
import type { Address } from "@palimpsest/ledger/Address"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Splice } from "@palimpsest/compaction/Splice"

/** Words of a view (without `of`), or text of a body from the byte `start` on. */
export interface Segment {
  readonly text: string
  readonly of?: Address
  readonly start: number
}

export interface Shown {
  readonly text: string
  readonly segments: ReadonlyArray<Segment>
}

/** The blocks of an entry, with a line break between those that say something. */
export const joined = (seq: Seq, texts: ReadonlyArray<string>): Shown => {
  const [only] = texts
  if (only !== undefined && texts.length === 1) return shownOf([{ text: only, of: { seq }, start: 0 }])
  const said = texts.flatMap((text, i) => (text === "" ? [] : [{ text, of: { seq, block: i + 1 }, start: 0 }]))
  return shownOf(said.flatMap((segment, i) => (i === 0 ? [segment] : [BETWEEN, segment])))
}

/** A splice whose texts are known, piece by piece. */
export const splicedOf = (put: Splice, texts: ReadonlyArray<string>): Shown =>
  shownOf(
    put.map((piece, i) => {
      const text = texts[i] ?? ""
      return typeof piece === "string" ? { text, start: 0 } : { text, of: piece.of, start: piece.bytes[0] }
    })
  )

/** The units `[from, to)` of a text: words, and ranges of bodies. What is not well formed is words, as bytes cannot hold it. */
export const rangesOf = ({ segments }: Shown, from: number, to: number): Splice => {
  const splice: Array<Splice[number]> = []
  let at = 0
  for (const { of, start, text } of segments) {
    const [begin, end] = [Math.max(from - at, 0), Math.min(to - at, text.length)]
    at += text.length
    if (begin >= end) continue
    const kept = text.slice(begin, end)
    if (of === undefined || !isWellFormed(text)) splice.push(...spliced(kept))
    else {
      const first = start + encodeUtf8(text.slice(0, begin)).length
      splice.push({ of, bytes: [first, first + encodeUtf8(kept).length], scalars: scalarsOf(kept) })
    }
  }
  return splice
}

/** Words and texts in a row, without the empty ones; words as a wire can hold them. */
export const spliced = (...pieces: ReadonlyArray<string | Splice>): Splice =>
  pieces.flatMap((piece) => {
    if (typeof piece !== "string") return piece
    return piece === "" ? [] : [isWellFormed(piece) ? piece : decodeUtf8(encodeUtf8(piece))]
  })

const BETWEEN: Segment = { text: "\n", start: 0 }

const shownOf = (segments: ReadonlyArray<Segment>): Shown => ({
  text: segments.map(({ text }) => text).join(""),
  segments
})

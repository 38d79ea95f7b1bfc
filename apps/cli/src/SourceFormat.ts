/**
 * Which format a file is read in. `auto` goes by what stands in the file. A format that is named is taken where the file
 * reads as well in it: lists of plain texts, and a single row, are of two formats at once.
 */
import * as Either from "effect/Either"
import { digestOf } from "@palimpsest/ledger/Body"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Decoder from "@palimpsest/transcript/Decoder"
import { detect, type Format } from "@palimpsest/transcript/Format"
import { split } from "@palimpsest/transcript/Records"
import { unusable, type Failure } from "./Failure.ts"

export const of = (file: string, bytes: Uint8Array, named: "auto" | Format): Either.Either<Format, Failure> =>
  Either.match(detect(bytes), {
    onLeft: (error) =>
      named !== "auto" && understood(named, bytes) > 0
        ? Either.right(named)
        : Either.left(unusable(`${file}: ${error.message}`)),
    onRight: (found) =>
      named === "auto" || named === found || understood(named, bytes) >= understood(found, bytes)
        ? Either.right(named === "auto" ? found : named)
        : Either.left(unusable(`${file}: --format says ${named}, but what stands in it is ${found}`))
  })

/** How many parts of messages are understood when a file is read in a format. */
const understood = (format: Format, bytes: Uint8Array): number => {
  const decoder = Decoder.make(format, hash)
  let parts = 0
  for (const { bytes: record, line } of split(format, bytes).records) {
    const moves = decoder.next({ line, bytes: record, digest: digestOf(hash, "application/octet-stream", record) })
    parts += moves.filter((move) => move._tag === "Entered" && move.entry.part._tag !== "Opaque").length
  }
  return parts
}

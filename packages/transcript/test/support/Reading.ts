/**
 * A small host: reads a source into moves, and puts a run's messages together as a provider takes them.
 */
import { digestOf, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { createHash } from "node:crypto"
import * as Decoder from "../../src/Decoder.ts"
import type { Format } from "../../src/Format.ts"
import type { Entered, Entry, Move } from "../../src/Move.ts"
import * as Records from "../../src/Records.ts"
import * as Render from "../../src/Render.ts"
import { shapeOf, type Item } from "../../src/Shape.ts"

/** SHA-256 as a host passes it in: the same digests as the pure one, sooner. */
export const hash: Hasher = (...parts) => {
  const sha = createHash("sha256")
  for (const part of parts) sha.update(part)
  return sha.digest("hex") as Digest
}

export interface Read {
  readonly records: ReadonlyArray<Records.Record>
  readonly perRecord: ReadonlyArray<ReadonlyArray<Move>>
  readonly moves: ReadonlyArray<Move>
  readonly stored: ReadonlyMap<Digest, Uint8Array>
}

export const bytesOf = (text: string): Uint8Array => encodeUtf8(text)

export const read = (format: Format, source: string | Uint8Array): Read => {
  const { records } = Records.split(format, typeof source === "string" ? bytesOf(source) : source)
  const decoder = Decoder.make(format, hash)
  const stored = new Map<Digest, Uint8Array>(Decoder.owned(hash).map((own) => [own.digest, own.bytes]))
  const perRecord = records.map((record) => {
    const digest = digestOf(hash, "application/json", record.bytes)
    stored.set(digest, record.bytes)
    return decoder.next({ ...record, digest })
  })
  return { records, perRecord, moves: perRecord.flat(), stored }
}

export const entered = (moves: ReadonlyArray<Move>, run = "main"): ReadonlyArray<Entry> =>
  moves.filter((move): move is Entered => move._tag === "Entered" && move.run === run).map((move) => move.entry)

export const tags = (moves: ReadonlyArray<Move>): ReadonlyArray<string> =>
  moves.map((move) => (move._tag === "Aside" ? `Aside ${move.type}` : move._tag))

export const recordText = (reading: Read, entry: Entry): string =>
  entry.origin._tag === "Read"
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(reading.stored.get(entry.origin.record))
    : ""

/** The rendered messages of a run's history, each result behind the call it answers; calls without one are closed. */
export const history = (format: Format, reading: Read, run = "main", replaced?: string): ReadonlyArray<string> => {
  const shape = shapeOf(format)
  const groups = new Map<string, Array<Entry>>()
  const results = new Map<string, Entry>()
  for (const entry of entered(reading.moves, run)) {
    if (entry.part._tag === "Result") results.set(entry.part.call, entry)
    else groups.set(entry.message, [...(groups.get(entry.message) ?? []), entry])
  }
  const item = (entry: Entry): Item => ({
    _tag: "Entry",
    entered: entry,
    record: recordText(reading, entry),
    ...(replaced !== undefined && entry.part._tag === "Result" ? { replaced } : {})
  })
  return [...groups.values()].flatMap((entries) => {
    const role = entries[0]?.role ?? "user"
    const answers = entries.flatMap(({ part }): ReadonlyArray<Item> => {
      if (part._tag !== "Call") return []
      const found = results.get(part.call)
      return [found === undefined ? { _tag: "Closed", call: part.call, text: "(no result)" } : item(found)]
    })
    const said = Render.renderMessage(shape, { role, items: entries.map(item) })
    if (answers.length === 0) return [said]
    if (shape === "anthropic") return [said, Render.renderMessage(shape, { role: "tool", items: answers })]
    return [said, ...answers.map((answer) => Render.renderMessage(shape, { role: "tool", items: [answer] }))]
  })
}

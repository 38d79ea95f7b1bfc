/** The log beside a source's runs that says how far it was read, and what stands behind its last record. */
import * as Effect from "effect/Effect"
import { digestOf, type Body } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Broken, Head } from "@palimpsest/ledger/Event"
import { EventStore, type BadAppend, type Conflict, type StoreError } from "@palimpsest/ledger/EventStore"
import { Step, type LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Format } from "@palimpsest/transcript/Format"
import type { Names } from "../Config.ts"
import { draft, type Fact, type UnknownFact } from "../Fact.ts"
import * as Log from "../Log.ts"

export type Sourced = Fact & { readonly _tag: "Sourced" }

/** The newest word about a source, undefined before the first, and the head of the log that holds it. */
export const lastSourced = (
  hash: Hasher,
  log: LogId
): Effect.Effect<
  { readonly state: Sourced | undefined; readonly head: Head },
  Broken | UnknownFact | StoreError,
  EventStore
> =>
  Log.fold(hash, log, undefined as Sourced | undefined, (last, { fact }) =>
    Effect.succeed(fact._tag === "Sourced" ? fact : last)
  )

/** Notes how far the source was read, where that is news. */
export const writeSourced = (
  hash: Hasher,
  names: Names,
  format: Format,
  records: number,
  tail: Uint8Array
): Effect.Effect<
  void,
  BadAppend | Broken | Conflict | NotCanonical | StoreError | UnknownFact,
  EventStore | BodyStore
> =>
  Effect.gen(function* () {
    const { head, state: last } = yield* lastSourced(hash, names.source)
    const digest = digestOf(hash, MEDIA, tail)
    if (last !== undefined && (last.records > records || (last.records === records && last.tail.digest === digest)))
      return
    const body: Body = {
      digest,
      encoding: "bytes",
      media: MEDIA,
      size: { bytes: tail.length, scalars: 0 },
      at: { _tag: "Own" }
    }
    const fact: Sourced = { _tag: "Sourced", step: Step.make(0), format, records, tail: body }
    const id = `${head.seq + 1}:${records}:${digest.slice(0, 16)}`
    yield* (yield* BodyStore).put(names.tree, [{ digest, media: MEDIA, bytes: tail }])
    yield* (yield* EventStore).append({
      id: `${names.source}:${id}`,
      tree: names.tree,
      writes: [
        { log: names.source, expected: { _tag: "Head", digest: head.digest }, drafts: [yield* draft(id, "", fact)] }
      ]
    })
  })

const MEDIA = "application/octet-stream"

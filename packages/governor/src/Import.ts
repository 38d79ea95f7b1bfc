/**
 * A recorded session becomes runs: every record is stored once as it came, every part becomes an event, and before each
 * of the model's answers the request is prepared that the model would have seen.
 *
 *     records ─> moves ─> facts ─┐
 *                                ├─> one append per batch, over all runs of the source
 *     prepare, at each Prompted ─┘
 *
 * 1. What a record brings depends on the records up to it alone, so an import that is cut and taken up again reaches
 *    the same heads (law 7). Ids and times of events come from the source.
 * 2. A record that is stored is never read again from the file but compared with it: a file that was changed in its
 *    middle is refused, a shorter copy brings nothing new, a grown one extends its logs (laws 1 and 2).
 * 3. Bodies are stored before the events that name them; a record's events commit together (IO-W22).
 * 4. No file but the source is read: a replay refreshes nothing. No ending is ever written.
 * 5. A sub-agent is a run of its own with its own requests and usage, and a child of the call that began it, whether it
 *    stands in the session's file (side chains, progress lines) or in a file of its own: `ImportTree` takes those too. What
 *    an agent spent is in its own run and nowhere else (law 10).
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import { digestOf } from "@palimpsest/ledger/Body"
import type { BodyFault } from "@palimpsest/ledger/BodyStore"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Broken } from "@palimpsest/ledger/Event"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import { type BadAppend, type Conflict, type StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId, Seq } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Decoder from "@palimpsest/transcript/Decoder"
import type { Format } from "@palimpsest/transcript/Format"
import type { RunKey } from "@palimpsest/transcript/Move"
import { split } from "@palimpsest/transcript/Records"
import { sourceId } from "@palimpsest/transcript/Source"
import * as Config from "./Config.ts"
import type { UnknownFact } from "./Fact.ts"
import * as Family from "./internal/family.ts"
import { ImportState, RECORD_MEDIA } from "./internal/ImportState.ts"
import { resume } from "./internal/resume.ts"
import { writeSourced } from "./internal/sourced.ts"

/**
 * A file in hand. `progress` is told how many bytes are done.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  readonly format: Format
  readonly bytes: Uint8Array
  readonly progress?: (done: number) => Effect.Effect<void>
}

/**
 * What an import did: the names of the source's runs, how many events are new, and where it had to stop short.
 *
 * @since 0.1.0
 * @category models
 */
export interface Imported {
  readonly tree: Config.Names["tree"]
  readonly base: LogId
  readonly fresh: number
  readonly records: number
  readonly partial?: { readonly line: number; readonly why: string }
}

/**
 * The file is not the one that was imported: a record differs from the stored one.
 *
 * @since 0.1.0
 * @category errors
 */
export class ChangedSource extends Data.TaggedError("ChangedSource")<{ readonly line: number; readonly run: LogId }> {
  override get message(): string {
    return `line ${this.line} is not the one that ${this.run} was imported from; a log is never rewritten`
  }
}

/** @since 0.1.0 */
export type ImportError =
  | ChangedSource
  | BadAppend
  | Broken
  | BodyFault
  | Conflict
  | NotCanonical
  | StoreError
  | UnknownFact

/**
 * Imports a source under a configuration, or takes up an import where it was left. When another process imports the same
 * source at the same time, whoever comes second goes on from what the first has stored. Agents of a session that were
 * imported from files of their own stay theirs: what progress lines say of them is laid aside.
 *
 * @since 0.1.0
 * @category importing
 */
export const run = (
  hash: Hasher,
  source: Source,
  config: Config.Config
): Effect.Effect<Imported, ImportError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { records } = split(source.format, source.bytes)
    const names = Config.names(hash, sourceId(source.format, records, hash), config)
    const elsewhere = Family.elsewhere(yield* Family.ownersOf(names, []), names.base)
    return (yield* into(hash, source, config, { names, elsewhere })).imported
  }).pipe(Effect.withSpan("Import.run"))

/**
 * Where the runs of a source go: the names of their logs; the call that began the main one, where it is a sub-agent's; and
 * the runs of the source that are imported from another file, and so not from this one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Place {
  readonly names: Config.Names
  readonly parent?: { readonly log: LogId; readonly call: Seq } | undefined
  readonly elsewhere: ReadonlySet<RunKey>
}

/**
 * An import done: what it did, the runs that the source has, and where a call of it stands, by the call's id.
 *
 * @since 0.1.0
 * @category models
 */
export interface Done {
  readonly imported: Imported
  readonly runs: ReadonlyArray<RunKey>
  readonly callOf: (call: string) => Place["parent"]
}

/**
 * Imports a source to a place.
 *
 * @since 0.1.0
 * @category importing
 */
export const into = (
  hash: Hasher,
  source: Source,
  config: Config.Config,
  place: Place
): Effect.Effect<Done, ImportError, EventStore | BodyStore> =>
  once(hash, source, config, place).pipe(
    Effect.retry({ times: RETRIES, while: (error) => error._tag === "Conflict" }),
    Effect.withSpan("Import.into")
  )

const once = (
  hash: Hasher,
  source: Source,
  config: Config.Config,
  { elsewhere, names, parent }: Place
): Effect.Effect<Done, ImportError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { records, tail, torn } = split(source.format, source.bytes)
    const state = new ImportState(hash, names, config, parent)
    const known = yield* resume(hash, state)
    const decoder = Decoder.make(source.format, hash)
    let done = 0
    let malformed: Imported["partial"]
    for (const { bytes, line } of records) {
      const digest = digestOf(hash, RECORD_MEDIA, bytes)
      const all = decoder.next({ line, bytes, digest })
      const moves = elsewhere.size === 0 ? all : all.filter((move) => !elsewhere.has(move.run))
      if (moves.some((move) => move._tag === "Aside" && move.type === "malformed")) {
        malformed ??= { line, why: "not a record of this format; kept as it came" }
      }
      done += bytes.length + 1
      const stored = known.get(line)
      if (stored !== undefined && stored !== digest) return yield* new ChangedSource({ line, run: names.base })
      state.remember(digest, bytes)
      const news = stored === undefined ? moves : state.late(line, moves)
      if (news.length === 0) continue
      yield* state.read({ line, bytes, digest }, news)
      if (state.isFull()) {
        yield* state.commit()
        yield* source.progress?.(done) ?? Effect.void
      }
    }
    yield* state.commit()
    yield* source.progress?.(source.bytes.length) ?? Effect.void
    if (records.length >= known.size) yield* writeSourced(hash, names, source.format, records.length, tail)
    const partial = torn ?? malformed
    const imported = {
      tree: names.tree,
      base: names.base,
      fresh: state.fresh,
      records: records.length,
      ...(partial === undefined ? {} : { partial })
    }
    return { imported, runs: [...state.runs.keys()], callOf: (call) => state.callOf(call) }
  })

const RETRIES = 8

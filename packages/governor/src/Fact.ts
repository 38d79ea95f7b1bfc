/**
 * The closed union of everything that can stand in a log, and its codec. Each package owns the schemas of its kinds;
 * here they meet, so that a store and an audit need only this (DESIGN section 3).
 *
 * Decoding is strict: an unknown kind, version, key or value is an error that names the event (law 14, IO-43).
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { Reported } from "@palimpsest/budget/Reported"
import { Commanded, Proposed } from "@palimpsest/compaction/Command"
import { Compacted, CompactionRefused, Summarized } from "@palimpsest/compaction/CompactionFact"
import { Decided, Refused, Requested } from "@palimpsest/compaction/Decision"
import { Noted, Unnoted } from "@palimpsest/compaction/NoteFact"
import { encode, type NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Draft, Event } from "@palimpsest/ledger/Event"
import { Aside, Began, Cleared, Ended, Entered, Restarted, Sourced } from "@palimpsest/ledger/Fact"
import { Answered, Asked } from "@palimpsest/policy/Approval"
import { Gated } from "@palimpsest/policy/Gated"

/**
 * @since 0.1.0
 * @category models
 */
export const Fact = Schema.Union(
  Began,
  Entered,
  Aside,
  Restarted,
  Cleared,
  Decided,
  Commanded,
  Proposed,
  Requested,
  Refused,
  Reported,
  Gated,
  Asked,
  Answered,
  Ended,
  Sourced,
  Noted,
  Unnoted,
  Compacted,
  CompactionRefused,
  Summarized
)
/** @since 0.1.0 */
export type Fact = typeof Fact.Type

/**
 * An event whose payload is not a fact that this program knows.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownFact extends Data.TaggedError("UnknownFact")<{
  readonly log: string
  readonly seq: number
  readonly why: string
}> {
  override get message(): string {
    return `event ${this.seq} of ${this.log}: ${this.why}`
  }
}

/**
 * The version of every kind so far.
 *
 * @since 0.1.0
 * @category constants
 */
export const VERSION = 1

/**
 * A fact as a draft of an event. `at` is RFC 3339, or empty where the source had no time.
 *
 * @since 0.1.0
 * @category codec
 */
export const draft = (id: string, at: string, fact: Fact): Either.Either<Draft, NotCanonical> => {
  const { _tag, ...payload } = fact
  return Either.map(encode(payload), (text) => ({ id, at, kind: _tag, version: VERSION, payload: text }))
}

/**
 * The fact of an event.
 *
 * @since 0.1.0
 * @category codec
 */
export const decode = (event: Event): Either.Either<Fact, UnknownFact> => {
  const unknown = (why: string) => Either.left(new UnknownFact({ log: event.log, seq: event.seq, why }))
  if (event.version !== VERSION) return unknown(`version ${event.version} of ${event.kind} is not known here`)
  if ("_tag" in event.payload) return unknown("its payload has a key _tag")
  return Either.mapLeft(
    decodeFact({ ...event.payload, _tag: event.kind }, { onExcessProperty: "error" }),
    (error) =>
      new UnknownFact({ log: event.log, seq: event.seq, why: ParseResult.TreeFormatter.formatErrorSync(error) })
  )
}

const decodeFact = Schema.decodeUnknownEither(Fact)

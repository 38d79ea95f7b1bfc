/**
 * The port to the logs. An append takes a batch over several logs and one client-made id, in one transaction; a repeat
 * of it answers as the first did. Nothing here changes or removes an event (law 1).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { flawOf as flawOfDraft, type Draft, type Head, type Sealed } from "./Event.ts"
import { isName, type Digest, type LogId, type TreeId } from "./Ids.ts"

/**
 * What a writer believes about a log: that its head is this one (genesis for an empty log), or nothing, and the store
 * numbers and chains under its own lock.
 *
 * @since 0.1.0
 * @category models
 */
export type Expected = { readonly _tag: "Head"; readonly digest: Digest } | { readonly _tag: "Next" }

/**
 * One append. Logs must differ; each batch holds at least one draft; ids are unique in their log.
 *
 * @since 0.1.0
 * @category models
 */
export interface Append {
  readonly id: string
  readonly tree: TreeId
  readonly writes: ReadonlyArray<{
    readonly log: LogId
    readonly expected: Expected
    readonly drafts: readonly [Draft, ...ReadonlyArray<Draft>]
  }>
}

/**
 * What an append did: the first new seq and the new head, per log, in the order of the writes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Appended {
  readonly writes: ReadonlyArray<{ readonly log: LogId; readonly first: number; readonly head: Head }>
}

/**
 * Why no store may accept an append, whatever it holds: the rule that every implementation applies before it looks at
 * its logs. An event that could not be opened again would break its log for good.
 *
 * @since 0.1.0
 * @category predicates
 */
export const flawOf = (append: Append): string | undefined => {
  if (!isName(append.id)) return "its id is empty, or holds U+0000 or a lone surrogate"
  if (append.writes.length === 0) return "it writes nothing"
  if (new Set(append.writes.map(({ log }) => log)).size !== append.writes.length) return "it names a log twice"
  for (const { drafts, log } of append.writes) {
    const ids = new Set<string>()
    for (const draft of drafts) {
      const flaw = flawOfDraft(draft)
      if (flaw !== undefined) return `event ${ids.size + 1} of its batch for ${log}: ${flaw}`
      if (ids.has(draft.id)) return `its batch for ${log} has the event ${draft.id} twice`
      ids.add(draft.id)
    }
    if (ids.size === 0) return `its batch for ${log} is empty`
  }
  return undefined
}

/**
 * A log as a store lists it.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogInfo {
  readonly log: LogId
  readonly tree: TreeId
  readonly head: Head
}

/**
 * A stale writer: the log has moved on. Nothing of the append was kept.
 *
 * @since 0.1.0
 * @category errors
 */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly log: LogId
  readonly expected: Digest
  readonly actual: Head
}> {
  override get message(): string {
    return `${this.log} has moved on: its head is event ${this.actual.seq} (${this.actual.digest}), not ${this.expected}`
  }
}

/**
 * An append that can never be accepted: an id used before for something else, an event id twice in its log, an empty
 * batch, a log of another tree. Nothing of it was kept.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadAppend extends Data.TaggedError("BadAppend")<{ readonly id: string; readonly why: string }> {
  override get message(): string {
    return `append ${this.id}: ${this.why}`
  }
}

/**
 * The store itself failed: the file, the disk, the connection, a database of a newer version.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreError extends Data.TaggedError("StoreError")<{ readonly why: string; readonly cause?: unknown }> {
  override get message(): string {
    return this.why
  }
}

/**
 * @since 0.1.0
 * @category tags
 */
export class EventStore extends Context.Tag("@palimpsest/ledger/EventStore")<
  EventStore,
  {
    /** All of it or nothing, durable when it answers. */
    readonly append: (append: Append) => Effect.Effect<Appended, Conflict | BadAppend | StoreError>
    /** A page of a log: at most `limit` events with seq > `after`, in order, as stored (not verified). */
    readonly read: (log: LogId, after: number, limit: number) => Effect.Effect<ReadonlyArray<Sealed>, StoreError>
    /** The stored head of a log; none where the log does not exist. */
    readonly head: (log: LogId) => Effect.Effect<Option.Option<LogInfo>, StoreError>
    /** A page of logs by name: at most `limit` with a name > `after` ("" for the first page); of one tree where given. */
    readonly logs: (query: {
      readonly tree?: TreeId
      readonly after: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<LogInfo>, StoreError>
    /** What the store's own records say against this log: rows that do not fit its events. Empty where all is well. */
    readonly inspect: (
      log: LogId
    ) => Effect.Effect<ReadonlyArray<{ readonly seq: number; readonly why: string }>, StoreError>
  }
>() {}

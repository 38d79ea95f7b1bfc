/**
 * Before a model call of a run under the preset `harn`: where its estimate passes the threshold, what is old is archived
 * under one summary, and results that stay are bounded.
 *
 *     fold ─> close ─> due? ─┬─> Summarized* ─> Decided(Recap, Bounded) ─> Compacted ─┬─> Requested
 *                            └─> Summarized* ─> CompactionRefused, the view as it was ┘
 *
 * The engine sees the very messages that would be sent, without the system prompt, and what it makes of them becomes
 * changes: archived entries leave under the summary, which is a splice of words and of ranges of theirs; each is named with
 * its fate (law 9). The *text* breaks law 4 (the summary shows no address; the decision holds them all), law 5 (bytes over
 * four, and no bound: nothing is refused for its size), law 6 in spirit (each firing rewrites from the front; the cause is
 * the schedule), law 9 (the user's words are masked like any other; a result may be no smaller) and law 15 (the summary
 * speaks as the user; pins and earlier recaps are known by text). Law 8 holds for calls and results, whole messages leaving
 * together; reasoning behind a summary stays, which models that bind it to its prefix refuse.
 *
 * A result that holds media is never bounded, as its text is not all that it is.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { CompactionRefused, Summarized } from "@palimpsest/compaction/CompactionFact"
import type { CallRecord } from "@palimpsest/compaction/harn/CallRecord"
import { compact } from "@palimpsest/compaction/harn/Compact"
import type { AutoCompactConfig } from "@palimpsest/compaction/harn/Config"
import { receiptIdOf } from "@palimpsest/compaction/harn/Receipt"
import { weigh } from "@palimpsest/compaction/harn/TokenEstimate"
import { none, type NotRecorded, type Summarizer } from "@palimpsest/compaction/Summarizer"
import type * as Transcript from "@palimpsest/compaction/Transcript"
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import { changesOf, compactedOf } from "./internal/harnChanges.ts"
import { messageOf } from "./internal/harnMessage.ts"
import {
  closing,
  deciding,
  draftOf,
  sending,
  taking,
  viewOf,
  type Draft,
  type TranscriptView
} from "./internal/sending.ts"
import type { Prepared } from "./Prepare.ts"
import type { Session } from "./Session.ts"
import type { Fault, Reader } from "./Texts.ts"
import { messageText } from "./Wire.ts"

/**
 * Prepares the next request of a run under this preset, without a summariser: a strategy that needs one falls back where
 * the settings name a fallback, and is refused where they do not.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepare = (session: Session, reader: Reader): Effect.Effect<Prepared, Fault> =>
  prepareWith(session, reader).pipe(Effect.catchTag("NotRecorded", Effect.die), Effect.provide(none))

/**
 * Prepares the next request with a summariser. Each call of it is a fact before whatever came of it.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepareWith = (
  session: Session,
  reader: Reader
): Effect.Effect<Prepared, Fault | NotRecorded, Summarizer> =>
  Effect.gen(function* () {
    const { config, view } = session
    if (config.preset !== "harn" || view._tag !== "Transcript") return yield* Effect.dieMessage("not of this preset")
    const closed = deciding(draftOf(session), closing(view))
    const listed = viewOf(closed).transcript.messages.filter(({ role }) => role !== "system")
    const { settings } = config
    if (settings.tokenThreshold > 0 && (yield* tokensOf(listed, view, reader)) <= settings.tokenThreshold) {
      return yield* sending(closed, false, reader)
    }
    const { draft, rewrote } = yield* compacting(closed, listed, settings, reader)
    return yield* sending(draft, rewrote, reader)
  })

const compacting = (
  draft: Draft,
  listed: ReadonlyArray<Transcript.Message>,
  settings: AutoCompactConfig,
  reader: Reader
): Effect.Effect<{ readonly draft: Draft; readonly rewrote: boolean }, Fault | NotRecorded, Summarizer> =>
  Effect.gen(function* () {
    const { session, step } = draft
    const { transcript } = viewOf(draft)
    const id = receiptIdOf(reader.hash(encodeUtf8(`${session.log}@${session.seq}`)))
    const messages = yield* Effect.forEach(listed, (message) => readMessage(message, transcript.shape, reader))
    const made = yield* Effect.either(compact(messages, settings, { hash: reader.hash }))
    const called = (calls: ReadonlyArray<CallRecord>): Draft =>
      calls.reduce((all, record) => taking(all, { _tag: "Summarized", step, id, record } satisfies Summarized), draft)
    if (Either.isLeft(made)) {
      if (made.left._tag === "NotRecorded") return yield* made.left
      const isCarry = made.left._tag === "CompactionRefused"
      const refused: CompactionRefused = {
        _tag: "CompactionRefused",
        step,
        id,
        why: isCarry ? "ZeroCarry" : "StrategyFailed",
        strategy: made.left._tag === "StrategyFailed" ? made.left.strategy : settings.compactStrategy,
        says: made.left.message,
        before: Math.floor(messages.reduce((sum, message) => sum + weigh(message), 0) / BYTES_PER_TOKEN),
        ...(made.left._tag === "CompactionRefused" ? { measurement: made.left.measurement } : {}),
        calls: made.left.calls.length
      }
      return { draft: taking(called(made.left.calls), refused), rewrote: false }
    }
    if (Option.isNone(made.right)) return { draft, rewrote: false }
    const done = made.right.value
    const changed = yield* changesOf(listed, done, settings.toolOutputMaxChars, reader)
    const decided = deciding(called(done.calls), changed.changes, "schedule")
    return { draft: taking(decided, compactedOf(listed, done, changed.clamped, settings, { id, step })), rewrote: true }
  })

const BYTES_PER_TOKEN = 4

/** The estimate of messages; what one of them weighs is the same as long as it is the same object. */
const tokensOf = (
  messages: ReadonlyArray<Transcript.Message>,
  { transcript: { shape } }: TranscriptView,
  reader: Reader
): Effect.Effect<number, Fault> =>
  Effect.map(
    Effect.forEach(messages, (message) => {
      const known = WEIGHTS.get(message)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(readMessage(message, shape, reader), (read) => {
        const weight = weigh(read)
        WEIGHTS.set(message, weight)
        return weight
      })
    }),
    (weights) => Math.floor(weights.reduce((sum, weight) => sum + weight, 0) / BYTES_PER_TOKEN)
  )

const WEIGHTS = new WeakMap<Transcript.Message, number>()

const readMessage = (message: Transcript.Message, shape: Transcript.Shape, reader: Reader) =>
  Effect.map(messageText(reader, shape, message), messageOf)

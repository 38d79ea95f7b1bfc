/**
 * Walking a stored run from its first event: the chain is checked, every request is rendered again from the log alone,
 * and its digests are compared with the recorded ones. Nothing is planned (law 7). Reports, audits and views are what
 * their callers make of the requests that come by.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Reported } from "@palimpsest/budget/Reported"
import type { Decided, Refused, Requested } from "@palimpsest/compaction/Decision"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { Broken, Head } from "@palimpsest/ledger/Event"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { Seq, TreeId, LogId } from "@palimpsest/ledger/Ids"
import type { Message } from "@palimpsest/compaction/Transcript"
import type { Config } from "./Config.ts"
import type { UnknownFact } from "./Fact.ts"
import * as Log from "./Log.ts"
import * as Session from "./Session.ts"
import * as SectionState from "./SectionState.ts"
import type * as Texts from "./Texts.ts"
import { messageText } from "./Wire.ts"
import * as Written from "./Written.ts"

/**
 * A request that comes by: the event that holds it, the session that it was rendered from, where it differs from the
 * one before it (`from`), the first message whose bytes are not the recorded ones (`differs`), and the text of a section.
 *
 * @since 0.1.0
 * @category models
 */
export interface Passing {
  readonly seq: Seq
  readonly at: string
  readonly fact: Requested | Refused
  readonly session: Session.Session
  readonly decided: Decided | undefined
  readonly sent: Sent | undefined
}

/**
 * What a request sent, rendered from the log. `texts` are the JSON texts of its messages.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sent {
  readonly from: number
  readonly differs: number | undefined
  readonly section: string | undefined
  readonly texts: ReadonlyArray<string>
}

/**
 * What a walk can meet: a request, a usage report, or another fact.
 *
 * @since 0.1.0
 * @category models
 */
export interface Visitor<S, E, R> {
  readonly fact: (state: S, read: Log.Read) => Effect.Effect<S, E, R>
  readonly request: (state: S, passing: Passing) => Effect.Effect<S, E, R>
}

/** @since 0.1.0 */
export type WalkError = Broken | StoreError | Texts.Fault | UnknownFact

/**
 * Walks one run.
 *
 * @since 0.1.0
 * @category walking
 */
export const walk = <S, E, R>(
  run: { readonly tree: TreeId; readonly log: LogId; readonly config: Config },
  reader: Texts.Reader,
  initial: S,
  visitor: Visitor<S, E, R>
): Effect.Effect<{ readonly state: S; readonly head: Head }, E | WalkError, R | EventStore | BodyStore> =>
  Effect.gen(function* () {
    let session = Session.make(run.tree, run.log, run.config)
    const texts = new WeakMap<Message, string>()
    let decided: Decided | undefined
    return yield* Log.fold(reader.hash, run.log, initial, (state, read) =>
      Effect.gen(function* () {
        const { event, fact, seq } = read
        session = Session.record(session, fact)
        if (fact._tag === "Decided") decided = fact
        const seen = yield* visitor.fact(state, read)
        if (fact._tag !== "Requested" && fact._tag !== "Refused") return seen
        session = Session.fold(session)
        const rendered = fact._tag === "Requested" ? yield* render(session, fact, reader, texts) : undefined
        if (rendered !== undefined) session = rendered.session
        const passing = { seq, at: event.at, fact, session, decided, sent: rendered?.sent }
        decided = undefined
        return yield* visitor.request(seen, passing)
      })
    )
  })

/**
 * The usage that a run's source recorded, by request; the last word of a request wins.
 *
 * @since 0.1.0
 * @category models
 */
export type Usages = ReadonlyMap<number, Reported["usage"]>

const render = (
  session: Session.Session,
  fact: Requested,
  reader: Texts.Reader,
  texts: WeakMap<Message, string>
): Effect.Effect<{ readonly session: Session.Session; readonly sent: Sent }, Texts.Fault> =>
  Effect.gen(function* () {
    const { hash } = reader
    const { view } = session
    if (view._tag === "Transcript") {
      const { messages, shape } = view.transcript
      const { from, written } = yield* Written.next(hash, view.written, messages, (message) =>
        Effect.tap(messageText(reader, shape, message), (text) => Effect.sync(() => texts.set(message, text)))
      )
      const differs = differing(view.written, written, fact)
      const sent = { from, differs, section: undefined, texts: messages.map((message) => texts.get(message) ?? "") }
      return { session: { ...session, view: { ...view, written } }, sent }
    }
    const text = yield* SectionState.text(view.section, reader)
    const parts = SectionState.messages(text)
    const { from, written } = yield* Written.next(hash, view.written, parts, (part) => Effect.succeed(part))
    const sent = { from, differs: differing(view.written, written, fact), section: text, texts: parts }
    return { session: { ...session, view: { ...view, written } }, sent }
  })

/** The index of the first message that is not what the request's event says; undefined where all are. */
const differing = (
  before: Written.Written<unknown>,
  written: Written.Written<unknown>,
  fact: Requested
): number | undefined => {
  const recorded = [...before.digests.slice(0, fact.from), ...fact.added]
  const length = Math.max(recorded.length, written.digests.length)
  for (let i = 0; i < length; i++) if (recorded[i] !== written.digests[i]) return i
  return Written.chainOf(written) === fact.chain ? undefined : length
}

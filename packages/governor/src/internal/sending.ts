/**
 * The end of a prepared request of a seed's preset: what is open is closed, the view is written down, and where it is no
 * continuation although nothing of ours was rewritten, the client's own epoch begins (law 6).
 */
import * as Effect from "effect/Effect"
import type { Cause, Change, Decided, Requested } from "@palimpsest/compaction/Decision"
import { NO_RESULT } from "@palimpsest/compaction/Mark"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Fact } from "../Fact.ts"
import type { Prepared } from "../Prepare.ts"
import * as Session from "../Session.ts"
import type { Fault, Reader } from "../Texts.ts"
import { messageText } from "../Wire.ts"
import * as Written from "../Written.ts"

export type TranscriptView = Session.View & { readonly _tag: "Transcript" }

/** The facts of a request while it is prepared, and the session with them folded in. */
export interface Draft {
  readonly session: Session.Session
  readonly facts: Prepared["facts"]
  readonly step: Step
}

export const draftOf = (session: Session.Session): Draft => ({
  session,
  facts: [],
  step: (session.requests + 1) as Step
})

/** The draft with one more fact. */
export const taking = (draft: Draft, fact: Prepared["facts"][number] & Fact): Draft => ({
  ...draft,
  session: Session.fold(Session.record(draft.session, fact)),
  facts: [...draft.facts, fact]
})

/** The draft with a decision; as it is where that would decide nothing. */
export const deciding = (draft: Draft, changes: ReadonlyArray<Change>, epoch?: Cause): Draft => {
  if (changes.length === 0 && epoch === undefined) return draft
  const { step } = draft
  const decided: Decided = { _tag: "Decided", step, ...(epoch === undefined ? {} : { epoch }), changes }
  return taking(draft, decided)
}

export const closing = ({ transcript }: TranscriptView): ReadonlyArray<Change> =>
  transcript.open.map(({ seq }): Change => ({
    entries: [seq, seq] as const satisfies readonly [Seq, Seq],
    form: { _tag: "Closed", put: NO_RESULT }
  }))

export const viewOf = ({ session: { view } }: Draft): TranscriptView => {
  if (view._tag === "Transcript") return view
  throw new Error("a run's view never changes its kind")
}

/** The request. `rewrote` says whether an epoch of ours stands in the draft. */
export const sending = (draft: Draft, rewrote: boolean, reader: Reader): Effect.Effect<Prepared, Fault> => {
  const { transcript, written: before } = viewOf(draft)
  return Effect.map(
    Written.next(reader.hash, before, transcript.messages, (message) => messageText(reader, transcript.shape, message)),
    ({ from, written }) => {
      const isContinued = from === before.parts.length
      const { facts, session, step } = rewrote || isContinued ? draft : deciding(draft, [], "client")
      const view = viewOf({ session, facts, step })
      const { scalars, shape, tokens } = view.transcript
      const requested: Requested = {
        _tag: "Requested",
        step,
        request: step,
        through: session.seq,
        as: shape,
        scalars,
        estimate: tokens,
        from,
        added: written.digests.slice(from),
        chain: Written.chainOf(written)
      }
      return {
        session: Session.record({ ...session, view: { ...view, written } }, requested),
        facts: [...facts, requested]
      }
    }
  )
}

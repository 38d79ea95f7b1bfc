/**
 * What the model saw on a request: its messages, rendered from the log, and for every entry in it the form it had, why,
 * and the address where it is whole.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Refused } from "@palimpsest/compaction/Decision"
import type { Form } from "@palimpsest/compaction/Form"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Run } from "./Runs.ts"
import * as Session from "./Session.ts"
import { fromStore } from "./Texts.ts"
import * as Walk from "./Walk.ts"

/**
 * One entry of a request: the message that it stands in (0-based), or whose words stand for it, and its form.
 *
 * @since 0.1.0
 * @category models
 */
export interface Shown {
  readonly seq: Seq
  readonly message: number
  readonly role: string
  readonly part: string
  readonly target: string | undefined
  readonly form: Form
}

/**
 * A request as the log gives it: sent, with its messages as JSON texts, or refused.
 *
 * @since 0.1.0
 * @category models
 */
export type RequestView =
  | {
      readonly _tag: "Sent"
      readonly request: number
      readonly rendering: "transcript" | "section"
      readonly estimate: number
      readonly messages: ReadonlyArray<string>
      readonly entries: ReadonlyArray<Shown>
    }
  | { readonly _tag: "Refused"; readonly refused: Refused }

/**
 * The run made no request of this number.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoRequest extends Data.TaggedError("NoRequest")<{
  readonly run: string
  readonly request: number
  readonly last: number
}> {
  override get message(): string {
    return `${this.run} has no request ${this.request}; it made ${this.last}`
  }
}

/**
 * The view of one request of a run.
 *
 * @since 0.1.0
 * @category viewing
 */
export const at = (
  hash: Hasher,
  run: Run,
  request: number
): Effect.Effect<RequestView, NoRequest | Walk.WalkError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const reader = yield* fromStore(hash, run.tree)
    const start: { readonly last: number; readonly found: RequestView | undefined } = { last: 0, found: undefined }
    const { state } = yield* Walk.walk(run, reader, start, {
      fact: (state) => Effect.succeed(state),
      request: (state, passing) =>
        Effect.succeed({
          last: passing.fact.request,
          found: passing.fact.request === request ? viewOf(passing) : state.found
        })
    })
    return state.found ?? (yield* new NoRequest({ run: run.log, request, last: state.last }))
  })

const viewOf = ({ fact, sent, session }: Walk.Passing): RequestView =>
  fact._tag === "Refused"
    ? { _tag: "Refused", refused: fact }
    : {
        _tag: "Sent",
        request: fact.request,
        rendering: session.view._tag === "Section" ? "section" : "transcript",
        estimate: fact.estimate,
        messages: sent?.texts ?? [],
        entries: entriesOf(session)
      }

const entriesOf = (session: Session.Session): ReadonlyArray<Shown> => {
  const { view } = session
  if (view._tag === "Section") {
    return view.section.view.shown.map(({ form, seq }) => {
      const entered = Session.shown(session, seq)
      return {
        seq,
        message: 0,
        role: "user",
        part: entered?.part._tag ?? "",
        target: entered?.observation?.target,
        form
      }
    })
  }
  return view.transcript.messages.flatMap(({ hidden, items, role }, message) => [
    ...items
      .filter(({ _tag }) => _tag !== "Words")
      .map((item): Shown => {
        if (item._tag !== "Entry") {
          return {
            seq: item.seq,
            message,
            role,
            part: "Closed",
            target: undefined,
            form: { _tag: "Closed", put: item.put }
          }
        }
        const { form, seq } = item
        return { seq, message, role, part: item.entered.part._tag, target: item.entered.observation?.target, form }
      }),
    ...hidden.map(({ entered, form, seq }): Shown => ({
      seq,
      message,
      role: entered.role,
      part: entered.part._tag,
      target: entered.observation?.target,
      form
    }))
  ])
}

/**
 * A run in hand: its view, folded from the facts so far, and the place of the next fact. Live, in a replay and in an
 * audit the same facts are recorded in the same order, so the same view stands (law 7).
 *
 *     record fact ─> waiting ─> fold (before a request) ─> view
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { LogId, Seq, Step, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Attention from "@palimpsest/compaction/Attention"
import type { Change, Decided, Refused, Requested } from "@palimpsest/compaction/Decision"
import type { History } from "@palimpsest/compaction/codeaf/History"
import * as Orders from "@palimpsest/compaction/Orders"
import type { Splice } from "@palimpsest/compaction/Splice"
import * as Transcript from "@palimpsest/compaction/Transcript"
import type { Config } from "./Config.ts"
import type { Fact } from "./Fact.ts"
import { afterFact, historyOf } from "./internal/codeafHistory.ts"
import * as SectionState from "./SectionState.ts"
import * as Written from "./Written.ts"

/**
 * What is rendered: a transcript and the messages last written, or a section.
 *
 * @since 0.1.0
 * @category models
 */
export type View =
  | {
      readonly _tag: "Transcript"
      readonly transcript: Transcript.Transcript
      readonly written: Written.Written<Transcript.Message>
    }
  | { readonly _tag: "Section"; readonly section: SectionState.SectionState; readonly written: Written.Written<string> }

/**
 * `seq` is the place of the newest recorded fact, `requests` the number of requests made or refused, and the step of
 * what enters now. `orders` is what a person told its governor, `codeaf` what that preset knows of a run. `refused` says why the newest request was not sent, where it was not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Session {
  readonly tree: TreeId
  readonly log: LogId
  readonly config: Config
  readonly seq: number
  readonly requests: number
  readonly view: View
  readonly attention: Attention.Attention
  readonly orders: Orders.Orders
  readonly codeaf: History | undefined
  readonly waiting: ReadonlyArray<Transcript.Happening>
  readonly refused: Pick<Refused, "need" | "have" | "pins"> | undefined
}

/**
 * A run before its first fact.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (tree: TreeId, log: LogId, config: Config): Session => ({
  tree,
  log,
  config,
  seq: 0,
  requests: 0,
  view:
    config.preset === "io-harness"
      ? { _tag: "Section", section: SectionState.empty(), written: Written.nothing }
      : { _tag: "Transcript", transcript: Transcript.empty(config.shape), written: Written.nothing },
  attention: Attention.none,
  orders: Orders.none,
  codeaf: historyOf(config),
  waiting: [],
  refused: undefined
})

/**
 * The step of what enters now.
 *
 * @since 0.1.0
 * @category accessors
 */
export const stepOf = (session: Session): Step => session.requests as Step

/**
 * The session after one more fact.
 *
 * @since 0.1.0
 * @category folding
 */
export const record = (session: Session, fact: Fact): Session => {
  const seq = (session.seq + 1) as Seq
  const next = { ...session, seq, codeaf: afterFact(session.codeaf, seq, fact) }
  switch (fact._tag) {
    case "Entered":
      return wait(
        { ...next, attention: Attention.entered(next.attention, fact) },
        { _tag: "Entered", seq, entered: fact }
      )
    case "Decided":
      return wait(
        {
          ...next,
          attention: Attention.decided(next.attention, fact),
          orders: Orders.record(next.orders, seq, fact)
        },
        { _tag: "Decided", decided: fact }
      )
    case "Commanded":
    case "Proposed":
      return { ...next, orders: Orders.record(next.orders, seq, fact) }
    case "Restarted":
      return wait(next, { _tag: "Restarted", keeps: fact.keeps })
    case "Cleared":
      return wait(next, { _tag: "Cleared", entries: fact.entries, put: fact.put })
    case "Requested":
      return requested({ ...next, requests: fact.request, refused: undefined }, fact)
    case "Refused":
      return { ...next, requests: fact.request, refused: refusalOf(fact) }
    default:
      return next
  }
}

/**
 * The session with everything that waits folded into its view.
 *
 * @since 0.1.0
 * @category folding
 */
export const fold = (session: Session): Session => {
  const { view, waiting } = session
  if (waiting.length === 0) return session
  return view._tag === "Transcript"
    ? { ...session, waiting: [], view: { ...view, transcript: Transcript.evolve(view.transcript, waiting) } }
    : { ...session, waiting: [], view: { ...view, section: SectionState.evolve(view.section, waiting) } }
}

/**
 * The session after a recorded request was read back: what it wrote is known by its digests, and nothing is rendered.
 *
 * @since 0.1.0
 * @category folding
 */
export const wrote = (hash: Hasher, session: Session, request: Requested): Session => {
  const folded = fold(session)
  const { view } = folded
  const { added, from } = request
  return view._tag === "Transcript"
    ? {
        ...folded,
        view: { ...view, written: Written.extend(hash, view.written, view.transcript.messages, from, added) }
      }
    : { ...folded, view: { ...view, written: Written.extend(hash, view.written, [], from, added) } }
}

/**
 * The session with an answer for each call that still waits for its result, as no provider takes an open one.
 *
 * @since 0.1.0
 * @category folding
 */
export const closeOpen = (session: Session, put: Splice): Session => {
  const { view } = session
  if (view._tag === "Section" || view.transcript.open.length === 0) return session
  const changes = view.transcript.open.map(({ seq }): Change => ({
    entries: [seq, seq],
    form: { _tag: "Closed", put }
  }))
  const decided: Decided = { _tag: "Decided", step: stepOf(session), changes }
  return {
    ...session,
    view: { ...view, transcript: Transcript.evolve(view.transcript, [{ _tag: "Decided", decided }]) }
  }
}

/**
 * The entry of a seq that the view shows, or whose words it shows in its place; undefined where there is none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const shown = (session: Session, seq: Seq): Entered | undefined => {
  const { view } = session
  if (view._tag === "Section") return Option.getOrUndefined(HashMap.get(view.section.entries, seq))
  for (const { hidden, items } of view.transcript.messages) {
    for (const item of items) if (item._tag === "Entry" && item.seq === seq) return item.entered
    for (const item of hidden) if (item.seq === seq) return item.entered
  }
  return undefined
}

const requested = (session: Session, request: Requested): Session => {
  if (session.view._tag === "Transcript") return session
  const { view, ...rest } = fold(session)
  return view._tag === "Transcript"
    ? session
    : { ...rest, view: { ...view, section: SectionState.requested(view.section, request) } }
}

const refusalOf = ({ have, need, pins }: Refused): Session["refused"] => ({
  need,
  have,
  ...(pins === undefined ? {} : { pins })
})

const wait = (session: Session, happening: Transcript.Happening): Session => ({
  ...session,
  waiting: [...session.waiting, happening]
})

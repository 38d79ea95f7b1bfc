/**
 * Before a model call: what of the run goes into the request. The plan is pure; what it decides and what was then
 * written down are the facts that come back, in order, with the session that holds them.
 *
 *     fold ─> close open calls ─> bound what is new ─> plan ─> Decided? ─> render what changed ─> Requested | Refused
 *
 * 1. Every change that a request shows stands in a `Decided` before it (law 7).
 * 2. Where a request is no continuation of the one before it, a `Decided` names the cause: the schedule, the ceiling, or
 *    the client, whose own history changed (law 6).
 * 3. With a ceiling, the estimate of what is sent does not pass it (law 5).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { standard } from "@palimpsest/budget/Price"
import * as Arguments from "@palimpsest/compaction/Arguments"
import * as Balanced from "@palimpsest/compaction/Balanced"
import * as Bound from "@palimpsest/compaction/Bound"
import type { Proposed } from "@palimpsest/compaction/Command"
import type { Fact as Compaction } from "@palimpsest/compaction/CompactionFact"
import type { Cause, Change, Decided, Refused, Requested } from "@palimpsest/compaction/Decision"
import { pointers } from "@palimpsest/compaction/Duplication"
import type { Appetite, Inputs } from "@palimpsest/compaction/Investment"
import { under, type Marks } from "@palimpsest/compaction/Hysteresis"
import * as Ladder from "@palimpsest/compaction/Ladder"
import { endedIn } from "@palimpsest/compaction/Leaving"
import { ruleOf } from "@palimpsest/compaction/Reasoning"
import * as Recap from "@palimpsest/compaction/Recap"
import { NO_RESULT } from "@palimpsest/compaction/Mark"
import * as Transcript from "@palimpsest/compaction/Transcript"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Gated } from "@palimpsest/policy/Gated"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import { isGoverned, type Governed } from "./Config.ts"
import { ordered, stayingIn, type Planned } from "./internal/ordered.ts"
import * as Mending from "./Mending.ts"
import * as PrepareCodeaf from "./PrepareCodeaf.ts"
import * as PrepareHarn from "./PrepareHarn.ts"
import * as PrepareSection from "./PrepareSection.ts"
import * as Session from "./Session.ts"
import { entryText, type Fault, type Reader } from "./Texts.ts"
import { messageText, blockTextOfItem } from "./Wire.ts"
import * as Written from "./Written.ts"

/**
 * The facts of one prepared request, and the session after them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prepared {
  readonly session: Session.Session
  readonly facts: ReadonlyArray<Compaction | Decided | Entered | Gated | Proposed | Requested | Refused>
}

/**
 * Prepares the next request of a run. `live` is what a section may ask of a live turn; a replay has none.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepare = (
  session: Session.Session,
  reader: Reader,
  live?: PrepareSection.Live
): Effect.Effect<Prepared, Fault> => {
  const folded = Session.fold(session)
  if (folded.config.preset === "codeaf") return PrepareCodeaf.prepare(folded, reader)
  if (folded.config.preset === "harn") return PrepareHarn.prepare(folded, reader)
  return folded.view._tag === "Section"
    ? PrepareSection.prepare(folded, reader, live)
    : prepareTranscript(folded, folded.view, reader)
}

type TranscriptView = Session.View & { readonly _tag: "Transcript" }

const prepareTranscript = (
  session: Session.Session,
  view: TranscriptView,
  reader: Reader
): Effect.Effect<Prepared, Fault> =>
  Effect.gen(function* () {
    const step = (session.requests + 1) as Step
    const closed = view.transcript.open.map(({ seq }): Change => ({
      entries: [seq, seq],
      form: { _tag: "Closed", put: NO_RESULT }
    }))
    const bounded = yield* boundNew(session, view, reader)
    const entered = decided(step, undefined, [...closed, ...bounded])
    const admitted = withDecision(session, entered)
    const planned = yield* ordered(admitted, (admitted, isPinned) => plan(admitted, reader, isPinned))
    const decidedUpon = [...(entered?.changes ?? []), ...planned.changes]
    const changes = [
      ...decidedUpon,
      ...(yield* mendedIn(withDecision(session, decided(step, planned.epoch, decidedUpon)), reader))
    ]
    const after = withDecision(session, decided(step, planned.epoch, changes, planned.worth))
    if (planned.refused !== undefined) {
      const facts = [decided(step, planned.epoch, changes, planned.worth)].filter((fact) => fact !== undefined)
      const refused: Refused = { _tag: "Refused", step, request: step, why: "ContextExhausted", ...planned.refused }
      return { session: Session.record(after, refused), facts: [...facts, refused] }
    }
    const { from, view: rendered } = yield* render(after, reader)
    const cause = planned.epoch ?? (from < view.written.parts.length ? "client" : undefined)
    const fact = decided(step, cause, changes, planned.worth)
    const facts = [fact, planned.proposed].filter((one) => one !== undefined)
    const sent = { ...facts.reduce(Session.record, session), waiting: [] }
    const next = {
      ...sent,
      view: planned.epoch === undefined && cause === "client" ? beganAnew(rendered, step) : rendered
    }
    const requested = requestOf(next, step, from, rendered.written)
    return { session: Session.record(next, requested), facts: [...facts, requested] }
  })

/** The same messages, in the next epoch. */
const beganAnew = (view: TranscriptView, step: Step): TranscriptView => {
  const decided: Decided = { _tag: "Decided", step, epoch: "client", changes: [] }
  return { ...view, transcript: Transcript.evolve(view.transcript, [{ _tag: "Decided", decided }]) }
}

/** What the configured preset decides over a view in which new results are bounded already. */
const plan = (session: Session.Session, reader: Reader, isPinned: Balanced.IsPinned): Effect.Effect<Planned, Fault> =>
  Effect.gen(function* () {
    const { config, view } = session
    if (!isGoverned(config) || view._tag !== "Transcript") return { changes: [] }
    const marks = { ...config, ceiling: config.ceiling }
    const planned =
      config.schedule === "investment"
        ? Ladder.plan(view.transcript, marks, inputsOf(session, config, view, isPinned))
        : byMarks(config.schedule ?? "hysteresis", view.transcript, marks, isPinned)
    switch (planned._tag) {
      case "Keep":
        return { changes: [] }
      case "Rewrite": {
        const folds = yield* foldsOf(view, planned.folds, reader)
        const { frees, net, rebills } = planned.priced
        const worth = { frees, rebills: Math.round(rebills), saves: Math.round(net) }
        const changes = yield* recapped(session, [...planned.changes, ...folds], planned.cause, reader)
        return { changes, epoch: planned.cause, worth }
      }
      case "Refuse":
        return { changes: [], refused: { need: planned.need, have: planned.have } }
      case "Batch":
        return { changes: planned.changes, epoch: planned.cause }
      case "Squeeze": {
        const wanted = new Set(planned.fresh)
        const items = view.transcript.messages.flatMap(({ items }) => items.filter(({ seq }) => wanted.has(seq)))
        const squeezed = yield* Effect.forEach(items, (item) => boundItem(item, planned.cap, reader))
        const changes = [...planned.changes, ...squeezed.flat()]
        return planned.changes.length === 0 ? { changes } : { changes, epoch: "ceiling" as const }
      }
    }
  })

const byMarks = (
  schedule: Parameters<typeof under>[0],
  transcript: Transcript.Transcript,
  marks: Marks,
  isPinned: Balanced.IsPinned
): Balanced.Plan => {
  const asked = under(schedule, transcript, marks)
  return Balanced.plan(asked.view, asked.marks, isPinned)
}

const inputsOf = (
  session: Session.Session,
  config: Governed,
  view: TranscriptView,
  isPinned: Balanced.IsPinned
): Inputs => ({
  step: session.requests + 1,
  cached: Written.cachedIn(view.written.parts, view.transcript.messages),
  ended: endedIn(view.written.parts, view.transcript.messages),
  fixed: FIXED,
  attention: session.attention,
  prices: standard,
  appetite: APPETITES[config.preset],
  reasoning: ruleOf(config.model),
  isPinned
})

/** What a ceiling takes leaves under a recap, in what room is left below it (four scalar values a token; marks round up). */
const recapped = (
  session: Session.Session,
  changes: ReadonlyArray<Change>,
  cause: Cause,
  reader: Reader
): Effect.Effect<ReadonlyArray<Change>, Fault> => {
  const { config, view } = session
  if (!isGoverned(config) || view._tag !== "Transcript") return Effect.succeed(changes)
  return Effect.map(
    Effect.forEach(Recap.wanted(view.transcript, changes, cause), ({ entered, seq }) =>
      Effect.map(entryText(reader, entered), (text) => [seq, text] as const)
    ),
    (texts) => {
      const { tokens } = Transcript.evolve(view.transcript, [
        { _tag: "Decided", decided: { _tag: "Decided", step: (session.requests + 1) as Step, changes } }
      ])
      const room = config.ceiling === undefined ? Number.POSITIVE_INFINITY : Recap.roomIn(config.ceiling - tokens)
      return Recap.recapped(view.transcript, changes, cause, new Map(texts), room)
    }
  )
}

/** The arguments of calls, folded where that makes them shorter. */
const foldsOf = (
  view: TranscriptView,
  calls: ReadonlyArray<Seq>,
  reader: Reader
): Effect.Effect<ReadonlyArray<Change>, Fault> => {
  const wanted = new Set(calls)
  const items = view.transcript.messages.flatMap(({ items }) => items.filter(({ seq }) => wanted.has(seq)))
  return Effect.map(
    Effect.forEach(items, (item) =>
      item._tag !== "Entry"
        ? Effect.succeed([])
        : Effect.map(blockTextOfItem(reader, item, 1), (args): ReadonlyArray<Change> => {
            const form = Arguments.folded(item.seq, args, LEAST_FOLD)
            return form === undefined ? [] : [{ entries: [item.seq, item.seq], form }]
          })
    ),
    (changes) => changes.flat()
  )
}

/** The scalar values that one result may bring in: of the line, or of the ceiling below it, a quarter; an eighth before. */
const capOf = ({ ceiling, line, schedule }: Governed): number => {
  const least = Math.min(line, ceiling ?? line)
  return schedule === "investment" ? Ladder.entryCap(least) : entryCapScalars(least)
}

/** Tokens of system prompt and tools that a request is assumed to carry beside what is managed. */
const FIXED = 3_000
/** How much shorter a fold makes arguments, at least (scalar values). */
const LEAST_FOLD = 80
const APPETITES: Readonly<Record<Governed["preset"], Appetite>> = {
  balanced: { lambda: 18, theta: 2 },
  frugal: { lambda: 4, theta: 2 }
}

/** What was sent before the run was governed, and what `raw` sends, stays as the client has it. */
const mendedIn = ({ config, view }: Session.Session, reader: Reader): Effect.Effect<ReadonlyArray<Change>, Fault> =>
  isGoverned(config) && view._tag === "Transcript"
    ? Mending.changesOf(reader, view.transcript.messages, view.written.parts)
    : Effect.succeed([])

const boundNew = (
  session: Session.Session,
  view: TranscriptView,
  reader: Reader
): Effect.Effect<ReadonlyArray<Change>, Fault> => {
  const { config, orders } = session
  if (!isGoverned(config) || !orders.isOn) return Effect.succeed([])
  const isPinned = stayingIn(session)
  const cap = capOf(config)
  const before = view.written.parts
  const { messages } = view.transcript
  const isNew = (at: number): boolean => messages[at] !== before[at]
  const repeated = config.schedule === "investment" ? pointers(view.transcript, isNew) : []
  const pinned = new Set<Seq>()
  messages.forEach(({ items }, at) => {
    if (isNew(at)) for (const item of items) if (item._tag === "Entry" && isPinned(item)) pinned.add(item.seq)
  })
  const same = repeated.filter(({ entries: [seq] }) => !pinned.has(seq))
  const pointing = new Set(same.map(({ entries }) => entries[0]))
  const fresh: Array<Transcript.Item> = []
  messages.forEach(({ items }, at) => {
    if (!isNew(at)) return
    for (const item of items) {
      const isLarge = item._tag === "Entry" && item.form._tag === "Whole" && Transcript.weigh(item).scalars > cap
      if (isLarge && !pointing.has(item.seq) && !pinned.has(item.seq)) fresh.push(item)
    }
  })
  return Effect.map(
    Effect.forEach(fresh, (item) => boundItem(item, cap, reader)),
    (changes) => [...same, ...changes.flat()]
  )
}

/** Only results are bounded, and of those only the ones that are text throughout. */
const boundItem = (item: Transcript.Item, cap: number, reader: Reader): Effect.Effect<ReadonlyArray<Change>, Fault> => {
  if (item._tag !== "Entry" || item.entered.part._tag !== "Result") return Effect.succeed([])
  const { blocks } = item.entered.part
  if (blocks.some(({ encoding }) => encoding === "bytes")) return Effect.succeed([])
  const { seq } = item
  return Effect.map(
    Effect.forEach(blocks, (_, i) => blockTextOfItem(reader, item, i + 1)),
    ([first = "", ...rest]): ReadonlyArray<Change> => [
      { entries: [seq, seq], form: Bound.boundedBlocks(seq, [first, ...rest], cap) }
    ]
  )
}

/** What the request writes, and from which message on it differs from the one before it. */
const render = (
  session: Session.Session,
  reader: Reader
): Effect.Effect<{ readonly from: number; readonly view: TranscriptView }, Fault> => {
  const { view } = session
  if (view._tag !== "Transcript") return Effect.dieMessage("a section writes no transcript")
  const { messages, shape } = view.transcript
  return Effect.map(
    Written.next(reader.hash, view.written, messages, (message) => messageText(reader, shape, message)),
    ({ from, written }) => ({ from, view: { ...view, written } })
  )
}

const requestOf = (
  { config, seq, view }: Session.Session,
  step: Step,
  from: number,
  written: TranscriptView["written"]
): Requested => {
  const { scalars, shape, tokens } = view._tag === "Transcript" ? view.transcript : Transcript.empty(config.shape)
  return {
    _tag: "Requested",
    step,
    request: step,
    through: seq,
    as: shape,
    ...(isGoverned(config) && config.ceiling !== undefined ? { ceiling: config.ceiling } : {}),
    scalars,
    estimate: tokens,
    from,
    added: written.digests.slice(from),
    chain: Written.chainOf(written)
  }
}

const decided = (
  step: Step,
  epoch: Cause | undefined,
  changes: ReadonlyArray<Change>,
  worth?: Decided["worth"]
): Decided | undefined =>
  changes.length === 0 && epoch === undefined
    ? undefined
    : {
        _tag: "Decided",
        step,
        ...(epoch === undefined ? {} : { epoch }),
        changes,
        ...(worth === undefined ? {} : { worth })
      }

const withDecision = (session: Session.Session, fact: Decided | undefined): Session.Session =>
  fact === undefined ? session : Session.fold(Session.record(session, fact))

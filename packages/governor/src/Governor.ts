/**
 * The turn, live: observe → check → prepare → (the call) → settle, over the ports alone. A run in hand is one fiber's at
 * a time; its log may have other writers, and then an append is a typed `Conflict` and nothing was kept.
 *
 *     begin ─> observe* ─> check* ─> prepare ─┬─> Send     ─> the call ─> observe, settle ─> …
 *                                             └─> Refused  (typed, in the log, nothing sent)
 *
 * 1. What is observed, decided and requested commits in one append per act; bodies are stored before (laws 1 and 2).
 * 2. The policy is frozen into the run: it cannot be resumed without it, or under another (laws 12 and 13).
 * 3. A stale file is read again at most once per write, only if its old text would be carried, through the policy of now,
 *    and what was read enters the ledger (laws 6 and 12; mending IO-W8 to IO-W10).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as SynchronizedRef from "effect/SynchronizedRef"
import type { Usage } from "@palimpsest/budget/Usage"
import * as Notes from "@palimpsest/compaction/Notes"
import type { Note } from "@palimpsest/compaction/SectionNotes"
import type { Stored } from "@palimpsest/ledger/Body"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import { EMPTY, type Head } from "@palimpsest/ledger/Event"
import type { BadAppend, Conflict, EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import { Step, type LogId, type Seq, type TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Act } from "@palimpsest/policy/Act"
import { none, type Approvals } from "@palimpsest/policy/Approval"
import { check as checkPolicy, type CompiledPolicy } from "@palimpsest/policy/Check"
import { canonical } from "@palimpsest/policy/Target"
import type { Verdict } from "@palimpsest/policy/Verdict"
import * as Config from "./Config.ts"
import type { EntryDraft } from "./Draft.ts"
import type { Fact } from "./Fact.ts"
import { bodyOf, keptOf } from "./Frozen.ts"
import { commit } from "./internal/commit.ts"
import * as NoteBook from "./NoteBook.ts"
import * as Prepare from "./Prepare.ts"
import * as Refresh from "./Refresh.ts"
import * as Session from "./Session.ts"
import * as Texts from "./Texts.ts"
import { messageText } from "./Wire.ts"
import * as SectionState from "./SectionState.ts"
import { Workspace } from "./Workspace.ts"

/**
 * What a live run is begun with. `workspace` is the key of the workspace whose notes lead a section, where there is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Begin {
  readonly tree: TreeId
  readonly log: LogId
  readonly config: Config.Config
  readonly policy: CompiledPolicy
  readonly hash: Hasher
  readonly workspace?: string
}

/**
 * A live run: a handle, to be passed to the functions of this module.
 *
 * @since 0.1.0
 * @category models
 */
export interface Live {
  readonly begin: Begin
  readonly reader: Texts.Reader
  readonly state: SynchronizedRef.SynchronizedRef<State>
  readonly book: Ref.Ref<NoteBook.Book>
}

/**
 * Where a live run stands: its session, the head of its log, and what its approver was asked and has answered.
 *
 * @since 0.1.0
 * @category models
 */
export interface State {
  readonly session: Session.Session
  readonly head: Head
  readonly approvals: Approvals
}

/**
 * What to send: the JSON texts of the messages, in order; or why nothing may be sent (`pins` where what is pinned does not fit).
 *
 * @since 0.1.0
 * @category models
 */
export type Turn =
  | {
      readonly _tag: "Send"
      readonly request: number
      readonly messages: ReadonlyArray<string>
      readonly estimate: number
    }
  | {
      readonly _tag: "Refused"
      readonly request: number
      readonly need: number
      readonly have: number
      readonly pins?: ReadonlyArray<Seq>
    }

/** @since 0.1.0 */
export type TurnError = BadAppend | Conflict | NotCanonical | NoteBook.ReadError | Texts.Fault

/**
 * Takes a live run up again, under the policy that it was recorded under.
 *
 * @since 0.1.0
 * @category turns
 */
export { resume } from "./Frozen.ts"

/**
 * Begins a run in an empty log, and freezes its policy into it. Under our own presets the notes of its workspace come first.
 *
 * @since 0.1.0
 * @category turns
 */
export const begin = (options: Begin): Effect.Effect<Live, TurnError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { hash, log, policy, tree } = options
    const reader = yield* Texts.fromStore(hash, tree)
    const frozen = bodyOf(hash, policy.policy)
    const config = { ...options.config, ...keptOf(hash, policy) }
    const { body, stored } = Config.bodyOf(hash, config)
    const session = Session.make(tree, log, config)
    const state = yield* SynchronizedRef.make<State>({ session, head: EMPTY, approvals: none })
    const live = { begin: { ...options, config }, reader, state, book: yield* Ref.make(NoteBook.unread) }
    const step = Step.make(0)
    const opening = Option.map(yield* openingOf(live), ({ entry }) => entry(hash))
    const notes = Option.map(opening, ({ entered }): Fact => ({ _tag: "Entered", step, ...entered }))
    const bodies = Option.match(opening, { onNone: () => [], onSome: (made) => made.bodies })
    yield* commit(live, () =>
      Effect.succeed({
        facts: [{ _tag: "Began", step, config: body }, ...Option.toArray(notes)],
        bodies: [stored, frozen, ...bodies]
      })
    )
    return live
  })

/**
 * Records what was said, called and returned since the last turn.
 *
 * @since 0.1.0
 * @category turns
 */
export const observe = (
  live: Live,
  entries: ReadonlyArray<EntryDraft>
): Effect.Effect<ReadonlyArray<Seq>, TurnError, EventStore | BodyStore> =>
  commit(live, (session) => {
    const made = entries.map(({ entry }) => entry(live.begin.hash))
    const step = Session.stepOf(session)
    return Effect.succeed({
      facts: made.map(({ entered }): Fact => ({ _tag: "Entered", step, ...entered })),
      bodies: made.flatMap(({ bodies }) => bodies)
    })
  })

/**
 * Asks the policy of now about an act. A refusal is recorded; `ask` is one, as nobody is here to ask.
 *
 * @since 0.1.0
 * @category turns
 */
export const check = (
  live: Live,
  act: Act,
  target: string
): Effect.Effect<Verdict, TurnError, EventStore | BodyStore> => {
  const verdict = checkPolicy(live.begin.policy, act, target)
  if (verdict.ruling === "allow") return Effect.succeed(verdict)
  const gated = (session: Session.Session): Fact => ({
    _tag: "Gated",
    step: Session.stepOf(session),
    act,
    target: canonical(act, target, live.begin.policy.platform),
    purpose: "call",
    verdict
  })
  return Effect.as(
    commit(live, (session) => Effect.succeed({ facts: [gated(session)], bodies: [] })),
    verdict
  )
}

/**
 * Prepares the next request: refreshes what a write made stale where a workspace is at hand, plans, and writes the request
 * down before it is sent. A section is led by the notes of its workspace as they stand now.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepare = (live: Live): Effect.Effect<Turn, TurnError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const workspace = yield* Effect.serviceOption(Workspace)
    const notes = yield* notesOf(live)
    yield* commit(live, (session) =>
      Effect.gen(function* () {
        const bodies: Array<Stored> = []
        const refresher = Option.map(workspace, (files) => Refresh.make(live.begin, files, bodies))
        const refreshed = Option.isNone(refresher) ? [] : yield* refresher.value.tail(session)
        const before = refreshed.reduce(Session.record, session)
        const reader = Refresh.withPending(live.reader, bodies)
        const prepared = yield* Prepare.prepare(
          before,
          reader,
          Option.isNone(refresher) ? { notes } : { notes, reread: refresher.value.section }
        )
        return { facts: [...refreshed, ...prepared.facts], bodies, session: prepared.session }
      })
    )
    return yield* turnOf(live)
  })

/**
 * Records what the provider reported for the request that was sent last.
 *
 * @since 0.1.0
 * @category turns
 */
export const settle = (live: Live, usage: Usage): Effect.Effect<void, TurnError, EventStore | BodyStore> =>
  Effect.asVoid(
    commit(live, (session) => {
      const fact: Fact = { _tag: "Reported", step: Session.stepOf(session), request: session.requests, usage }
      return Effect.succeed({ facts: [fact], bodies: [] })
    })
  )

/** What a transcript begins with: the notes as they stand when the run does, so that no later one changes its prefix. */
const openingOf = (live: Live): Effect.Effect<Option.Option<EntryDraft>, NoteBook.ReadError, EventStore> => {
  const { config, hash, workspace } = live.begin
  return workspace === undefined || !Config.isGoverned(config)
    ? Effect.succeed(Option.none())
    : Effect.map(NoteBook.list(hash, workspace), (notes) => NoteBook.opening(notes, config))
}

/** A section shows the notes of each turn. What was read of them before is not read again. */
const notesOf = (live: Live): Effect.Effect<ReadonlyArray<Note>, NoteBook.ReadError, EventStore> =>
  Effect.gen(function* () {
    const { config, hash, workspace } = live.begin
    if (workspace === undefined || config.preset !== "io-harness") return []
    const book = yield* NoteBook.read(hash, workspace, yield* Ref.get(live.book))
    yield* Ref.set(live.book, book)
    return Notes.list(book.notes)
  })

const turnOf = (live: Live): Effect.Effect<Turn, Texts.Fault | StoreError> =>
  Effect.gen(function* () {
    const { session } = yield* SynchronizedRef.get(live.state)
    const { refused, requests, view } = session
    if (refused !== undefined) return { _tag: "Refused", request: requests, ...refused }
    if (view._tag === "Section") {
      const text = yield* SectionState.text(view.section, live.reader)
      return {
        _tag: "Send",
        request: requests,
        messages: SectionState.messages(text),
        estimate: Math.ceil(view.section.scalars / 4)
      }
    }
    const { messages, shape, tokens } = view.transcript
    const texts = yield* Effect.forEach(messages, (message) => messageText(live.reader, shape, message))
    return { _tag: "Send", request: requests, messages: texts, estimate: tokens }
  })

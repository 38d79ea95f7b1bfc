/**
 * Before a model call of a run that shows a section: admit what arrived, plan, write down. A plan may wish to read a stale
 * file again; live, the policy of now and the workspace answer, and what was read enters the ledger (IO-W10); in a replay
 * there is no workspace, and nothing is read.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { tokensOf } from "@palimpsest/budget/Estimate"
import type { Change, Decided, Requested } from "@palimpsest/compaction/Decision"
import type { Form } from "@palimpsest/compaction/Form"
import * as Section from "@palimpsest/compaction/Section"
import * as SectionFrame from "@palimpsest/compaction/SectionFrame"
import type { Note } from "@palimpsest/compaction/SectionNotes"
import type { Reread, RereadAnswer } from "@palimpsest/compaction/SectionReread"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Gated } from "@palimpsest/policy/Gated"
import type { Prepared } from "./Prepare.ts"
import * as SectionState from "./SectionState.ts"
import * as Session from "./Session.ts"
import { entryText, type Fault, type Reader } from "./Texts.ts"
import * as Written from "./Written.ts"

/**
 * What a live turn has besides the log: the notes of the workspace, oldest first, and how to read a stale file again,
 * where there is a workspace to read from. Each answer comes with the facts that it brings
 * into the log before the decision that shows it; the address of a fresh text is the place of the fact that holds it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Live {
  readonly notes: ReadonlyArray<Note>
  readonly reread?: (
    wanted: Reread,
    observation: Observation | undefined,
    next: Seq,
    step: Step
  ) => Effect.Effect<Answered, Fault>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Answered {
  readonly answer: RereadAnswer
  readonly facts: ReadonlyArray<Entered | Gated>
}

/**
 * Prepares the next request of a section.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepare = (session: Session.Session, reader: Reader, live?: Live): Effect.Effect<Prepared, Fault> =>
  Effect.gen(function* () {
    const { config, view } = session
    if (config.preset !== "io-harness" || view._tag !== "Section") return yield* Effect.dieMessage("not a section")
    const step = (session.requests + 1) as Step
    const cap = entryCapScalars(config.maxTokens)
    const admissions = yield* Effect.forEach(view.section.arrived, (seq) =>
      Effect.map(admit(view.section, seq, cap, reader), (form): Change => ({ entries: [seq, seq], form }))
    )
    let at = session
    const facts: Array<Prepared["facts"][number]> = []
    const take = (fact: Prepared["facts"][number]) => {
      facts.push(fact)
      at = Session.record(at, fact)
    }
    if (admissions.length > 0) take({ _tag: "Decided", step, changes: admissions })
    at = Session.fold(at)
    const section = sectionOf(at)
    const planning = Section.plan(section.ledger, section.view, {
      budget: config.maxTokens,
      notes: live?.notes ?? [],
      step,
      hasWorkspace: live?.reread !== undefined
    })
    let turn = planning.next()
    while (turn.done !== true) {
      const wanted = turn.value
      if (wanted._tag === "Restore") {
        turn = planning.next({ _tag: "Restored", form: yield* admit(section, wanted.seq, cap, reader) })
        continue
      }
      const { answer, facts: brought } = yield* answered(live, wanted, section, (at.seq + 1) as Seq, step)
      for (const fact of brought) take(fact)
      turn = planning.next(answer)
    }
    const { decided } = turn.value
    if (decided !== undefined) take({ _tag: "Decided", step, ...decided } satisfies Decided)
    at = Session.fold(at)
    const text = yield* SectionState.text(sectionOf(at), reader)
    return yield* write(at, facts, text, step, config.maxTokens, reader)
  })

const answered = (
  live: Live | undefined,
  wanted: Reread,
  { entries }: SectionState.SectionState,
  next: Seq,
  step: Step
): Effect.Effect<Answered, Fault> =>
  live?.reread === undefined
    ? Effect.succeed({ answer: { _tag: "Refused", why: "this run has no workspace to re-read from" }, facts: [] })
    : live.reread(wanted, Option.getOrUndefined(HashMap.get(entries, wanted.seq))?.observation, next, step)

const write = (
  session: Session.Session,
  facts: ReadonlyArray<Prepared["facts"][number]>,
  text: string,
  step: Step,
  ceiling: number,
  reader: Reader
): Effect.Effect<Prepared> =>
  Effect.gen(function* () {
    const { view } = session
    if (view._tag !== "Section") return yield* Effect.dieMessage("not a section")
    const { from, written } = yield* Written.next(reader.hash, view.written, SectionState.messages(text), (part) =>
      Effect.succeed(part)
    )
    const scalars = scalarsOf(text)
    const requested: Requested = {
      _tag: "Requested",
      step,
      request: step,
      through: session.seq,
      as: "section",
      ceiling,
      scalars,
      estimate: tokensOf(scalars),
      from,
      added: written.digests.slice(from),
      chain: Written.chainOf(written)
    }
    return {
      session: Session.record({ ...session, view: { ...view, written } }, requested),
      facts: [...facts, requested]
    }
  })

const admit = (
  section: SectionState.SectionState,
  seq: Seq,
  cap: number,
  reader: Reader
): Effect.Effect<Form, Fault> => {
  const entered = Option.getOrUndefined(HashMap.get(section.entries, seq))
  const observation = entered?.observation
  if (entered === undefined || observation === undefined) return Effect.succeed({ _tag: "Whole" })
  return Effect.map(
    entryText(reader, entered),
    (text) => SectionFrame.admit({ of: { seq }, observation, text, cap }).form
  )
}

const sectionOf = (session: Session.Session): SectionState.SectionState => {
  if (session.view._tag === "Section") return session.view.section
  throw new Error("a run's view never changes its kind")
}

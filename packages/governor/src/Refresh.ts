/**
 * Refresh: reading a stale file again, through the policy of now, as a new observation (law 12). The old text is left as
 * it is, or retired in a batch: nothing near the front of a request changes (law 6).
 *
 *     read A @12 … write A @40 … prepare:  policy of now ─ workspace ─> Entered at the tail, observation of A
 *
 * Once per invalidating write, and only for a read whose text is still carried (mending IO-W8, IO-W9); what could not be
 * read after one write is tried again after the next. What was read is an entry with its own body, so a request can be
 * rebuilt from the ledger (IO-W10), bounded as any observation is, and of every name that its file was found to have: recall
 * needs leave for each (law 12). The model is told that a file is stale and could not be read; which rule said so is in the
 * log, for the operator (IO-W20).
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { entryCapScalars } from "@palimpsest/budget/ContextBudget"
import { bounded } from "@palimpsest/compaction/Bound"
import type { Change, Decided } from "@palimpsest/compaction/Decision"
import { isWhole } from "@palimpsest/compaction/Form"
import { invalidated } from "@palimpsest/compaction/Invalidation"
import { plain } from "@palimpsest/compaction/Mark"
import type { Reread } from "@palimpsest/compaction/SectionReread"
import * as SectionReread from "@palimpsest/compaction/SectionReread"
import { superseded } from "@palimpsest/compaction/Supersession"
import { scalarsOf, type Stored } from "@palimpsest/ledger/Body"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import type { Gated } from "@palimpsest/policy/Gated"
import { canonical } from "@palimpsest/policy/Target"
import type { Verdict } from "@palimpsest/policy/Verdict"
import * as Draft from "./Draft.ts"
import type { Answered } from "./PrepareSection.ts"
import { isGoverned } from "./Config.ts"
import { fileOf, gate, subjectOf } from "./Recall.ts"
import * as Session from "./Session.ts"
import type { Reader } from "./Texts.ts"
import { asSeed, type Contents, type Workspace } from "./Workspace.ts"

/**
 * How a live run reads again: at the tail of a transcript, or where a section asks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refresher {
  readonly tail: (session: Session.Session) => Effect.Effect<ReadonlyArray<Entered | Gated | Decided>>
  readonly section: (
    wanted: Reread,
    observation: Observation | undefined,
    next: Seq,
    step: Step
  ) => Effect.Effect<Answered>
}

/**
 * A refresher over a workspace. The bodies of what is read are added to `bodies`, to be stored with the turn.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  { hash, policy }: { readonly hash: Hasher; readonly policy: CompiledPolicy },
  workspace: Context.Tag.Service<typeof Workspace>,
  bodies: Array<Stored>
): Refresher => {
  const enter = (draft: Draft.EntryDraft, step: Step): Entered => {
    const made = draft.entry(hash)
    bodies.push(...made.bodies)
    return { _tag: "Entered", step, ...made.entered }
  }
  return {
    tail: (session) =>
      Effect.map(
        Effect.forEach(stale(session), ({ by, observation, seq }) => {
          const { target = "" } = observation
          const step = Session.stepOf(session)
          const said = (what: string) => enter(Draft.reread(messageOf(by), notice(target, by, what), undefined), step)
          const refused = gate(policy, observation)
          if (refused !== undefined) {
            const facts = [gated(policy, step, refused.target, seq, refused.verdict), said(MAY_NOT)]
            return Effect.succeed({ facts, text: undefined })
          }
          return Effect.map(workspace.read(nameOf(observation, target)), (contents): Refreshed => {
            if (contents._tag === "Refused") {
              return {
                facts: [gated(policy, step, contents.name, seq, contents.verdict), said(MAY_NOT)],
                text: undefined
              }
            }
            if (contents._tag !== "Text") return { facts: [said(lacking(contents))], text: undefined }
            const text = `${notice(target, by, "this is what it holds now")}\n${contents.text}`
            return { facts: [enter(Draft.reread(messageOf(by), text, fresh(observation, contents)), step)], text }
          })
        }),
        (found) => {
          const facts = found.flatMap((one) => one.facts)
          const texts = found.flatMap(({ facts, text }) =>
            facts.map((_, i) => (i === facts.length - 1 ? text : undefined))
          )
          const bounded = boundedBy(session, texts)
          return bounded === undefined ? facts : [...facts, bounded]
        }
      ),
    section: (wanted, observation, next, step) => {
      const known = observation ?? { ...FRESH, target: wanted.target }
      const refused = gate(policy, known)
      const why = refused === undefined ? undefined : SectionReread.refusal(true, refused.verdict)
      if (refused !== undefined && why !== undefined) {
        const fact = gated(policy, step, refused.target, wanted.seq, refused.verdict)
        return Effect.succeed({ answer: { _tag: "Refused", why }, facts: [fact] })
      }
      return Effect.map(workspace.read(nameOf(known, wanted.target)), (contents): Answered => {
        const answer = SectionReread.found(asSeed(contents), () => ({ seq: next }))
        if (answer._tag === "Refused") {
          const isRuled = contents._tag === "Refused"
          return { answer, facts: isRuled ? [gated(policy, step, contents.name, wanted.seq, contents.verdict)] : [] }
        }
        const of = contents._tag === "Text" ? fresh(known, contents) : undefined
        const draft = Draft.reread(`refresh-${wanted.seq}-${step}`, answer.text, of)
        return { answer, facts: [enter(draft, step)] }
      })
    }
  }
}

/**
 * A reader that finds the bodies of this turn before they are stored.
 *
 * @since 0.1.0
 * @category constructors
 */
export const withPending = (reader: Reader, bodies: ReadonlyArray<Stored>): Reader => ({
  ...reader,
  stored: (digest) => {
    const pending = bodies.find((body) => body.digest === digest)
    return pending === undefined ? reader.stored(digest) : Effect.succeed(pending.bytes)
  }
})

interface Stale {
  readonly seq: Seq
  readonly by: Seq
  readonly observation: Observation
}

interface Refreshed {
  readonly facts: ReadonlyArray<Entered | Gated>
  /** The text of the last of them, where it shows what a file holds. */
  readonly text: string | undefined
}

/**
 * Reads that a later write changed, that nothing newer replaced, that are carried, and were not refreshed since the newest
 * such write. A write is of one file, so of all the reads that it made stale the newest stands for the rest.
 */
const stale = (session: Session.Session): ReadonlyArray<Stale> => {
  const { view } = Session.fold(session)
  if (view._tag !== "Transcript") return []
  const items = view.transcript.messages.flatMap(({ items }) => items.filter((item) => item._tag === "Entry"))
  // A refresh that has left the view since was one all the same.
  const keys = new Set(
    [...items, ...view.transcript.messages.flatMap(({ hidden }) => hidden)].map(({ entered }) => entered.message)
  )
  const observed = items
    .flatMap(({ entered, seq }) =>
      entered.observation === undefined ? [] : [{ seq, observation: entered.observation }]
    )
    .sort((a, b) => a.seq - b.seq)
  const newer = superseded(observed)
  const written = invalidated(observed)
  const newest = new Map<string | undefined, Seq>()
  for (const { observation, seq } of observed) if (observation.kind === "write") newest.set(observation.subject, seq)
  const found = new Map<Seq, Stale>()
  for (const { entered, form, seq } of items) {
    const { observation } = entered
    const by = written.has(seq) ? newest.get(observation?.subject) : undefined
    const isCarried = isWhole(form) || form._tag === "Bounded"
    if (by === undefined || newer.has(seq) || keys.has(messageOf(by))) continue
    if (isCarried && observation?.target !== undefined) found.set(by, { seq, by, observation })
  }
  return [...found.values()]
}

const FRESH = { kind: "read", covers: { _tag: "All" }, classifier: Draft.REREAD } as const

/** What to read: the canonical name, as the target is what was shown. */
const nameOf = ({ subject = "" }: Observation, target: string): string => fileOf(subject) ?? target

/** What was read is of the name that was asked for, and of the one that it really has. */
const fresh = ({ subject, target }: Observation, { real }: Contents & { readonly _tag: "Text" }): Observation => {
  const also = subjectOf(real)
  return {
    ...FRESH,
    ...(target === undefined ? {} : { target }),
    ...(subject === undefined ? {} : { subject }),
    ...(also === subject ? {} : { also: [also] as const })
  }
}

/** The bounds of what enters now, by its place behind the session: as large as a result may be there. */
const boundedBy = (
  { config, requests, seq }: Session.Session,
  texts: ReadonlyArray<string | undefined>
): Decided | undefined => {
  if (!isGoverned(config)) return undefined
  const cap = entryCapScalars(Math.min(config.line, config.ceiling ?? config.line))
  const changes = texts.flatMap((text, i): ReadonlyArray<Change> => {
    if (text === undefined || scalarsOf(text) <= cap) return []
    const at = (seq + 1 + i) as Seq
    return [{ entries: [at, at], form: { ...bounded({ seq: at }, text, cap), rest: { seq: at } } }]
  })
  return changes.length === 0 ? undefined : { _tag: "Decided", step: (requests + 1) as Step, changes }
}

const messageOf = (by: Seq): string => `refresh-${by}`

const gated = ({ platform }: CompiledPolicy, step: Step, target: string, of: Seq, verdict: Verdict): Gated => ({
  _tag: "Gated",
  step,
  act: "read",
  target: canonical("read", target, platform),
  of,
  purpose: "refresh",
  verdict
})

const notice = (target: string, by: Seq, what: string): string =>
  `[${plain(target)} was changed by the write @${by}: ${what}]`

const MAY_NOT = "it may not be read now"

const lacking = (contents: Exclude<Contents, { readonly _tag: "Text" | "Refused" }>): string => {
  switch (contents._tag) {
    case "Empty":
      return "it is empty now"
    case "Missing":
      return "it is gone"
    case "Binary":
      return "it is not text now"
    case "Unreadable":
      return "it could not be read"
  }
}

/**
 * Refresh: reading a stale file again, through the policy of now, as a new observation (law 12). The old text is left as
 * it is, or retired in a batch: nothing near the front of a request changes (law 6).
 *
 *     read A @12 … write A @40 … prepare:  policy of now ─ workspace ─> Entered at the tail, observation of A
 *
 * Once per invalidating write, and only for a read whose text is still carried (mending IO-W8, IO-W9). What was read is an
 * entry with its own body, so a request can be rebuilt from the ledger (IO-W10). The model is told that a file is stale and
 * could not be read; which rule said so is in the log, for the operator (IO-W20).
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { invalidated } from "@palimpsest/compaction/Invalidation"
import type { Reread } from "@palimpsest/compaction/SectionReread"
import * as SectionReread from "@palimpsest/compaction/SectionReread"
import { superseded } from "@palimpsest/compaction/Supersession"
import type { Stored } from "@palimpsest/ledger/Body"
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
import { gate } from "./Recall.ts"
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
  readonly tail: (session: Session.Session) => Effect.Effect<ReadonlyArray<Entered | Gated>>
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
        Effect.forEach(stale(session), ({ by, entered, seq }) => {
          const { subject = "", target = "" } = entered.observation ?? {}
          const step = Session.stepOf(session)
          const refused = gate(policy, entered.observation)
          const message = messageOf(by)
          if (refused !== undefined) {
            const words = enter(Draft.reread(message, notice(target, by, "it may not be read now"), undefined), step)
            return Effect.succeed([gated(step, refused.target, seq, refused.verdict), words])
          }
          return Effect.map(workspace.read(target), (contents): ReadonlyArray<Entered | Gated> => {
            if (contents._tag !== "Text") {
              return [enter(Draft.reread(message, notice(target, by, lacking(contents)), undefined), step)]
            }
            const words = notice(target, by, "this is what it holds now")
            const observation = { ...FRESH, target, subject }
            return [enter(Draft.reread(message, `${words}\n${contents.text}`, observation), step)]
          })
        }),
        (facts) => facts.flat()
      ),
    section: (wanted, observation, next, step) => {
      const refused = gate(policy, observation ?? { ...FRESH, target: wanted.target })
      const why = refused === undefined ? undefined : SectionReread.refusal(true, refused.verdict)
      if (refused !== undefined && why !== undefined) {
        const fact = gated(step, refused.target, wanted.seq, refused.verdict)
        return Effect.succeed({ answer: { _tag: "Refused", why }, facts: [fact] })
      }
      return Effect.map(workspace.read(wanted.target), (contents): Answered => {
        const answer = SectionReread.found(asSeed(contents), () => ({ seq: next }))
        if (answer._tag === "Refused") return { answer, facts: [] }
        const draft = Draft.reread(`refresh-${wanted.seq}-${step}`, answer.text, undefined)
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
  readonly entered: Entered
}

/**
 * Reads that a later write changed, that nothing newer replaced, that are carried, and were not refreshed since. A write
 * is of one file, so of all the reads that it made stale the newest stands for the rest.
 */
const stale = (session: Session.Session): ReadonlyArray<Stale> => {
  const { view } = Session.fold(session)
  if (view._tag !== "Transcript") return []
  const items = view.transcript.messages.flatMap(({ items }) => items.filter((item) => item._tag === "Entry"))
  const keys = new Set(items.map(({ entered }) => entered.message))
  const observed = items
    .flatMap(({ entered, seq }) =>
      entered.observation === undefined ? [] : [{ seq, observation: entered.observation }]
    )
    .sort((a, b) => a.seq - b.seq)
  const newer = superseded(observed)
  const written = invalidated(observed)
  const found = new Map<Seq, Stale>()
  for (const { entered, form, seq } of items) {
    const by = written.get(seq)
    const isCarried = form._tag === "Whole" || form._tag === "Bounded"
    if (by === undefined || newer.has(seq) || keys.has(messageOf(by))) continue
    if (isCarried && entered.observation?.target !== undefined) found.set(by, { seq, by, entered })
  }
  return [...found.values()]
}

const FRESH = { kind: "read", covers: { _tag: "All" }, classifier: "refresh" } as const

const messageOf = (by: Seq): string => `refresh-${by}`

const gated = (step: Step, target: string, of: Seq, verdict: Verdict): Gated => ({
  _tag: "Gated",
  step,
  act: "read",
  target: canonical("read", target),
  of,
  purpose: "refresh",
  verdict
})

const notice = (target: string, by: Seq, what: string): string => `[${target} was changed by the write @${by}: ${what}]`

const lacking = (contents: Exclude<Contents, { readonly _tag: "Text" }>): string => {
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

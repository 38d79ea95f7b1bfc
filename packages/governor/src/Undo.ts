/**
 * Undoing: the epochs of a run, and what it would cost to have back what one of them took. The price is told before anything
 * is done; the restoration itself is a rewrite with a cause of its own (law 6), made before the next request.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { standard } from "@palimpsest/budget/Price"
import type { Command, Entries } from "@palimpsest/compaction/Command"
import type { Cause, Decided, Worth } from "@palimpsest/compaction/Decision"
import { isWhole } from "@palimpsest/compaction/Form"
import { ruleOf } from "@palimpsest/compaction/Reasoning"
import * as Restoration from "@palimpsest/compaction/Restoration"
import * as Transcript from "@palimpsest/compaction/Transcript"
import type { Broken, Head } from "@palimpsest/ledger/Event"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { standing } from "./Command.ts"
import { isGoverned } from "./Config.ts"
import type { UnknownFact } from "./Fact.ts"
import * as Log from "./Log.ts"
import type { Run } from "./Runs.ts"
import * as Session from "./Session.ts"
import { cachedIn } from "./Written.ts"

/**
 * An epoch: its number in the run (from 1), the decision that began it, the request that showed it first, its cause, and how
 * many entries it was the one to leave out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Epoch {
  readonly epoch: number
  readonly decided: Seq
  readonly request: number
  readonly cause: Cause
  readonly elided: number
  readonly worth: Worth | undefined
}

/**
 * What a restoration costs. `adds` is in managed tokens of every later request; `worth` is as a decision records it:
 * `rebills` tokens once, and a negative saving in tokens of uncached input over the requests that are expected.
 *
 * @since 0.1.0
 * @category models
 */
export interface Priced {
  readonly entries: readonly [Entries, ...ReadonlyArray<Entries>]
  readonly count: number
  readonly adds: number
  readonly worth: Worth
}

/**
 * The run has no epoch of this number, or nothing of it can come back.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoEpoch extends Data.TaggedError("NoEpoch")<{
  readonly run: string
  readonly epoch: number
  readonly why: string
}> {
  override get message(): string {
    return `${this.run}, epoch ${this.epoch}: ${this.why}`
  }
}

/**
 * The epochs of a run, in order.
 *
 * @since 0.1.0
 * @category reading
 */
export const epochs = (
  hash: Hasher,
  run: Pick<Run, "config" | "log" | "tree">
): Effect.Effect<ReadonlyArray<Epoch>, Broken | UnknownFact | StoreError, EventStore> =>
  Effect.map(decisions(hash, run), (all) =>
    all.map(({ fact, seq, took }, i): Epoch => ({
      epoch: i + 1,
      decided: seq,
      request: fact.step,
      cause: fact.epoch,
      elided: took.length,
      worth: fact.worth
    }))
  )

/**
 * The command that undoes an epoch, and what that costs now.
 *
 * @since 0.1.0
 * @category pricing
 */
export const priced = (
  hash: Hasher,
  run: Run,
  epoch: number
): Effect.Effect<
  { readonly command: Command & { readonly _tag: "Undo" }; readonly price: Priced; readonly head: Head },
  Broken | NoEpoch | UnknownFact | StoreError,
  EventStore
> =>
  Effect.gen(function* () {
    const no = (why: string) => new NoEpoch({ run: run.log, epoch, why })
    const all = yield* decisions(hash, run)
    const found = all[epoch - 1]
    if (found === undefined) return yield* no(`there is none; the run has had ${all.length}`)
    const { head, session } = yield* standing(hash, run)
    const took = new Set(found.took)
    const price = priceOf(session, (seq) => took.has(seq))
    if (price === undefined) return yield* no("nothing that it left out is out of the view now, or can come back")
    return { command: { _tag: "Undo", epoch, entries: price.entries }, price, head }
  })

/**
 * What it costs to have entries back whole; undefined where none of them is left out, or can come back.
 *
 * @since 0.1.0
 * @category pricing
 */
export const priceOf = (session: Session.Session, isWanted: (seq: Seq) => boolean): Priced | undefined => {
  const { config, requests, view } = session
  if (!isGoverned(config) || view._tag !== "Transcript") return undefined
  const { transcript, written } = view
  const changes = Restoration.back(transcript, isWanted, ruleOf(config.model))
  if (changes.length === 0) return undefined
  const decided: Decided = { _tag: "Decided", step: 0 as Decided["step"], changes }
  const now = Transcript.evolve(transcript, [{ _tag: "Decided", decided }])
  const whole = wholeIn(now)
  const seqs = elidedIn(session).filter((seq) => isWanted(seq) && whole.has(seq))
  const [first, ...more] = Restoration.rangesOf(seqs)
  if (first === undefined) return undefined
  const cached = cachedIn(written.parts, transcript.messages)
  return {
    entries: [first, ...more],
    count: seqs.length,
    adds: now.tokens - transcript.tokens,
    worth: Restoration.worth(transcript, now, { cached, prices: standard, step: requests + 1 })
  }
}

const wholeIn = ({ messages }: Transcript.Transcript): ReadonlySet<Seq> =>
  new Set(
    messages.flatMap(({ items }) =>
      items.flatMap((item) => (item._tag === "Entry" && isWhole(item.form) ? [item.seq] : []))
    )
  )

interface Rewritten {
  readonly seq: Seq
  readonly fact: Decided & { readonly epoch: Cause }
  readonly took: ReadonlyArray<Seq>
}

/** The decisions that began epochs, each with the entries that it was the one to leave out. */
const decisions = (
  hash: Hasher,
  { config, log, tree }: Pick<Run, "config" | "log" | "tree">
): Effect.Effect<ReadonlyArray<Rewritten>, Broken | UnknownFact | StoreError, EventStore> => {
  const all: Array<Rewritten> = []
  return Effect.as(
    Log.fold(hash, log, Session.make(tree, log, config), (session, { fact, seq }) =>
      Effect.sync(() => {
        const after = Session.record(session, fact)
        if (fact._tag !== "Decided" || fact.epoch === undefined) return after
        const [before, now] = [Session.fold(session), Session.fold(after)]
        const left = new Set(elidedIn(before))
        const took = elidedIn(now).filter((one) => !left.has(one))
        all.push({ seq, fact: { ...fact, epoch: fact.epoch }, took })
        return now
      })
    ),
    all
  )
}

const elidedIn = ({ view }: Session.Session): ReadonlyArray<Seq> =>
  view._tag === "Section"
    ? []
    : view.transcript.messages.flatMap(({ hidden, items }) => [
        ...items.flatMap((item) => (item._tag === "Entry" && Restoration.isElided(item.form) ? [item.seq] : [])),
        ...hidden.map(({ seq }) => seq)
      ])

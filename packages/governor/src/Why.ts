/**
 * Why an entry stands in the view as it does: the decision that gave it its form, what made that decision, what it was worth,
 * what was known of the entry then, and what stands in its place. Read from the log alone; nothing is planned (law 7), and
 * every elision that is explained names the address where the entry is whole (law 4).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { classesOf } from "@palimpsest/compaction/Classes"
import type { Cause, Decided, Worth } from "@palimpsest/compaction/Decision"
import { isHiding, putOf, type Form, type Why as Reason } from "@palimpsest/compaction/Form"
import * as Orders from "@palimpsest/compaction/Orders"
import { isElided } from "@palimpsest/compaction/Restoration"
import type { Splice } from "@palimpsest/compaction/Splice"
import type { Message } from "@palimpsest/compaction/Transcript"
import { format } from "@palimpsest/ledger/Address"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { pinnedIn } from "./internal/ordered.ts"
import * as Log from "./Log.ts"
import { NoSuchEntry } from "./Recall.ts"
import type { Run, RunError } from "./Runs.ts"
import * as Session from "./Session.ts"

/**
 * What a decision knew of an entry: what shows its subject since, what changed it, what holds the same bytes; or only that
 * it grew old, or was the model's own words.
 *
 * @since 0.1.0
 * @category models
 */
export type Class =
  | { readonly class: "spent"; readonly how: "superseded" | "invalidated" | "duplicated"; readonly by: Seq }
  | { readonly class: "spent"; readonly how: "consumed" | "unbound"; readonly by?: never }
  | { readonly class: "needed"; readonly how: "large" | "aged" | "refused" | "own words"; readonly by?: never }

/**
 * Why an entry stands as it does.
 *
 * - `Whole`: as it is; `restored` is the decision that brought it back, where one did.
 * - `Elided`: `decided` is the seq of the decision that left it out, `epoch` the number of the epoch that it began; `form` and
 *   `put` are what stands in its place now (ranges of the entry as `<@41 bytes 0-120>`), since the decision `renewed` where
 *   that is another one; `stands` is how many entries these words stand for.
 * - `Gone`: the client dropped or blanked it, at the event `by`; or it answers a call that the view does not have.
 *
 * @since 0.1.0
 * @category models
 */
export type Standing =
  | { readonly _tag: "Whole"; readonly restored: Seq | undefined }
  | {
      readonly _tag: "Elided"
      readonly form: Form["_tag"]
      readonly decided: Seq
      readonly renewed: Seq | undefined
      readonly request: number
      readonly epoch: number | undefined
      readonly cause: Cause | "entry"
      readonly worth: Worth | undefined
      readonly class: Class
      readonly put: string
      readonly stands: number
      readonly rest: string
    }
  | { readonly _tag: "Gone"; readonly how: "dropped" | "blanked" | "unpaired"; readonly by: Seq | undefined }

/**
 * An entry, how it stands in the newest view, and what keeps it there: `pinned` by the command of this seq, by an undo
 * (only a ceiling takes it again), by the configuration, or by law, as what the user and the system prompt said is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Explained {
  readonly address: string
  readonly entered: Entered
  readonly standing: Standing
  readonly pinned: Pinned | undefined
}

/** @since 0.1.0 */
export type Pinned =
  | { readonly by: "command" | "undo"; readonly seq: Seq }
  | { readonly by: "configuration" | "law"; readonly seq?: never }

/**
 * Explains one entry of a run.
 *
 * @since 0.1.0
 * @category explaining
 */
export const why = (hash: Hasher, run: Run, seq: Seq): Effect.Effect<Explained, NoSuchEntry | RunError, EventStore> =>
  Effect.gen(function* () {
    const address = `${run.log}${format({ seq })}`
    const read = yield* Log.factAt(hash, run.log, seq)
    if (Option.isNone(read)) return yield* new NoSuchEntry({ address, why: `${run.log} has no event ${seq}` })
    const { fact } = read.value
    if (fact._tag !== "Entered") {
      return yield* new NoSuchEntry({ address, why: `event ${seq} is ${fact._tag}, not an entry` })
    }
    const { state } = yield* Log.fold(hash, run.log, start(run), (known, next) =>
      Effect.succeed(heard(known, next, seq))
    )
    const session = Session.fold(state.session)
    return {
      address,
      entered: fact,
      standing: standingOf(session, state, fact, seq),
      pinned: pinnedOf(session, fact, seq)
    }
  })

interface Known {
  readonly session: Session.Session
  readonly epochs: number
  readonly first: Changed | undefined
  readonly last: Changed | undefined
  readonly gone: (Standing & { readonly _tag: "Gone" }) | undefined
}

interface Changed {
  readonly seq: Seq
  readonly fact: Decided
  readonly epoch: number | undefined
  readonly form: Form
  readonly class: Class
}

const start = ({ config, log, tree }: Run): Known => ({
  session: Session.make(tree, log, config),
  epochs: 0,
  first: undefined,
  last: undefined,
  gone: undefined
})

const heard = (known: Known, { fact, seq }: Log.Read, of: Seq): Known => {
  const session = Session.record(known.session, fact)
  switch (fact._tag) {
    case "Decided": {
      const epochs = known.epochs + (fact.epoch === undefined ? 0 : 1)
      const change = fact.changes.findLast(({ entries: [from, to] }) => from <= of && of <= to)
      if (change === undefined || change.form._tag === "Closed") return { ...known, session, epochs }
      const { form } = change
      const epoch = fact.epoch === undefined ? undefined : epochs
      const last = { seq, fact, epoch, form, class: classOf(Session.fold(known.session), form, of) }
      const isAgain = known.first !== undefined && isElided(form)
      return { ...known, session, epochs, last, first: isElided(form) ? (isAgain ? known.first : last) : undefined }
    }
    case "Restarted": {
      if (seq < of || known.gone?.how === "dropped") return { ...known, session }
      if (!fact.keeps.includes(of)) return { ...known, session, gone: { _tag: "Gone", how: "dropped", by: seq } }
      const isBack = known.last !== undefined && isHiding(known.last.form)
      return isBack ? { ...known, session, first: undefined, last: undefined } : { ...known, session }
    }
    case "Cleared":
      return fact.entries.includes(of)
        ? { ...known, session, gone: { _tag: "Gone", how: "blanked", by: seq } }
        : { ...known, session }
    default:
      return { ...known, session }
  }
}

/** The form says why where it knows; else what the view knew of the entry before it was decided. */
const classOf = (before: Session.Session, form: Form, seq: Seq): Class => {
  if (form._tag === "Pointer") return { class: "spent", how: "duplicated", by: form.to }
  if ("why" in form && form.why._tag !== "Aged") return reasonOf(form.why)
  if (form._tag === "Bounded") return { class: "needed", how: "large" }
  if (form._tag === "Fold") return { class: "needed", how: "own words" }
  if (before.view._tag === "Section") return { class: "needed", how: "aged" }
  const { invalidated, superseded } = classesOf(before.view.transcript)
  const newer = superseded.get(seq)
  if (newer !== undefined) return { class: "spent", how: "superseded", by: newer }
  const write = invalidated.get(seq)
  return write === undefined ? { class: "needed", how: "aged" } : { class: "spent", how: "invalidated", by: write }
}

const reasonOf = (why: Reason): Class => {
  switch (why._tag) {
    case "Superseded":
    case "Invalidated":
      return { class: "spent", how: why._tag === "Superseded" ? "superseded" : "invalidated", by: why.by }
    case "Duplicated":
      return { class: "spent", how: "duplicated", by: why.of }
    case "Consumed":
      return { class: "spent", how: "consumed" }
    case "Unbound":
      return { class: "spent", how: "unbound" }
    case "Refused":
      return { class: "needed", how: "refused" }
    case "Aged":
      return { class: "needed", how: "aged" }
  }
}

const standingOf = (session: Session.Session, { first, gone, last }: Known, { part }: Entered, seq: Seq): Standing => {
  if (gone !== undefined) return gone
  if (part._tag === "Result" && Session.shown(session, seq) === undefined) {
    return { _tag: "Gone", how: "unpaired", by: undefined }
  }
  if (last === undefined || !isElided(last.form)) return { _tag: "Whole", restored: last?.seq }
  const { class: known, epoch, fact, seq: decided } = first ?? last
  const { form } = last
  const put = putIn(session, form, seq)
  return {
    _tag: "Elided",
    form: form._tag,
    decided,
    renewed: last.seq === decided ? undefined : last.seq,
    request: fact.step,
    epoch,
    cause: fact.epoch ?? "entry",
    worth: fact.worth,
    class: known,
    put: wordsOf(put.put),
    stands: put.stands,
    rest: `${session.log}${format({ seq })}`
  }
}

/** What stands for an entry: the put of its own form, or the words that it is hidden under. */
const putIn = ({ view }: Session.Session, form: Form, seq: Seq): { readonly put: Splice; readonly stands: number } => {
  if (view._tag === "Transcript" && isHiding(form)) {
    const under = view.transcript.messages.find(({ hidden }) => hidden.some((one) => one.seq === seq))
    const words = under === undefined ? undefined : saidBy(under)
    return { put: words ?? [], stands: under === undefined || words === undefined ? 1 : under.hidden.length }
  }
  return { put: putOf(form) ?? [], stands: 1 }
}

const saidBy = ({ items: [first] }: Message): Splice | undefined => (first._tag === "Words" ? first.put : undefined)

const wordsOf = (put: Splice): string =>
  put
    .map((piece) =>
      typeof piece === "string" ? piece : `<${format(piece.of)} bytes ${piece.bytes[0]}-${piece.bytes[1]}>`
    )
    .join("")

const pinnedOf = (session: Session.Session, entered: Entered, seq: Seq): Pinned | undefined => {
  const pin = Orders.pinOf(session.orders, seq)
  if (pin !== undefined) return { by: "command", seq: pin.by }
  if (pinnedIn(session)({ _tag: "Entry", seq, entered, form: { _tag: "Whole" } })) return { by: "configuration" }
  const keep = Orders.keepOf(session.orders, seq)
  if (keep !== undefined) return { by: "undo", seq: keep.by }
  return entered.observation === undefined && (entered.role === "user" || entered.role === "system") && isSaid(entered)
    ? { by: "law" }
    : undefined
}

const isSaid = ({ part }: Entered): boolean => part._tag === "Text" || part._tag === "Media"

/**
 * What this preset has to know of a run beside its view, as a fold of the run's facts: a restart folds the same facts to
 * the same state, and decides the same next (CA-W6 mended; law 7).
 *
 *     Entered ─> arrived ── Decided without an epoch: how each was admitted ─┬─> settled: copies, inflow, what is spent
 *                                                                            │
 *                           Decided with one: what was shortened, and where it is kept; Requested ┘
 *
 * 1. No text is read: a result is known by the digests of its blocks, and a path by its place in a decision.
 * 2. Keys are addresses (`@41`), so no two bodies share a path (CA-W7 mended in the names).
 * 3. The workspace changed where a turn brought the result of a write that did not fail. A change that only a shell made
 *    is not seen: a log has no snapshot of the files around it, as the seed has.
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import { format } from "@palimpsest/ledger/Address"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import { bodiesOf } from "@palimpsest/ledger/Part"
import type { Change, Decided } from "../Decision.ts"
import { putOf, type Form } from "../Form.ts"
import * as Decayer from "./Decayer.ts"
import * as Observations from "./Observations.ts"
import { pathIn } from "./Put.ts"
import { bytesIn, sized } from "./Sized.ts"

/**
 * `decayer` is keyed by address, and its `consumedFrom` is a seq. `observations` hold no labels. `arrived` came since the
 * last request, in the order of the log.
 *
 * @since 0.1.0
 * @category models
 */
export interface History extends Observations.Places {
  readonly arrived: ReadonlyArray<Arrived>
}

/**
 * A result or a word of the assistant, and the form in which it was admitted: whole, if none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Arrived {
  readonly seq: Seq
  readonly entered: Entered
  readonly form: Form | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: History = { decayer: Decayer.empty, observations: Observations.empty, arrived: [] }

/**
 * The key of an entry.
 *
 * @since 0.1.0
 * @category names
 */
export const keyOf = (seq: Seq): string => format({ seq })

/**
 * What a result is known again by; undefined where it is never addressed (CA-24): errors, media, calls without an id.
 *
 * @since 0.1.0
 * @category accessors
 */
export const identityOf = ({ part }: Entered): string | undefined =>
  part._tag !== "Result" ||
  part.status !== "ok" ||
  part.call === "" ||
  part.blocks.some(({ encoding }) => encoding === "bytes")
    ? undefined
    : part.blocks.map(({ digest }) => digest).join("+")

/**
 * The bytes of an entry's text, as it is or in a form.
 *
 * @since 0.1.0
 * @category sizes
 */
export const bytesOfEntry = (entered: Entered, form: Form | undefined): number => {
  const put = form === undefined ? undefined : putOf(form)
  if (put !== undefined) return bytesIn(put)
  return bodiesOf(entered.part).reduce((sum, { encoding, size }) => sum + (encoding === "bytes" ? 0 : size.bytes), 0)
}

/**
 * An entry came.
 *
 * @since 0.1.0
 * @category folding
 */
export const entered = (history: History, seq: Seq, entry: Entered): History =>
  entry.part._tag === "Result" || entry.role === "assistant"
    ? { ...history, arrived: [...history.arrived, { seq, entered: entry, form: undefined }] }
    : history

/**
 * A decision: how what came is admitted, or, with an epoch of ours, what is shortened after that.
 *
 * @since 0.1.0
 * @category folding
 */
export const decided = (history: History, { changes, epoch }: Decided): History => {
  if (epoch !== undefined) return changes.reduce(changed, settled(history))
  const forms = new Map(changes.map(({ entries: [seq], form }) => [seq, form]))
  return {
    ...history,
    arrived: history.arrived.map((one) => (forms.has(one.seq) ? { ...one, form: forms.get(one.seq) } : one))
  }
}

/**
 * A request was made or refused: what came before it is settled.
 *
 * @since 0.1.0
 * @category folding
 */
export const settled = (history: History): History => {
  const { arrived } = history
  if (arrived.length === 0) return history
  let places: Observations.Places = history
  let inflow = 0
  for (const one of arrived) {
    if (one.entered.part._tag !== "Result") continue
    inflow += bytesOfEntry(one.entered, one.form)
    places = admitted(places, one)
  }
  const answer = arrived.find(({ entered: { role } }) => role === "assistant")
  let { decayer } = places
  if (answer !== undefined) decayer = Decayer.observe(decayer, inflow)
  if (answer !== undefined && arrived.some(isWrite)) decayer = Decayer.actedPast(decayer, answer.seq)
  return { decayer, observations: places.observations, arrived: [] }
}

/**
 * The client began its history anew, or blanked results: what is no longer there is not pointed at.
 *
 * @since 0.1.0
 * @category folding
 */
export const keeping = (history: History, isKept: (seq: Seq) => boolean): History => {
  const keys = new Set<string>()
  for (const [, { key }] of history.observations) {
    const seq = seqOf(key)
    if (seq !== undefined && isKept(seq)) keys.add(key)
  }
  return {
    ...history,
    observations: HashMap.filter(history.observations, ({ key }) => keys.has(key)),
    arrived: history.arrived.filter(({ seq }) => isKept(seq))
  }
}

const admitted = (places: Observations.Places, { entered, form, seq }: Arrived): Observations.Places => {
  const identity = identityOf(entered)
  if (identity === undefined) return places
  if (form?._tag === "Pointer") {
    const path = pathIn(form.put)
    const copy = Observations.copyOf(places, identity)
    return path === undefined || copy === undefined ? places : Observations.pointedAt(places, identity, copy, path)
  }
  const here = { turn: entered.step, key: keyOf(seq), label: UNREAD, path: undefined }
  return form === undefined ? Observations.remembered(places, identity, here) : places
}

const changed = (history: History, { entries: [seq], form }: Change): History => {
  const { decayer } = history
  switch (form._tag) {
    case "Stub": {
      const path = pathIn(form.put)
      const key = keyOf(seq)
      return { ...history, decayer: Decayer.retire(Decayer.inherit(decayer, key, path), key, path) }
    }
    case "Whole":
      return { ...history, decayer: { ...decayer, spilled: HashMap.remove(decayer.spilled, keyOf(seq)) } }
    default:
      return history
  }
}

const isWrite = ({ entered: { observation, part } }: Arrived): boolean =>
  part._tag === "Result" && part.status === "ok" && observation?.kind === "write"

const seqOf = (key: string): Seq | undefined => {
  const seq = Number(key.slice(1))
  return Number.isInteger(seq) ? (seq as Seq) : undefined
}

/** Labels take the text of a call's arguments, which a fold does not read. */
const UNREAD = sized("")

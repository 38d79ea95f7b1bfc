/**
 * The ledger: the entries of a run, in order, as a cheap persistent value.
 *
 *     value of length 2 ──┐
 *     value of length 5 ──┴─> shared, append-only columns [ . . . . . ]  <- the newest value owns the indexes
 *
 * 1. Appending leaves the old value as it was (law 1): a value is columns and a length, and never reads beyond it.
 * 2. The observations in order are the full log; steps never decrease, so the steps in order are it too (law 2, IO-08).
 * 3. Appending to the newest value costs what is new. Appending to an older one is a fork: it copies.
 * 4. No text is held: a position is about 40 bytes, and bodies lie in a store (law 2, DESIGN section 4).
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Columns, Interned, NO_KIND, NO_NAME, type Row } from "./internal/Columns.ts"
import type { Seq, Step } from "./Ids.ts"
import { KINDS, type Coverage, type Kind, type Observation } from "./Observation.ts"

/**
 * An entry as the ledger indexes it. `scalars` counts Unicode scalar values of its text. What a user or the system
 * prompt said has no observation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly seq: Seq
  readonly step: Step
  readonly scalars: number
  readonly observation?: Observation | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Ledger {
  readonly length: number
  /** Internal: the shared columns. */
  readonly columns: Columns
}

/**
 * An entry that cannot stand behind the last one: its seq does not rise, or its step falls.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutOfOrder extends Data.TaggedError("OutOfOrder")<{
  readonly field: "seq" | "step"
  readonly last: number
  readonly given: number
}> {
  override get message(): string {
    return `${this.field} ${this.given} cannot stand behind ${this.field} ${this.last}`
  }
}

/**
 * A ledger without entries.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty = (): Ledger => ({ length: 0, columns: new Columns(new Interned()) })

/**
 * A ledger with one more entry. The given value stays as it is.
 *
 * @since 0.1.0
 * @category combinators
 */
export const append = (ledger: Ledger, entry: Entry): Either.Either<Ledger, OutOfOrder> => {
  const at = ledger.length
  if (at > 0) {
    const last = ledger.columns.seq[at - 1]!
    const step = ledger.columns.step[at - 1]!
    if (entry.seq <= last) return Either.left(new OutOfOrder({ field: "seq", last, given: entry.seq }))
    if (entry.step < step) return Either.left(new OutOfOrder({ field: "step", last: step, given: entry.step }))
  }
  const columns = ledger.columns.length === at ? ledger.columns : ledger.columns.copy(at)
  columns.push(rowOf(columns, entry))
  return Either.right({ length: at + 1, columns })
}

/**
 * The entry at a position (0-based). Undefined beyond the length.
 *
 * @since 0.1.0
 * @category accessors
 */
export const at = (ledger: Ledger, position: number): Entry | undefined => {
  if (position < 0 || position >= ledger.length) return undefined
  const { columns } = ledger
  return {
    seq: columns.seq[position]! as Seq,
    step: columns.step[position]! as Step,
    scalars: columns.scalars[position]!,
    observation: observationAt(columns, position)
  }
}

/**
 * The position of a seq, by binary search.
 *
 * @since 0.1.0
 * @category accessors
 */
export const positionOf = (ledger: Ledger, seq: Seq): Option.Option<number> => {
  let low = 0
  let high = ledger.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = ledger.columns.seq[middle]!
    if (found === seq) return Option.some(middle)
    if (found < seq) low = middle + 1
    else high = middle - 1
  }
  return Option.none()
}

/**
 * The newest observation of a subject. The newest value answers at once; an older one rebuilds its own index.
 *
 * @since 0.1.0
 * @category indexes
 */
export const lastOf = (ledger: Ledger, subject: string): Option.Option<number> =>
  lookup(ledger, subject, (columns) => columns.lastBySubject)

/**
 * The newest write to a subject.
 *
 * @since 0.1.0
 * @category indexes
 */
export const lastWriteTo = (ledger: Ledger, subject: string): Option.Option<number> =>
  lookup(ledger, subject, (columns) => columns.lastWrite)

/**
 * The sum of the scalar values of all observations: divide once to estimate tokens.
 *
 * @since 0.1.0
 * @category sizes
 */
export const observedScalars = (ledger: Ledger): number => ownColumns(ledger).observedScalars

/**
 * The full log: the texts of all observations, in order, with nothing between them (IO-07). `read` gives the text at a
 * position, whole, whatever a view shows of it.
 *
 * @since 0.1.0
 * @category texts
 */
export const fullText = (ledger: Ledger, read: (position: number) => string): string =>
  join(ledger, 0, ledger.length, read)

/**
 * The log of one step: "" where the step observed nothing (IO-08). Steps never decrease, so a step is a range.
 *
 * @since 0.1.0
 * @category texts
 */
export const textForStep = (ledger: Ledger, step: number, read: (position: number) => string): string =>
  join(ledger, firstAtOrAfter(ledger, step), firstAtOrAfter(ledger, step + 1), read)

/**
 * The steps that have entries, ascending.
 *
 * @since 0.1.0
 * @category accessors
 */
export const steps = (ledger: Ledger): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let i = 0; i < ledger.length; i = firstAtOrAfter(ledger, found.at(-1)! + 1)) found.push(ledger.columns.step[i]!)
  return found
}

const rowOf = (columns: Columns, entry: Entry): Row => {
  const { observation } = entry
  const name = (text: string | undefined) => (text === undefined ? NO_NAME : columns.names.number(text))
  const lines = observation?.covers._tag === "Lines" ? observation.covers : undefined
  return {
    seq: entry.seq,
    step: entry.step,
    kind: observation === undefined ? NO_KIND : KINDS.indexOf(observation.kind) + 1,
    target: name(observation?.target),
    subject: name(observation?.subject),
    from: lines?.from ?? 0,
    to: lines?.to ?? 0,
    classifier: name(observation?.classifier),
    scalars: entry.scalars
  }
}

const observationAt = (columns: Columns, position: number): Observation | undefined => {
  const kind: Kind | undefined = KINDS[columns.kind[position]! - 1]
  if (kind === undefined) return undefined
  const target = columns.names.text(columns.target[position]!)
  const subject = columns.names.text(columns.subject[position]!)
  const from = columns.from[position]!
  const covers: Coverage = from === 0 ? { _tag: "All" } : { _tag: "Lines", from, to: columns.to[position]! }
  return {
    kind,
    ...(target === undefined ? {} : { target }),
    ...(subject === undefined ? {} : { subject }),
    covers,
    classifier: columns.names.text(columns.classifier[position]!) ?? ""
  }
}

const lookup = (
  ledger: Ledger,
  subject: string,
  index: (columns: Columns) => ReadonlyMap<number, number>
): Option.Option<number> => {
  const number = ledger.columns.names.known(subject)
  return number === undefined ? Option.none() : Option.fromNullable(index(ownColumns(ledger)).get(number))
}

const ownColumns = (ledger: Ledger): Columns => {
  if (ledger.columns.length === ledger.length) return ledger.columns
  const known = rebuilt.get(ledger)
  if (known !== undefined) return known
  const own = ledger.columns.copy(ledger.length)
  rebuilt.set(ledger, own)
  return own
}

const rebuilt = new WeakMap<Ledger, Columns>()

const firstAtOrAfter = (ledger: Ledger, step: number): number => {
  let low = 0
  let high = ledger.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ledger.columns.step[middle]! < step) low = middle + 1
    else high = middle
  }
  return low
}

const join = (ledger: Ledger, from: number, to: number, read: (position: number) => string): string => {
  let text = ""
  for (let i = from; i < to; i++) if (ledger.columns.kind[i] !== NO_KIND) text += read(i)
  return text
}

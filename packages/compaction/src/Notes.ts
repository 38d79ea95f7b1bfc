/**
 * The notes that a workspace keeps: what an agent wrote down for later runs, by key, the oldest first. `put`, `remove` and
 * `clear` say which facts to append; `evolve` over those facts is all that changes the notes.
 *
 * 1. At most 64 notes of together 16,000 scalar values; the oldest leave first, never the one just written (IO-42).
 * 2. A value above 2,000 scalar values is shown cut, with a mark. The whole of it stays in its fact (law 2).
 * 3. An overwrite takes the newest place, and the step and run of the one who wrote it.
 * 4. An older value of notes stays as it was (law 1); the same facts give the same notes (law 7).
 *
 * Sizes are of values, in Unicode scalar values. Source: IO-42.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { scalars } from "@palimpsest/budget/Estimate"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import { Step, type LogId, type Seq } from "@palimpsest/ledger/Ids"
import { NoteKey, type Noted, type NoteFact, type Unnoted } from "./NoteFact.ts"

/**
 * A note as it is kept. `value` is what is shown, `whole` what was written: the same text where it was not too long. `seq`
 * is the place of its fact, `at` the time of that.
 *
 * @since 0.1.0
 * @category models
 */
export interface Note {
  readonly key: string
  readonly value: string
  readonly whole: string
  readonly step: Step
  readonly run?: LogId
  readonly seq: Seq
  readonly at: string
}

/**
 * The notes of one workspace, the oldest first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Notes {
  readonly kept: ReadonlyArray<Note>
}

/**
 * Who acts: a run in one of its steps; or a person, who has no run, and step 0.
 *
 * @since 0.1.0
 * @category models
 */
export type By = Pick<Noted, "step" | "run">

/**
 * A fact with its place and time in the log.
 *
 * @since 0.1.0
 * @category models
 */
export interface Happened {
  readonly seq: Seq
  readonly at: string
  readonly fact: NoteFact
}

/**
 * A note that cannot be kept: its key is empty, longer than 200 scalar values, or half a character; or its value is no
 * well-formed Unicode. Nothing was written.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadNote extends Data.TaggedError("BadNote")<{ readonly field: "key" | "value"; readonly why: string }> {
  override get message(): string {
    return `the ${this.field} of a note: ${this.why}`
  }
}

/**
 * @since 0.1.0
 * @category constants
 */
export const MOST_NOTES = 64

/**
 * @since 0.1.0
 * @category constants
 */
export const MOST_SCALARS = 16_000

/**
 * @since 0.1.0
 * @category constants
 */
export const MOST_SCALARS_OF_ONE = 2_000

/**
 * What stands at the end of a value that is shown cut.
 *
 * @since 0.1.0
 * @category words
 */
export const CUT = "…[truncated]"

/**
 * @since 0.1.0
 * @category constants
 */
export const PERSON: By = { step: Step.make(0) }

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: Notes = { kept: [] }

/**
 * The notes after one more fact. A fact about a key that is not kept changes nothing.
 *
 * @since 0.1.0
 * @category folding
 */
export const evolve = ({ kept }: Notes, { at, fact, seq }: Happened): Notes => {
  const others = kept.filter(({ key }) => key !== fact.key)
  if (fact._tag === "Unnoted") return { kept: others }
  const { key, run, step, value } = fact
  const note = { key, value: shown(value), whole: value, step, ...(run === undefined ? {} : { run }), seq, at }
  return { kept: [...others, note] }
}

/**
 * The facts that write a note: itself, then what it evicts, the oldest first.
 *
 * @since 0.1.0
 * @category deciding
 */
export const put = (
  { kept }: Notes,
  note: Pick<Noted, "key" | "value"> & By
): Either.Either<readonly [Noted, ...ReadonlyArray<Unnoted>], BadNote> => {
  if (!isKey(note.key)) {
    return Either.left(new BadNote({ field: "key", why: "expected 1 to 200 characters of well-formed Unicode" }))
  }
  if (!isWellFormed(note.value)) {
    return Either.left(new BadNote({ field: "value", why: "expected well-formed Unicode, found half a character" }))
  }
  const { key, run, step, value } = note
  const others = kept.filter((other) => other.key !== key)
  let room = MOST_SCALARS - scalars(shown(value))
  let from = others.length
  while (from > 0 && others.length - from < MOST_NOTES - 1) {
    room -= scalars(others[from - 1]!.value)
    if (room < 0) break
    from--
  }
  const noted: Noted = { _tag: "Noted", step, key, value, ...(run === undefined ? {} : { run }) }
  return Either.right([noted, ...others.slice(0, from).map((old) => unnoted(old.key, "evicted", note))])
}

/**
 * The facts that delete a note: one, or none where no note has the key.
 *
 * @since 0.1.0
 * @category deciding
 */
export const remove = (notes: Notes, key: string, by: By): ReadonlyArray<Unnoted> =>
  get(notes, key) === undefined ? [] : [unnoted(key, "deleted", by)]

/**
 * The facts that delete all notes: as many as there are.
 *
 * @since 0.1.0
 * @category deciding
 */
export const clear = ({ kept }: Notes, by: By): ReadonlyArray<Unnoted> =>
  kept.map(({ key }) => unnoted(key, "cleared", by))

/**
 * The notes, the oldest first.
 *
 * @since 0.1.0
 * @category reading
 */
export const list = ({ kept }: Notes): ReadonlyArray<Note> => kept

/**
 * The note of a key; undefined where none has it.
 *
 * @since 0.1.0
 * @category reading
 */
export const get = ({ kept }: Notes, key: string): Note | undefined => kept.find((note) => note.key === key)

/**
 * Whether a note is shown cut.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isCut = ({ value, whole }: Note): boolean => value !== whole

/**
 * A value as it is shown: whole, or its first scalar values and a mark, together as many as one may have.
 *
 * @since 0.1.0
 * @category reading
 */
export const shown = (value: string): string => {
  if (value.length <= MOST_SCALARS_OF_ONE || scalars(value) <= MOST_SCALARS_OF_ONE) return value
  let end = 0
  for (let left = MOST_SCALARS_OF_ONE - CUT.length; left > 0; left--) end += value.codePointAt(end)! > 0xffff ? 2 : 1
  return value.slice(0, end) + CUT
}

const isKey = Schema.is(NoteKey)

const unnoted = (key: string, why: Unnoted["why"], { run, step }: By): Unnoted => ({
  _tag: "Unnoted",
  step,
  key,
  why,
  ...(run === undefined ? {} : { by: run })
})

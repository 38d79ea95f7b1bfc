/**
 * The notes of a workspace, over the store: read, written, deleted, for any run of that workspace. Each workspace has a log
 * in a tree of its own, named by its key, so that no two see each other's notes (IO-42).
 *
 *     put ─> fold the log ─> facts ─> append, expecting that head ── Conflict ──> fold what is new, and again
 *
 * 1. Nothing is lost: what was overwritten, evicted, deleted or shown cut is read with `at` (laws 1 and 2).
 * 2. A write is decided over the notes as they stand: with many writers the caps hold, and each learns what it evicted.
 *
 * A key is whatever names the workspace; a host on a file system takes the real path of its root.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as NoteBlock from "@palimpsest/compaction/NoteBlock"
import type { NoteFact, Noted } from "@palimpsest/compaction/NoteFact"
import * as Notes from "@palimpsest/compaction/Notes"
import type { Note, NotesBlock } from "@palimpsest/compaction/SectionNotes"
import { encodeText, encodeUtf8 } from "@palimpsest/ledger/Body"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import { EMPTY, type Broken, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type BadAppend, type Conflict, type StoreError } from "@palimpsest/ledger/EventStore"
import { LogId, type Seq, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { isGoverned, type Config } from "./Config.ts"
import { said, type EntryDraft } from "./Draft.ts"
import { draft, type UnknownFact } from "./Fact.ts"
import * as Log from "./Log.ts"

/**
 * The notes of a workspace, and the head of the log that they were folded from.
 *
 * @since 0.1.0
 * @category models
 */
export interface Book {
  readonly notes: Notes.Notes
  readonly head: Head
}

/**
 * What a write did: the note as it is kept, and the keys that it evicted, the oldest first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Written {
  readonly note: Notes.Note
  readonly evicted: ReadonlyArray<string>
}

/** @since 0.1.0 */
export type ReadError = Broken | StoreError | UnknownFact

/** @since 0.1.0 */
export type WriteError = ReadError | BadAppend | Conflict | NotCanonical

/**
 * A book before its log was read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unread: Book = { notes: Notes.empty, head: EMPTY }

/**
 * The log that holds the notes of a workspace, and the tree that it lies in.
 *
 * @since 0.1.0
 * @category names
 */
export const namesOf = (hash: Hasher, workspace: string): { readonly tree: TreeId; readonly log: LogId } => {
  const name = `notes.${hash(encodeText(workspace).bytes).slice(0, 16)}`
  return { tree: TreeId.make(name), log: LogId.make(name) }
}

/**
 * The notes as they stand. `since` is an earlier book of the same workspace: only what is new is read.
 *
 * @since 0.1.0
 * @category reading
 */
export const read = (
  hash: Hasher,
  workspace: string,
  since: Book = unread
): Effect.Effect<Book, ReadError, EventStore> =>
  Effect.map(
    Log.fold(
      hash,
      namesOf(hash, workspace).log,
      since.notes,
      (notes, { event, fact, seq }) => Effect.succeed(evolve(notes, { seq, at: event.at, fact })),
      since.head
    ),
    ({ head, state }) => ({ notes: state, head })
  )

/**
 * The notes, the oldest first.
 *
 * @since 0.1.0
 * @category reading
 */
export const list = (
  hash: Hasher,
  workspace: string
): Effect.Effect<ReadonlyArray<Notes.Note>, ReadError, EventStore> =>
  Effect.map(read(hash, workspace), ({ notes }) => Notes.list(notes))

/**
 * The note of a key.
 *
 * @since 0.1.0
 * @category reading
 */
export const get = (
  hash: Hasher,
  workspace: string,
  key: string
): Effect.Effect<Option.Option<Notes.Note>, ReadError, EventStore> =>
  Effect.map(read(hash, workspace), ({ notes }) => Option.fromNullable(Notes.get(notes, key)))

/**
 * What was written at a place of the workspace's log, kept still or not. None where no note was written there.
 *
 * @since 0.1.0
 * @category reading
 */
export const at = (
  hash: Hasher,
  workspace: string,
  seq: Seq
): Effect.Effect<Option.Option<Noted>, ReadError, EventStore> =>
  Effect.map(
    Log.factAt(hash, namesOf(hash, workspace).log, seq),
    Option.flatMap(({ fact }) => (fact._tag === "Noted" ? Option.some(fact) : Option.none()))
  )

/**
 * The notes as a block of a request of `budget` tokens, for a run whose view has no section: the host puts it where the
 * request begins, once, as its own words.
 *
 * @since 0.1.0
 * @category reading
 */
export const block = (
  hash: Hasher,
  workspace: string,
  budget: number
): Effect.Effect<NotesBlock, ReadError, EventStore> =>
  Effect.map(list(hash, workspace), (notes) => NoteBlock.block(notes, budget))

/**
 * The notes as the first words of a run whose view is a transcript under our own presets: an entry of its own, so that it
 * is sent, stored and replayed as any other (laws 6 and 7). It takes at most a quarter of what is managed. None where there
 * are no notes, and under presets that show notes themselves (`io-harness`) or change nothing (`raw`).
 *
 * @since 0.1.0
 * @category reading
 */
export const opening = (notes: ReadonlyArray<Note>, config: Config): Option.Option<EntryDraft> => {
  if (!isGoverned(config)) return Option.none()
  const { text } = NoteBlock.block(notes, Math.min(config.line, config.ceiling ?? config.line))
  return text === "" ? Option.none() : Option.some(said("user", OPENING, text.trimStart()))
}

/**
 * Writes a note, or writes it anew.
 *
 * @since 0.1.0
 * @category writing
 */
export const put = (
  hash: Hasher,
  workspace: string,
  note: Pick<Noted, "key" | "value"> & Notes.By
): Effect.Effect<Written, WriteError | Notes.BadNote, EventStore> =>
  Effect.flatMap(
    write(hash, workspace, (notes) => Notes.put(notes, note)),
    ({ book, facts }) => {
      const kept = Notes.get(book.notes, note.key)
      if (kept === undefined) return Effect.dieMessage("a note that was just written is never evicted")
      return Effect.succeed({ note: kept, evicted: facts.slice(1).map(({ key }) => key) })
    }
  )

/**
 * Deletes a note. Whether there was one. `by` is who deletes it.
 *
 * @since 0.1.0
 * @category writing
 */
export const remove = (
  hash: Hasher,
  workspace: string,
  key: string,
  by: Notes.By
): Effect.Effect<boolean, WriteError, EventStore> =>
  Effect.map(
    write(hash, workspace, (notes) => Effect.succeed(Notes.remove(notes, key, by))),
    ({ facts }) => facts.length > 0
  )

/**
 * Deletes all notes of a workspace, and says how many there were.
 *
 * @since 0.1.0
 * @category writing
 */
export const clear = (hash: Hasher, workspace: string, by: Notes.By): Effect.Effect<number, WriteError, EventStore> =>
  Effect.map(
    write(hash, workspace, (notes) => Effect.succeed(Notes.clear(notes, by))),
    ({ facts }) => facts.length
  )

/** Decides over the notes as they stand, and appends; where somebody else was first, decides again over what is there now. */
const write = <E>(
  hash: Hasher,
  workspace: string,
  decide: (notes: Notes.Notes) => Effect.Effect<ReadonlyArray<NoteFact>, E>
): Effect.Effect<{ readonly book: Book; readonly facts: ReadonlyArray<NoteFact> }, E | WriteError, EventStore> =>
  Effect.gen(function* () {
    let book = yield* read(hash, workspace)
    for (let tries = 1; ; tries++) {
      const facts = yield* decide(book.notes)
      const appended = yield* Effect.either(append(hash, workspace, book, facts))
      if (appended._tag === "Right") return { book: appended.right, facts }
      // Each conflict is another writer's success, so a writer is not kept waiting for ever; but it says when it gives up.
      if (appended.left._tag !== "Conflict" || tries === MOST_TRIES) return yield* appended.left
      book = yield* read(hash, workspace, book)
    }
  }).pipe(Effect.withSpan("NoteBook.write"))

const append = (
  hash: Hasher,
  workspace: string,
  { head, notes }: Book,
  facts: ReadonlyArray<NoteFact>
): Effect.Effect<Book, BadAppend | Conflict | NotCanonical | StoreError, EventStore> =>
  Effect.gen(function* () {
    const time = DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
    const drafts = yield* Effect.forEach(facts, (fact, i) => draft(String(head.seq + 1 + i), time, fact))
    const [first, ...rest] = drafts
    if (first === undefined) return { notes, head }
    const { log, tree } = namesOf(hash, workspace)
    const { writes } = yield* (yield* EventStore).append({
      id: `${log}:${head.seq + 1}:${hash(encodeUtf8(JSON.stringify([head.digest, drafts]))).slice(0, 16)}`,
      tree,
      writes: [{ log, expected: { _tag: "Head", digest: head.digest }, drafts: [first, ...rest] }]
    })
    const after = facts.reduce(
      (state, fact, i) => Notes.evolve(state, { seq: (head.seq + 1 + i) as Seq, at: time, fact }),
      notes
    )
    return { notes: after, head: writes[0]?.head ?? head }
  })

const evolve = (
  notes: Notes.Notes,
  happened: { readonly seq: Seq; readonly at: string; readonly fact: Log.Read["fact"] }
) =>
  happened.fact._tag === "Noted" || happened.fact._tag === "Unnoted"
    ? Notes.evolve(notes, { ...happened, fact: happened.fact })
    : notes

const MOST_TRIES = 64
/** The message that the notes are. */
const OPENING = "notes"

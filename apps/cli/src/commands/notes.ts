/** `notes`: what agents wrote down over a workspace for later runs, and what a person adds or takes away. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { realpathSync, statSync } from "node:fs"
import { quoted } from "@palimpsest/compaction/NoteBlock"
import { isCut, PERSON, type Note } from "@palimpsest/compaction/Notes"
import * as NoteBook from "@palimpsest/governor/NoteBook"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import { Seq } from "@palimpsest/ledger/Ids"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { failed, fromError, unusable, type Failure } from "../Failure.ts"
import * as Output from "../Output.ts"

const shared = {
  db: Database.option,
  json: Output.json,
  workspace: Options.text("workspace").pipe(
    Options.withPseudoName("KEY"),
    Options.withDescription("a folder, or the key of a workspace; default the folder that one stands in"),
    Options.optional
  )
}

const keyArg = Args.text({ name: "KEY" })

const list = Command.make("list", shared, ({ db, json, workspace }) =>
  Effect.gen(function* () {
    const key = yield* workspaceKey(workspace)
    const notes = yield* NoteBook.list(hash, key)
    yield* Output.line(json ? JSON.stringify({ workspace: key, notes: notes.map(valueOf) }) : listed(notes))
  }).pipe(over(db, "read"))
).pipe(Command.withDescription("list the notes, the oldest first"))

const get = Command.make(
  "get",
  {
    key: keyArg.pipe(Args.optional),
    at: Options.integer("at").pipe(
      Options.withPseudoName("SEQ"),
      Options.withDescription("what was written there, overwritten, evicted and deleted notes too"),
      Options.optional
    ),
    ...shared
  },
  ({ at, db, json, key, workspace }) =>
    Effect.gen(function* () {
      const where = yield* workspaceKey(workspace)
      const note = yield* found(where, key, at)
      if (json) return yield* Output.line(JSON.stringify({ workspace: where, note: valueOf(note) }))
      yield* Output.write(note.value)
    }).pipe(over(db, "read"))
).pipe(Command.withDescription("write one note, whole, to standard output"))

const put = Command.make(
  "put",
  { key: keyArg, value: Args.text({ name: "VALUE" }), ...shared },
  ({ db, json, key, value, workspace }) =>
    Effect.gen(function* () {
      const where = yield* workspaceKey(workspace)
      const { evicted, note } = yield* NoteBook.put(hash, where, { key, value, ...PERSON })
      if (json) return yield* Output.line(JSON.stringify({ workspace: where, note: valueOf(note), evicted }))
      yield* Output.line(`noted ${quoted(key)}${isCut(note) ? "; it is long, and will be shown cut" : ""}`)
      if (evicted.length > 0) yield* Output.note(`evicted, as the oldest: ${evicted.map(quoted).join(", ")}`)
    }).pipe(over(db, "write"))
).pipe(Command.withDescription("write a note, or write it anew; the oldest leave where there are too many"))

const remove = Command.make("delete", { key: keyArg, ...shared }, ({ db, json, key, workspace }) =>
  Effect.gen(function* () {
    const where = yield* workspaceKey(workspace)
    const deleted = yield* NoteBook.remove(hash, where, key, PERSON)
    const words = deleted ? `deleted ${quoted(key)}` : `no note has the key ${quoted(key)}`
    yield* Output.line(json ? JSON.stringify({ workspace: where, deleted }) : words)
  }).pipe(over(db, "read"))
).pipe(Command.withDescription("delete a note; `get --at` still has what it said"))

const clear = Command.make("clear", shared, ({ db, json, workspace }) =>
  Effect.gen(function* () {
    const where = yield* workspaceKey(workspace)
    const deleted = yield* NoteBook.clear(hash, where, PERSON)
    yield* Output.line(json ? JSON.stringify({ workspace: where, deleted }) : `deleted ${Output.count(deleted)}`)
  }).pipe(over(db, "read"))
).pipe(Command.withDescription("delete all notes of the workspace"))

export const command = Command.make("notes").pipe(
  Command.withDescription("what agents wrote down over a workspace for later runs"),
  Command.withSubcommands([list, get, put, remove, clear])
)

/** A folder is known by its real path, whichever way one came to it; whatever is no folder is a key as it stands. */
const workspaceKey = (given: Option.Option<string>): Effect.Effect<string> =>
  Effect.sync(() => {
    const name = Option.getOrElse(given, () => process.cwd())
    return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true ? realpathSync(name) : name
  })

const found = (workspace: string, key: Option.Option<string>, at: Option.Option<number>) =>
  Effect.gen(function* () {
    if (Option.isSome(key) === Option.isSome(at)) return yield* unusable("notes get: expected KEY, or --at SEQ")
    if (Option.isSome(at)) {
      if (!isSeq(at.value)) return yield* unusable(`--at: expected a number from 1 on, got ${at.value}`)
      const noted = yield* NoteBook.at(hash, workspace, at.value)
      return Option.isSome(noted) ? noted.value : yield* failed(`no note was written at ${at.value}`)
    }
    const name = Option.getOrElse(key, () => "")
    const note = yield* NoteBook.get(hash, workspace, name)
    if (Option.isNone(note)) return yield* failed(`no note has the key ${quoted(name)}`)
    return { ...note.value, value: note.value.whole }
  })

/** A note as JSON: as it is shown, and whether it is shown cut. */
const valueOf = (note: Pick<Note, "key" | "value" | "step" | "run"> & Partial<Note>) => ({
  key: note.key,
  value: note.value,
  step: note.step,
  ...(note.run === undefined ? {} : { run: note.run }),
  ...(note.seq === undefined ? {} : { seq: note.seq }),
  ...(note.at === undefined ? {} : { at: note.at }),
  ...(note.whole === undefined ? {} : { cut: note.value !== note.whole })
})

const listed = (notes: ReadonlyArray<Note>): string =>
  Output.table(
    ["seq", "written", "step", "key", "value"],
    notes.map(({ at, key, seq, step, value }) => [String(seq), at, String(step), quoted(key), short(quoted(value))])
  )

const short = (text: string): string => {
  const chars = [...text]
  return chars.length > VALUE_CHARS ? `${chars.slice(0, VALUE_CHARS).join("")}…` : text
}

/** Over the stores of a database, every error as a failure. */
const over =
  (db: Option.Option<string>, use: "read" | "write") =>
  <A, E extends { readonly _tag: string; readonly message: string }>(
    effect: Effect.Effect<A, E, EventStore>
  ): Effect.Effect<A, Failure> =>
    effect.pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, use))
    )

const isSeq = Schema.is(Seq)

const VALUE_CHARS = 60

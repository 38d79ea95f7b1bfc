/**
 * The handlers of notes.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Api } from "@palimpsest/api/Api"
import { NotFound } from "@palimpsest/api/Failures"
import type * as NotesApi from "@palimpsest/api/NotesApi"
import { PERSON, type Note } from "@palimpsest/compaction/Notes"
import * as NoteBook from "@palimpsest/governor/NoteBook"
import { Step } from "@palimpsest/ledger/Ids"
import * as Faults from "./Faults.ts"
import { Settings } from "./Settings.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpApiBuilder.group(Api, "notes", (handlers) =>
  Effect.map(Settings, ({ hash }) =>
    handlers
      .handle("list", ({ urlParams: { workspace } }) =>
        Faults.reading(
          Effect.map(NoteBook.list(hash, workspace), (notes) => ({ items: notes.map((note) => noteOf(note)) }))
        )
      )
      .handle("get", ({ urlParams: { key, workspace } }) =>
        Faults.reading(
          Effect.flatMap(
            NoteBook.get(hash, workspace, key),
            Option.match({
              onNone: () => Effect.fail(new NotFound({ what: "note", name: key, why: "no note has this key" })),
              onSome: (note) => Effect.succeed(noteOf(note))
            })
          )
        )
      )
      .handle("put", ({ payload: { run, step, value }, urlParams: { key, workspace } }) =>
        Faults.writing(
          Effect.map(
            NoteBook.put(hash, workspace, {
              key,
              value,
              step: step ?? Step.make(0),
              ...(run === undefined ? {} : { run })
            }),
            ({ evicted, note }) => ({ note: noteOf(note), evicted })
          )
        )
      )
      .handle("remove", ({ urlParams: { key, workspace } }) =>
        Faults.writing(Effect.map(NoteBook.remove(hash, workspace, key, PERSON), (deleted) => ({ deleted })))
      )
      .handle("clear", ({ urlParams: { workspace } }) =>
        Faults.writing(Effect.map(NoteBook.clear(hash, workspace, PERSON), (deleted) => ({ deleted })))
      )
  )
)

const noteOf = ({ at, key, run, seq, step, value, whole }: Note): NotesApi.Note => ({
  key,
  value,
  ...(whole === value ? {} : { whole }),
  step,
  ...(run === undefined ? {} : { run }),
  seq,
  at
})

/**
 * The notes of a workspace over HTTP. A workspace and a note are named in the query, as their names may be any text.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { LogId, Seq, Step } from "@palimpsest/ledger/Ids"
import { MayRead, MayWrite } from "./Authorization.ts"
import * as Failures from "./Failures.ts"
import { optional, struct } from "./internal/strict.ts"

/**
 * A note as it is kept. `value` is what is shown, `whole` what was written, where that is more.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Note = struct({
  key: Schema.String,
  value: Schema.String,
  whole: optional(Schema.String),
  step: Step,
  run: optional(LogId),
  seq: Seq,
  at: Schema.String
}).annotations({ identifier: "Note" })
/** @since 0.1.0 */
export type Note = typeof Note.Type

/**
 * What is written. `run` and `step` say where, for an agent's note; a person's has neither.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Put = struct({ value: Schema.String, run: optional(LogId), step: optional(Step) }).annotations({
  identifier: "PutNote"
})

const Workspace = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(4_096))
const ofWorkspace = struct({ workspace: Workspace })
const ofNote = struct({ workspace: Workspace, key: Schema.String })

const says = (description: string) => OpenApi.annotations({ description })

const list = HttpApiEndpoint.get("list", "/notes")
  .setUrlParams(ofWorkspace)
  .addSuccess(struct({ items: Schema.Array(Note) }))
  .addError(Failures.Reading)
  .middleware(MayRead)
  .annotateContext(says("The notes of a workspace, the oldest first; there are at most 64"))

const get = HttpApiEndpoint.get("get", "/note")
  .setUrlParams(ofNote)
  .addSuccess(Note)
  .addError(Failures.Reading)
  .middleware(MayRead)
  .annotateContext(says("One note, whole"))

const put = HttpApiEndpoint.put("put", "/note")
  .setUrlParams(ofNote)
  .setPayload(Put)
  .addSuccess(struct({ note: Note, evicted: Schema.Array(Schema.String) }))
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Writes a note, or writes it anew; the oldest leave where there are too many"))

const remove = HttpApiEndpoint.del("remove", "/note")
  .setUrlParams(ofNote)
  .addSuccess(struct({ deleted: Schema.Boolean }))
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Deletes a note; what it said can still be read in the log"))

const clear = HttpApiEndpoint.del("clear", "/notes")
  .setUrlParams(ofWorkspace)
  .addSuccess(struct({ deleted: Schema.NonNegativeInt }))
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Deletes all notes of a workspace"))

/**
 * @since 0.1.0
 * @category groups
 */
export class NotesApi extends HttpApiGroup.make("notes")
  .add(list)
  .add(get)
  .add(put)
  .add(remove)
  .add(clear)
  .annotateContext(says("What agents wrote down over a workspace for later runs")) {}

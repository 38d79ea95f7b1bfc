/** `entries RUN`: what can be recalled, by address. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Entries from "@palimpsest/governor/Entries"
import * as Runs from "@palimpsest/governor/Runs"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { fromError } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"

export const command = Command.make(
  "entries",
  { run: Args.text({ name: "RUN" }), db: Database.option, json: Output.json },
  ({ db, json, run }) =>
    Effect.gen(function* () {
      const found = yield* Effect.flatMap(Inputs.runId(run), (id) => Runs.find(hash, id))
      const entries = yield* Entries.list(hash, found)
      yield* Output.line(json ? JSON.stringify({ entries }) : listed(entries))
    }).pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, "read"))
    )
).pipe(Command.withDescription("list the entries of a run with their addresses"))

const listed = (entries: ReadonlyArray<Entries.EntryRow>): string =>
  Output.table(
    ["address", "step", "role", "part", "bytes", "kind", "target"],
    entries.map(({ address, bytes, kind, part, role, step, target }) => [
      address,
      String(step),
      role,
      part.toLowerCase(),
      Output.count(bytes),
      kind ?? "",
      target ?? ""
    ])
  )

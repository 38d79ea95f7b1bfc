/** `export RUN`: the source file that a run came from, byte for byte. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Export from "@palimpsest/governor/Export"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { fromError } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"

export const command = Command.make("export", { run: Args.text({ name: "RUN" }), db: Database.option }, ({ db, run }) =>
  Effect.gen(function* () {
    const id = yield* Inputs.runId(run)
    yield* Output.write(yield* Export.source(hash, id))
  }).pipe(
    Effect.catchAll((error) => Effect.fail(fromError(error))),
    Effect.provide(Database.layer(db, "read"))
  )
).pipe(Command.withDescription("write the source file of a run to standard output"))

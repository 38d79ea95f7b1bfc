/** `runs`: what is in the database. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Runs from "@palimpsest/governor/Runs"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { fromError } from "../Failure.ts"
import * as Output from "../Output.ts"

export const command = Command.make("runs", { db: Database.option, json: Output.json }, ({ db, json }) =>
  Effect.gen(function* () {
    const runs = yield* Effect.flatMap(
      Runs.all(hash),
      Effect.forEach((run) => Runs.summary(hash, run))
    )
    yield* Output.line(json ? JSON.stringify({ runs }) : listed(runs))
  }).pipe(
    Effect.catchAll((error) => Effect.fail(fromError(error))),
    Effect.provide(Database.layer(db, "read"))
  )
).pipe(Command.withDescription("list the runs: preset, requests, when they began, and their first words"))

const listed = (runs: ReadonlyArray<Runs.Summary>): string =>
  Output.table(
    ["run", "preset", "requests", "began", "title"],
    runs.map(({ began, preset, requests, run, title }) => [run, preset, Output.count(requests), began, title])
  )

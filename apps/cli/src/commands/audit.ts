/** `audit RUN`: whether a run is whole, from the database alone. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Audit from "@palimpsest/governor/Audit"
import * as Runs from "@palimpsest/governor/Runs"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { failed, fromError } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"
import * as Printed from "../Printed.ts"

export const command = Command.make(
  "audit",
  {
    run: Args.text({ name: "RUN" }),
    db: Database.option,
    json: Output.json,
    head: Options.text("head").pipe(
      Options.withDescription("a head that is known elsewhere: the log must still lead through it"),
      Options.optional
    )
  },
  ({ db, head, json, run }) =>
    Effect.gen(function* () {
      const known = Option.isNone(head) ? undefined : yield* Inputs.digest(head.value)
      const found = yield* Effect.flatMap(Inputs.runId(run), (id) => Runs.find(hash, id))
      const audited = yield* Audit.audit(hash, found, known)
      const findings = Printed.findingLines(found.log, audited)
      const value = { run: found.log, ...audited, whole: findings.length === 0 }
      yield* Output.line(json ? JSON.stringify(value) : Printed.auditLine(audited, findings.length))
      if (findings.length > 0) return yield* failed(findings.join("\n"))
    }).pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, "read"))
    )
).pipe(Command.withDescription("check chain, bodies and requests of a run; exit 1 names what is wrong"))

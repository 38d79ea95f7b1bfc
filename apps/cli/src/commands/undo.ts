/** `undo RUN [EPOCH]`: what an epoch left out comes back, priced first; without EPOCH, the epochs that there are. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Undo from "@palimpsest/governor/Undo"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { unusable } from "../Failure.ts"
import * as Orders from "../Orders.ts"
import * as Output from "../Output.ts"

export const command = Command.make(
  "undo",
  {
    run: Args.text({ name: "RUN" }),
    epoch: Args.integer({ name: "EPOCH" }).pipe(Args.optional),
    db: Database.option,
    json: Output.json,
    yes: Options.boolean("yes").pipe(Options.withDescription("at that price: do it"))
  },
  ({ db, epoch, json, run, yes }) =>
    Effect.gen(function* () {
      const found = yield* Orders.runOf(run)
      if (Option.isNone(epoch)) {
        const epochs = yield* Undo.epochs(hash, found)
        return yield* Output.line(json ? JSON.stringify({ run: found.log, epochs }) : listed(epochs))
      }
      if (epoch.value < 1) return yield* unusable("EPOCH: expected a number, at least 1")
      const { command, price } = yield* Undo.priced(hash, found, epoch.value)
      if (yes)
        return yield* Orders.give(found, command, `${Orders.priceInWords(price)}; with the next request`, { json })
      const value = { run: found.log, epoch: epoch.value, given: false, price }
      const words = `epoch ${epoch.value}: ${Orders.priceInWords(price)}.\nNothing was done; --yes does it.`
      yield* Output.line(json ? JSON.stringify(value) : words)
    }).pipe(Orders.over(db))
).pipe(Command.withDescription("have back what an epoch left out, at a price that is told first; or list the epochs"))

const listed = (epochs: ReadonlyArray<Undo.Epoch>): string =>
  epochs.length === 0
    ? "the run has had no epoch"
    : Output.table(
        ["epoch", "request", "cause", "left out", "frees", "billed again"],
        epochs.map(({ cause, elided, epoch, request, worth }) => [
          String(epoch),
          String(request),
          cause,
          Output.count(elided),
          worth === undefined ? "" : Output.count(worth.frees),
          worth === undefined ? "" : Output.count(worth.rebills)
        ])
      )

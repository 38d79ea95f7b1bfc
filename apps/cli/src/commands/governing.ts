/** `off RUN`, `on RUN`, `hold RUN`: whether a run is governed, and whether it is rewritten now. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Database from "../Database.ts"
import * as Orders from "../Orders.ts"
import * as Output from "../Output.ts"

const shared = { run: Args.text({ name: "RUN" }), db: Database.option, json: Output.json }

const off = Command.make("off", shared, ({ db, json, run }) =>
  Effect.flatMap(Orders.runOf(run), (found) =>
    Orders.give(found, { _tag: "Off" }, "off; what stands stays, and requests only grow", { json })
  ).pipe(Orders.over(db))
).pipe(Command.withDescription("stop governing a run: what stands stays, new requests only append"))

const on = Command.make("on", shared, ({ db, json, run }) =>
  Effect.flatMap(Orders.runOf(run), (found) =>
    Orders.give(found, { _tag: "On" }, "on; it is governed again", { json })
  ).pipe(Orders.over(db))
).pipe(Command.withDescription("govern a run again"))

const hold = Command.make(
  "hold",
  {
    ...shared,
    release: Options.boolean("release").pipe(Options.withDescription("let rewrites happen again"))
  },
  ({ db, json, release, run }) =>
    Effect.flatMap(Orders.runOf(run), (found) =>
      release
        ? Orders.give(found, { _tag: "Release" }, "released; it may be rewritten again", { json })
        : Orders.give(found, { _tag: "Hold" }, "held; no rewrite until released, unless the ceiling forces one", {
            json
          })
    ).pipe(Orders.over(db))
).pipe(Command.withDescription("no rewrite of a run until it is released, or the ceiling forces one"))

export const commands = [off, on, hold] as const

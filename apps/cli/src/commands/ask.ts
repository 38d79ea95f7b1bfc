/** `ask RUN`: a rewrite above a price waits for a person, who allows or denies it here. */
import * as Args from "@effect/cli/Args"
import * as CliCommand from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Orders as Standing } from "@palimpsest/compaction/Orders"
import * as GovernorCommand from "@palimpsest/governor/Command"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { failed, unusable } from "../Failure.ts"
import * as Orders from "../Orders.ts"
import * as Output from "../Output.ts"

export const command = CliCommand.make(
  "ask",
  {
    run: Args.text({ name: "RUN" }),
    db: Database.option,
    json: Output.json,
    above: Options.integer("above").pipe(
      Options.withDescription("tokens billed again once, above which a rewrite waits"),
      Options.optional
    ),
    never: Options.boolean("never").pipe(Options.withDescription("no rewrite waits any more")),
    allow: Options.boolean("allow").pipe(
      Options.withDescription("the rewrite that waits may go, at up to twice its price")
    ),
    deny: Options.boolean("deny").pipe(Options.withDescription("it may not; asked again when it would save twice that"))
  },
  ({ above, allow, db, deny, json, never, run }) =>
    Effect.gen(function* () {
      if ([Option.isSome(above), never, allow, deny].filter(Boolean).length > 1) {
        return yield* unusable("--above, --never, --allow and --deny: one at a time")
      }
      const found = yield* Orders.runOf(run)
      if (Option.isSome(above)) {
        if (above.value < 0) return yield* unusable("--above: expected a number of tokens, 0 or more")
        const said = `a rewrite that bills more than ${Output.count(above.value)} tokens again waits for you`
        return yield* Orders.give(found, { _tag: "Ask", above: above.value }, said, { json })
      }
      if (never) return yield* Orders.give(found, { _tag: "Unask" }, "no rewrite waits any more", { json })
      const { orders } = (yield* GovernorCommand.standing(hash, found)).session
      if (!allow && !deny) {
        const value = { run: found.log, orders: Orders.valueOf(orders) }
        return yield* Output.line(json ? JSON.stringify(value) : inWords(found.log, orders))
      }
      if (orders.waiting === undefined) return yield* failed(`${found.log}: no rewrite waits for an answer`)
      const { of } = orders.waiting
      return yield* allow
        ? Orders.give(found, { _tag: "Allow", of }, "allowed; it goes with the next request", { json })
        : Orders.give(found, { _tag: "Deny", of }, "denied; it is not asked again until it would save twice that", {
            json
          })
    }).pipe(Orders.over(db))
).pipe(CliCommand.withDescription("have dear rewrites wait for a person; answer, or see what waits"))

const inWords = (run: string, { asking, waiting }: Standing): string => {
  if (asking === undefined) return `${run}: no rewrite waits for anybody`
  const above = `a rewrite that bills more than ${Output.count(asking)} tokens again waits`
  if (waiting === undefined) return `${run}: ${above}; none does now`
  const { frees, rebills, saves } = waiting.worth
  return (
    `${run}@${waiting.of}: ${above}, and one does: it frees ${Output.count(frees)} tokens of every request, bills ` +
    `${Output.count(rebills)} again once, and is expected to save ${Output.count(saves)} tokens of uncached input\n` +
    "answer with --allow or --deny"
  )
}

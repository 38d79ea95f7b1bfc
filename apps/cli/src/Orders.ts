/** What the commands of a person share: the run under its head, the append, and what is said of it. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Orders } from "@palimpsest/compaction/Orders"
import * as GovernorCommand from "@palimpsest/governor/Command"
import * as Runs from "@palimpsest/governor/Runs"
import type { Priced } from "@palimpsest/governor/Undo"
import type { Command } from "@palimpsest/compaction/Command"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "./Database.ts"
import { fromError, type Failure } from "./Failure.ts"
import * as Inputs from "./Inputs.ts"
import * as Output from "./Output.ts"

/** A run by its name. */
export const runOf = (name: string) => Effect.flatMap(Inputs.runId(name), (id) => Runs.find(hash, id))

/** Gives a command and says what came of it: a line, or the event and the orders that stand as JSON. */
export const give = (run: Runs.Run, command: Command, said: string, { json }: { readonly json: boolean }) =>
  Effect.gen(function* () {
    const { head, orders, seq } = yield* GovernorCommand.give(hash, run, command)
    const value = { run: run.log, given: seq !== undefined, ...(seq === undefined ? {} : { seq }), head: head.digest }
    yield* Output.line(
      json
        ? JSON.stringify({ ...value, orders: valueOf(orders) })
        : seq === undefined
          ? `${run.log}: it is so already`
          : `${run.log}@${seq}: ${said}`
    )
  })

/** The orders of a run as JSON. */
export const valueOf = ({ asking, isHeld, isOn, kept, pins, restoring, waiting }: Orders) => ({
  on: isOn,
  held: isHeld,
  pins: pins.map(({ by, entries }) => ({ entries, by })),
  kept: kept.map(({ by, entries }) => ({ entries, by })),
  restoring: restoring.map(({ entries }) => entries),
  ...(asking === undefined ? {} : { askAbove: asking }),
  ...(waiting === undefined ? {} : { waiting: { of: waiting.of, ...waiting.worth } })
})

/** What a restoration costs, in words. */
export const priceInWords = ({ adds, count, worth }: Priced): string =>
  `${Output.count(count)} ${count === 1 ? "entry comes" : "entries come"} back: ${Output.count(adds)} tokens more in every ` +
  `request, ${Output.count(worth.rebills)} tokens billed again once; over the requests that are expected, ` +
  `${Output.count(-worth.saves)} tokens of uncached input`

/** Over the stores of a database that is there, every error as a failure. */
export const over =
  (db: Option.Option<string>) =>
  <A, E extends { readonly _tag: string; readonly message: string }>(
    effect: Effect.Effect<A, E, EventStore | BodyStore>
  ): Effect.Effect<A, Failure> =>
    effect.pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, "read"))
    )

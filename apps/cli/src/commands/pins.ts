/** `pin ADDRESS`, `unpin ADDRESS`: an entry that never leaves the view, and may again. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as GovernorCommand from "@palimpsest/governor/Command"
import * as Runs from "@palimpsest/governor/Runs"
import * as Undo from "@palimpsest/governor/Undo"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { unusable } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Orders from "../Orders.ts"
import * as Output from "../Output.ts"

const address = Args.text({ name: "ADDRESS" }).pipe(Args.withDescription("RUN@SEQ, an entry of the run"))

const pin = Command.make(
  "pin",
  {
    address,
    db: Database.option,
    json: Output.json,
    yes: Options.boolean("yes").pipe(Options.withDescription("where it has left already: have it back at that price"))
  },
  ({ address, db, json, yes }) =>
    Effect.gen(function* () {
      const { run, seq } = yield* entryAt(address)
      const { session } = yield* GovernorCommand.standing(hash, run)
      const price = Undo.priceOf(session, (one) => one === seq)
      if (price !== undefined && !yes) {
        const value = { run: run.log, given: false, price }
        const words = `${address} is left out now. ${Orders.priceInWords(price)}.\nNothing was done; --yes pins it.`
        return yield* Output.line(json ? JSON.stringify(value) : words)
      }
      const said = price === undefined ? "pinned; it stays whole" : "pinned; it is whole again from the next request on"
      yield* Orders.give(run, { _tag: "Pin", entries: [seq, seq] }, said, { json })
    }).pipe(Orders.over(db))
).pipe(Command.withDescription("an entry that stays in the view, at the ceiling too"))

const unpin = Command.make("unpin", { address, db: Database.option, json: Output.json }, ({ address, db, json }) =>
  Effect.gen(function* () {
    const { run, seq } = yield* entryAt(address)
    yield* Orders.give(run, { _tag: "Unpin", entries: [seq, seq] }, "not pinned; it may leave again", { json })
  }).pipe(Orders.over(db))
).pipe(Command.withDescription("an entry that was pinned, or restored by an undo, may leave again"))

export const commands = [pin, unpin] as const

/** An entry is pinned whole: a block or lines of one are not. */
const entryAt = (text: string) =>
  Effect.gen(function* () {
    const { address, run } = yield* Inputs.address(text)
    if (address.block !== undefined || address.lines !== undefined) {
      return yield* unusable(`${text}: an entry is pinned whole; expected RUN@SEQ`)
    }
    return { run: yield* Runs.find(hash, run), seq: address.seq }
  })

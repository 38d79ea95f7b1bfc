/** `why ADDRESS`: why an entry stands in the view as it does, or does not. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Runs from "@palimpsest/governor/Runs"
import * as Why from "@palimpsest/governor/Why"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import * as Inputs from "../Inputs.ts"
import * as Orders from "../Orders.ts"
import * as Output from "../Output.ts"

export const command = Command.make(
  "why",
  {
    address: Args.text({ name: "ADDRESS" }).pipe(Args.withDescription("RUN@SEQ, an entry of the run")),
    db: Database.option,
    json: Output.json
  },
  ({ address, db, json }) =>
    Effect.gen(function* () {
      const wanted = yield* Inputs.address(address)
      const run = yield* Runs.find(hash, wanted.run)
      const explained = yield* Why.why(hash, run, wanted.address.seq)
      yield* Output.line(json ? JSON.stringify(valueOf(explained)) : inWords(run.log, explained))
    }).pipe(Orders.over(db))
).pipe(
  Command.withDescription("explain how an entry stands in the view: what decided it, why, and how to have it back")
)

const valueOf = ({ address, entered, pinned, standing }: Why.Explained) => ({
  address,
  part: entered.part._tag,
  ...(entered.observation?.target === undefined ? {} : { target: entered.observation.target }),
  standing,
  ...(pinned === undefined ? {} : { pinned })
})

const inWords = (run: string, { address, entered, pinned, standing }: Why.Explained): string => {
  const { observation, part } = entered
  const what = observation?.target === undefined ? part._tag.toLowerCase() : `${observation.kind} ${observation.target}`
  return [
    `${address} (${what}) ${standingInWords(run, standing)}`,
    ...(pinned === undefined ? [] : [pinnedInWords(run, pinned)])
  ].join("\n")
}

const standingInWords = (run: string, standing: Why.Standing): string => {
  switch (standing._tag) {
    case "Whole":
      return standing.restored === undefined
        ? "is whole"
        : `is whole: the decision ${run}@${standing.restored} brought it back`
    case "Gone":
      return standing.how === "unpaired"
        ? "is not in the view: it answers a call that the view does not have"
        : `was ${standing.how} by the client, at ${run}@${standing.by ?? ""}`
    case "Elided":
      return elided(run, standing)
  }
}

const elided = (run: string, standing: Why.Standing & { readonly _tag: "Elided" }): string => {
  const { cause, class: known, decided, epoch, form, put, renewed, request, rest, stands, worth } = standing
  const by = known.by === undefined ? "" : ` by @${known.by}`
  const began = epoch === undefined ? "" : `, which began epoch ${epoch}`
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["form", form.toLowerCase()],
    ["class", `${known.class}: ${known.how}${by}`],
    ["decided", `${run}@${decided}, before request ${request}${began}`],
    ["cause", cause === "entry" ? "at entry" : cause],
    [
      "worth",
      worth === undefined
        ? "not priced"
        : `frees ${Output.count(worth.frees)} tokens of every request, bills ${Output.count(worth.rebills)} again once, saves ${Output.count(worth.saves)}`
    ],
    ...(renewed === undefined ? [] : [["renewed", `${run}@${renewed}`] as const]),
    ["put", put === "" ? "nothing" : put + (stands > 1 ? ` (for ${stands} entries)` : "")],
    ["recall", `palimpsest recall ${rest}`]
  ]
  return `is not shown whole\n${rows.map(([name, text]) => `  ${name.padEnd(8)} ${text}`).join("\n")}`
}

const pinnedInWords = (run: string, { by, seq }: Why.Pinned): string => {
  switch (by) {
    case "command":
      return `  pinned   by the command ${run}@${seq}`
    case "undo":
      return `  kept     by the undo ${run}@${seq}; only the ceiling takes it again`
    case "configuration":
      return "  pinned   by the configuration of the run, which protects it"
    case "law":
      return "  pinned   as the user and the system prompt said it"
  }
}

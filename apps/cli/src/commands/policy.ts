/** `policy check ACT TARGET`: what the policy says, and which rule of which layer says it. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { explain, type Explanation } from "@palimpsest/policy/Check"
import { all } from "@palimpsest/policy/Act"
import * as Database from "../Database.ts"
import { failed, fromError } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"
import { policyOption } from "./recall.ts"

const check = Command.make(
  "check",
  {
    act: Args.choice(
      all.map((act) => [act, act] as const),
      { name: "ACT" }
    ),
    target: Args.text({ name: "TARGET" }),
    db: Database.option,
    policy: policyOption,
    why: Options.boolean("why").pipe(Options.withDescription("list every rule of the act, and which of them match")),
    json: Output.json
  },
  ({ act, json, policy, target, why }) =>
    Effect.gen(function* () {
      const explained = explain(yield* Inputs.policy(policy), act, target)
      const { layer, rule, ruling } = explained.verdict
      const by = rule === undefined ? "by default" : `by rule ${rule} in layer ${layer ?? ""}`
      const words = `${ruling}: ${act} ${target} ${by}`
      yield* Output.line(json ? JSON.stringify(explained) : why ? `${words}\n${considered(explained)}` : words)
      if (ruling !== "allow") return yield* failed(ruling === "ask" ? `${words}; nobody is here to ask` : words)
    }).pipe(Effect.catchAll((error) => Effect.fail(fromError(error))))
).pipe(Command.withDescription("exit 0 where it is allowed, 1 where it is denied or would have to be asked"))

/** Every rule that was considered, in the order in which they count. */
const considered = ({ considered, target }: Explanation): string =>
  considered.length === 0
    ? `no rule is of this act; asked of ${target}`
    : `asked of ${target}\n${Output.table(
        ["", "ruling", "rule", "layer", "place"],
        considered.map(({ layer, layerIndex, matched, narrowing, rule, ruleIndex }) => [
          matched ? "*" : "",
          rule.ruling,
          rule.pattern,
          narrowing ? `${layer} (narrowing)` : layer,
          `layers[${layerIndex}].rules[${ruleIndex}]`
        ])
      )}`

export const command = Command.make("policy").pipe(
  Command.withDescription("what runs may touch"),
  Command.withSubcommands([check])
)

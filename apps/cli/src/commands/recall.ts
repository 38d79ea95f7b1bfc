/** `recall ADDRESS`: the bytes behind an address, through the policy of now. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Recall from "@palimpsest/governor/Recall"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { fromError, unusable, type Failure } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"

export const policyOption = Options.text("policy").pipe(
  Options.withDescription("a policy, JSON or YAML; default the built-in one"),
  Options.optional
)

export const command = Command.make(
  "recall",
  {
    address: Args.text({ name: "ADDRESS" }).pipe(Args.withDescription("RUN@SEQ[.BLOCK][:A-B]")),
    db: Database.option,
    policy: policyOption,
    lines: Options.text("lines").pipe(Options.withDescription("A-B, from 1, both included"), Options.optional),
    bytes: Options.text("bytes").pipe(Options.withDescription("A-B, from 0, B not included"), Options.optional)
  },
  ({ address, bytes, db, lines, policy }) =>
    Effect.gen(function* () {
      const compiled = yield* Inputs.policy(policy)
      const wanted = yield* Inputs.address(address)
      const part = yield* partOf(lines, bytes)
      const recalled = yield* Recall.recall(hash, compiled, wanted, part)
      if (recalled.encoding === "json" && recalled.media !== "application/json") {
        yield* Output.note("this text is not well-formed Unicode; it is given as a JSON string")
      }
      yield* Output.write(recalled.bytes)
    }).pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, "read"))
    )
).pipe(Command.withDescription("write the bytes behind an address to standard output"))

const partOf = (lines: Option.Option<string>, bytes: Option.Option<string>): Effect.Effect<Recall.Part, Failure> =>
  Effect.gen(function* () {
    if (Option.isSome(lines) && Option.isSome(bytes)) return yield* unusable("--lines and --bytes: one at a time")
    if (Option.isSome(lines)) return { _tag: "Lines", ...(yield* range("--lines", lines.value, 1)) }
    if (Option.isSome(bytes)) return { _tag: "Bytes", ...(yield* range("--bytes", bytes.value, 0)) }
    return { _tag: "Whole" }
  })

const range = (
  option: string,
  text: string,
  least: number
): Effect.Effect<{ readonly from: number; readonly to: number }, Failure> => {
  const match = /^([0-9]{1,15})-([0-9]{1,15})$/.exec(text)
  const from = Number(match?.[1])
  const to = Number(match?.[2])
  return match !== null && from >= least && to >= from
    ? Effect.succeed({ from, to })
    : Effect.fail(unusable(`${option}: expected A-B with ${least} <= A <= B, got ${text}`))
}

/**
 * Recall on a server: by address, through the policy that the run was begun under and the server's of now, both of which
 * have to allow it (laws 2, 4 and 12).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Failures from "@palimpsest/api/Failures"
import type * as Reading from "@palimpsest/api/Reading"
import * as Recall from "@palimpsest/governor/Recall"
import * as Runs from "@palimpsest/governor/Runs"
import { parse } from "@palimpsest/ledger/Address"
import { compile } from "@palimpsest/policy/Check"
import { contain } from "@palimpsest/policy/Contain"
import * as Faults from "./Faults.ts"
import { frozenOf, type Stores } from "./LiveRuns.ts"
import { Settings } from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"

/**
 * Gives back what is behind an address.
 *
 * @since 0.1.0
 * @category recalling
 */
export const recall = (
  asked: typeof Reading.Recall.Type
): Effect.Effect<
  Reading.Recalled,
  Faults.ReadFailure | Failures.Invalid | Failures.PolicyRefused | Failures.TooLarge,
  Stores | Settings
> =>
  Effect.gen(function* () {
    const { hash, limits, policy: server } = yield* Settings
    const wanted = yield* Option.match(parse(asked.address), {
      onNone: () => Effect.fail(new Failures.Invalid({ field: "address", why: "expected RUN@SEQ[.BLOCK][:A-B]" })),
      onSome: Effect.succeed
    })
    const part = yield* partOf(asked)
    const outcome = yield* Faults.reading(
      Effect.gen(function* () {
        const frozen = yield* Effect.flatMap(Runs.find(hash, wanted.run), frozenOf)
        const now =
          frozen === undefined ? server : yield* compile(contain(frozen.policy, server.policy), frozen.platform)
        return yield* Recall.recall(hash, now, wanted, part)
      }).pipe(
        Effect.map(Either.right),
        Effect.catchTags({
          RecallRefused: (refused) => Effect.succeed(Either.left(refused)),
          // The policies were compiled when the run began and when the server started.
          MalformedPattern: Effect.die
        })
      )
    )
    if (Either.isLeft(outcome)) {
      const { address, target, verdict } = outcome.left
      yield* Telemetry.refused("policy")
      return yield* new Failures.PolicyRefused({
        address,
        target,
        ruling: verdict.ruling === "ask" ? "ask" : "deny",
        ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
        ...(verdict.layer === undefined ? {} : { layer: verdict.layer })
      })
    }
    const { address, bytes, encoding, media } = outcome.right
    if (bytes.length > limits.recalled) {
      const why = `it has ${bytes.length} bytes, and ${limits.recalled} are given at once: ask for a range of bytes`
      return yield* new Failures.TooLarge({ most: limits.recalled, why })
    }
    return { address, encoding, media, ...contentOf(bytes, encoding) }
  }).pipe(Effect.withSpan("Recalling.recall"))

/** Text as text; a range of bytes may cut a character in two, and then it is no text. */
const contentOf = (
  bytes: Uint8Array,
  encoding: Reading.Recalled["encoding"]
): Pick<Reading.Recalled, "text" | "base64"> => {
  if (encoding === "bytes") return { base64: Encoding.encodeBase64(bytes) }
  return Either.getOrElse(
    Either.try(() => ({ text: strictly.decode(bytes) })),
    () => ({ base64: Encoding.encodeBase64(bytes) })
  )
}

const partOf = ({ bytes, lines }: typeof Reading.Recall.Type): Effect.Effect<Recall.Part, Failures.Invalid> => {
  if (bytes !== undefined && lines !== undefined) {
    return Effect.fail(new Failures.Invalid({ field: "lines", why: "lines and bytes: one at a time" }))
  }
  if (lines !== undefined) return Effect.map(range("lines", lines, 1), (both) => ({ _tag: "Lines", ...both }))
  if (bytes !== undefined) return Effect.map(range("bytes", bytes, 0), (both) => ({ _tag: "Bytes", ...both }))
  return Effect.succeed({ _tag: "Whole" })
}

const range = (
  field: string,
  text: string,
  least: number
): Effect.Effect<{ readonly from: number; readonly to: number }, Failures.Invalid> => {
  const [from = -1, to = -1] = text.split("-").map(Number)
  return from >= least && to >= from
    ? Effect.succeed({ from, to })
    : Effect.fail(new Failures.Invalid({ field, why: `expected A-B with ${least} <= A <= B` }))
}

const strictly = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

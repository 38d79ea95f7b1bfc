/** Files that a command is given: read whole, decoded strictly, and every complaint with the file's name. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Price from "@palimpsest/budget/Price"
import * as Address from "@palimpsest/ledger/Address"
import { Digest, LogId } from "@palimpsest/ledger/Ids"
import { compile, type CompiledPolicy } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import { bytes, reasonOf } from "./Documents.ts"
import { unusable, type Failure } from "./Failure.ts"
import * as PolicyFile from "./PolicyFile.ts"

export { bytes } from "./Documents.ts"

/** The policy of `--policy FILE`, the built-in one where none is given. */
export const policy = (file: Option.Option<string>): Effect.Effect<CompiledPolicy, Failure> =>
  Effect.gen(function* () {
    const name = Option.getOrElse(file, () => "the built-in policy")
    const value = Option.isNone(file) ? Policy.builtin : yield* PolicyFile.load(file.value)
    return yield* Either.mapLeft(compile(value), (error) => unusable(`${name}: ${error.message}`))
  })

/** The prices of `--prices FILE`, in units of uncached input. */
export const prices = (file: Option.Option<string>): Effect.Effect<Price.PriceTable, Failure> =>
  Option.isNone(file)
    ? Effect.succeed(Price.standard)
    : Effect.flatMap(parsed(file.value), (json) =>
        Either.mapLeft(decodePrices(json), (error) => unusable(`${file.value}: ${error.message}`))
      )

export const runId = (text: string): Effect.Effect<LogId, Failure> =>
  Either.mapLeft(decodeRun(text), () => unusable(`${text}: not the name of a run; \`palimpsest runs\` lists them`))

export const digest = (text: string): Effect.Effect<Digest, Failure> =>
  Either.mapLeft(decodeDigest(text), () => unusable(`${text}: not a head; expected 64 hexadecimal digits`))

export const address = (text: string): Effect.Effect<Address.RunAddress, Failure> =>
  Option.match(Address.parse(text), {
    onNone: () => Effect.fail(unusable(`${text}: not an address; expected RUN@SEQ[.BLOCK][:A-B]`)),
    onSome: Effect.succeed
  })

const parsed = (file: string): Effect.Effect<unknown, Failure> =>
  Effect.flatMap(bytes(file), (content) =>
    Effect.try({
      try: (): unknown => JSON.parse(new TextDecoder().decode(content)),
      catch: (cause) => unusable(`${file}: not JSON (${reasonOf(cause)})`)
    })
  )

const decodePrices = Schema.decodeUnknownEither(Price.PriceTable)
const decodeRun = Schema.decodeUnknownEither(LogId)
const decodeDigest = Schema.decodeUnknownEither(Digest)

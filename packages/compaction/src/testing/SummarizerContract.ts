/**
 * What any `Summarizer` must do: answer in a form that can be written down, or fail with its own error; and say a window
 * that a request can be held against, if any.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { hold, type Check } from "@palimpsest/ledger/testing/Contract"
import { Answer, Summarizer, type Request } from "../Summarizer.ts"

/**
 * The contract. Each request is asked once; a summariser that costs money is given few.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks = (requests: ReadonlyArray<Request> = [asking(TEXT)]): ReadonlyArray<Check<Summarizer>> => [
  {
    name: "a window is a number of tokens, at least 1, or is not known",
    check: Effect.flatMap(Summarizer, ({ window }) =>
      hold(window === undefined || (Number.isInteger(window) && window >= 1), `a window of ${String(window)} tokens`)
    )
  },
  {
    name: "every request is answered in a form that can be written down and read back, or fails with a reason",
    check: Effect.flatMap(Summarizer, ({ ask }) =>
      Effect.forEach(requests, (request) => Effect.flatMap(Effect.either(ask(request)), outcome), { discard: true })
    )
  },
  {
    name: "where there is no model, nothing is answered",
    check: Effect.flatMap(Summarizer, ({ ask, isAbsent }) =>
      isAbsent !== true
        ? Effect.void
        : Effect.flatMap(Effect.either(ask(asking(TEXT))), (given) =>
            hold(Either.isLeft(given), "an absent summarizer answered")
          )
    )
  }
]

/**
 * A request with this text.
 *
 * @since 0.1.0
 * @category requests
 */
export const asking = (content: string): Request => ({ callRole: "compaction", messages: [{ role: "user", content }] })

const outcome = (given: Either.Either<Answer, { readonly _tag: string; readonly message: string }>) =>
  Either.isLeft(given)
    ? hold(
        ERRORS.has(given.left._tag) && given.left.message.trim() !== "",
        `it failed with ${given.left._tag}, not with an error of the port`
      )
    : hold(
        Either.isRight(decodeAnswer(JSON.parse(JSON.stringify(given.right)))),
        `${JSON.stringify(given.right)} is no answer`
      )

const ERRORS: ReadonlySet<string> = new Set(["SummarizerFailed", "NotRecorded"])
const TEXT = "Say in one sentence what this request asks for."
const decodeAnswer = Schema.decodeUnknownEither(Answer, { onExcessProperty: "error" })

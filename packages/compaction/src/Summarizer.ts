/**
 * The port to a model that summarises. A request is one message and the name of the call: it has no place for a system
 * prompt, tools or a schema, so none can be sent by mistake (HA-15). An answer says how it ended; only one that ended by
 * itself is taken.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { Digest } from "@palimpsest/ledger/Ids"

/**
 * @since 0.1.0
 * @category models
 */
export const Request = Schema.Struct({
  callRole: Schema.Literal("compaction"),
  messages: Schema.Tuple(Schema.Struct({ role: Schema.Literal("user"), content: Schema.String }))
})
/** @since 0.1.0 */
export interface Request extends Schema.Schema.Type<typeof Request> {}

/**
 * @since 0.1.0
 * @category models
 */
export const Answer = Schema.Struct({
  text: Schema.String,
  ended: Schema.Literal("end", "length", "tool_use", "refusal")
})
/** @since 0.1.0 */
export interface Answer extends Schema.Schema.Type<typeof Answer> {}

/**
 * The model could not be asked, or gave no answer.
 *
 * @since 0.1.0
 * @category errors
 */
export class SummarizerFailed extends Data.TaggedError("SummarizerFailed")<{ readonly why: string }> {
  override get message(): string {
    return `the summarizer failed: ${this.why}`
  }
}

/**
 * A replay was asked what was never recorded. No call was made, and nothing may stand in for the answer.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotRecorded extends Data.TaggedError("NotRecorded")<{ readonly request: Digest; readonly time: number }> {
  override get message(): string {
    return `no answer was recorded for the request ${this.request} when asked for the ${this.time}. time: record it again, or replay the run that it was recorded of`
  }
}

/**
 * `window` is the most that a request may hold (estimated tokens); absent where nothing is known of it. A larger request
 * is refused before it is sent. `isAbsent` where there is no model at all, so that no call of it is ever recorded.
 *
 * @since 0.1.0
 * @category tags
 */
export class Summarizer extends Context.Tag("@palimpsest/compaction/Summarizer")<
  Summarizer,
  {
    readonly window?: number
    readonly isAbsent?: true
    readonly ask: (request: Request) => Effect.Effect<Answer, SummarizerFailed | NotRecorded>
  }
>() {}

/**
 * What a scripted summariser was asked, in order.
 *
 * @since 0.1.0
 * @category tags
 */
export class Asked extends Context.Tag("@palimpsest/compaction/Summarizer/Asked")<
  Asked,
  Effect.Effect<ReadonlyArray<Request>>
>() {}

/**
 * A summariser that gives these answers in turn, and fails after the last. A bare string is an answer that ended by
 * itself.
 *
 * @since 0.1.0
 * @category layers
 */
export const scripted = (
  answers: ReadonlyArray<string | Answer | SummarizerFailed>,
  window?: number
): Layer.Layer<Summarizer | Asked> =>
  Layer.effectContext(
    Effect.map(Ref.make<ReadonlyArray<Request>>([]), (asked) =>
      Context.make(Summarizer, {
        ...(window === undefined ? {} : { window }),
        ask: (request) =>
          Effect.flatMap(
            Ref.getAndUpdate(asked, (before) => [...before, request]),
            (before) => answer(answers[before.length])
          )
      }).pipe(Context.add(Asked, Ref.get(asked)))
    )
  )

/**
 * No summariser: a compaction that needs one fails, and the others run without.
 *
 * @since 0.1.0
 * @category layers
 */
export const none: Layer.Layer<Summarizer> = Layer.succeed(Summarizer, {
  isAbsent: true,
  ask: () => Effect.fail(new SummarizerFailed({ why: "there is none here" }))
})

const answer = (given: string | Answer | SummarizerFailed | undefined): Effect.Effect<Answer, SummarizerFailed> => {
  if (given === undefined) return Effect.fail(new SummarizerFailed({ why: "no answer is left in the script" }))
  if (given instanceof SummarizerFailed) return Effect.fail(given)
  return Effect.succeed(typeof given === "string" ? { text: given, ended: "end" } : given)
}

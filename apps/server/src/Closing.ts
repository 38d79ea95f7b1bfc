/**
 * How a server closes: it says that it is not ready, ends its streams, takes no connection any more, and waits for the
 * requests that it is answering.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Stream from "effect/Stream"

/**
 * @since 0.1.0
 * @category tags
 */
export class Closing extends Context.Tag("@palimpsest/server/Closing")<
  Closing,
  {
    /** Done when the server has begun to close. */
    readonly begun: Deferred.Deferred<void>
    /** Begins to close. */
    readonly begin: Effect.Effect<void>
    /** Counts an answer that is being given. */
    readonly answering: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Waits until no answer is being given. */
    readonly idle: Effect.Effect<void>
    /** Counts a stream for as long as its scope. */
    readonly streaming: Effect.Effect<void, never, Scope.Scope>
    /** How many streams are open. */
    readonly streams: Effect.Effect<number>
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Closing> = Layer.effect(
  Closing,
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const answers = yield* SubscriptionRef.make(0)
    let streams = 0
    return {
      begun,
      begin: Effect.asVoid(Deferred.succeed(begun, undefined)),
      answering: (answer) =>
        Effect.acquireUseRelease(
          SubscriptionRef.update(answers, (n) => n + 1),
          () => answer,
          () => SubscriptionRef.update(answers, (n) => n - 1)
        ),
      idle: Stream.runDrain(Stream.takeUntil(answers.changes, (n) => n === 0)),
      streaming: Effect.acquireRelease(
        Effect.sync(() => void streams++),
        () => Effect.sync(() => void streams--)
      ),
      streams: Effect.sync(() => streams)
    }
  })
)

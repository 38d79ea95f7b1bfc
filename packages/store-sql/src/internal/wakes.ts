/**
 * One watcher of the database for all that follow a log: it is started with the first follower and ends with the last.
 */
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import * as RcRef from "effect/RcRef"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** Tells the names of logs that may have grown, "" for any. */
export type Tell = (log: string) => void

export const shared = (
  watch: (tell: Tell) => Effect.Effect<never, never, Scope.Scope>
): Effect.Effect<Stream.Stream<string>, never, Scope.Scope> =>
  Effect.map(
    RcRef.make({
      acquire: Effect.gen(function* () {
        // What a slow follower misses it finds when it looks by itself.
        const told = yield* Effect.acquireRelease(PubSub.sliding<string>(1_024), PubSub.shutdown)
        yield* Effect.forkScoped(Effect.scoped(watch((log) => void told.unsafeOffer(log))))
        return told
      })
    }),
    (watching) =>
      Stream.unwrapScoped(Effect.flatMap(RcRef.get(watching), (told) => Stream.fromPubSub(told, { scoped: true })))
  )

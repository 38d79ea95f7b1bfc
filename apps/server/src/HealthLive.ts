/**
 * The handlers of the probes.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Api, VERSION } from "@palimpsest/api/Api"
import { Unavailable } from "@palimpsest/api/Failures"
import { EventStore } from "@palimpsest/ledger/EventStore"
import { Closing } from "./Closing.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpApiBuilder.group(Api, "health", (handlers) =>
  Effect.gen(function* () {
    const closing = yield* Closing
    const store = yield* EventStore
    return handlers
      .handle("health", () => Effect.succeed({ status: "ok" as const, version: VERSION }))
      .handle("ready", () =>
        Effect.gen(function* () {
          if (yield* Deferred.isDone(closing.begun)) return yield* new Unavailable({ why: "the server is closing" })
          yield* store.logs({ after: "", limit: 1 }).pipe(
            Effect.timeoutFail({ duration: "5 seconds", onTimeout: () => SLOW }),
            Effect.mapError(() => new Unavailable({ why: "the store does not answer" }))
          )
          return { status: "ok" as const }
        })
      )
  })
)

const SLOW = { _tag: "Slow" } as const

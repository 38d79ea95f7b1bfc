import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, json, send } from "./support/Raw.ts"
import { balanced, RUN, user } from "./support/Runs.ts"
import { fresh, quiet } from "./support/Serving.ts"
it.scopedLive("x", () => Effect.gen(function* () {
      const { client, server } = yield* fresh({ limits: { body: 100_000 } })
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      const large = json({ id: "b1", entries: [user("x".repeat(150_000))] })
      for (const chunked of [false, true]) {
        const answer = yield* ask(server, `/api/v1/runs/${RUN}/entries`, { ...large, chunked }).pipe(Effect.timeout("3 seconds"), Effect.either)
        console.log(chunked, JSON.stringify(answer))
      }
      const lying = yield* send(
        server,
        `POST /api/v1/runs/${RUN}/entries HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`
      ).pipe(Effect.timeout("3 seconds"), Effect.either)
      console.log(lying)
}).pipe(Effect.provide(quiet)), 20000)

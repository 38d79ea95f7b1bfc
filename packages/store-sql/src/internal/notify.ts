/**
 * Waking whoever follows a log on another node. It is told behind the commit, by a statement of its own: inside the
 * transaction it would put all commits of the database in one line. What is lost (a node that dies in between, a
 * connection that is cut) the follower finds by itself.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { Client } from "pg"
import { alone } from "./transactions.ts"
import type { Tell } from "./wakes.ts"

const CHANNEL = "palimpsest"

/** A payload is less than 8,000 bytes: 30 names of 200 characters at most. */
const NAMES = 30

export const announcing = (client: SqlClient, announcements: Queue.Dequeue<string>): Effect.Effect<never> =>
  Effect.flatMap(Queue.takeBetween(announcements, 1, 1_000), (taken) => {
    const logs = [...new Set(Chunk.toReadonlyArray(taken))]
    const payloads: Array<string> = []
    for (let at = 0; at < logs.length; at += NAMES) payloads.push(logs.slice(at, at + NAMES).join(" "))
    const told = client.unsafe("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [CHANNEL, payloads])
    return Effect.ignore(alone(told))
  }).pipe(Effect.forever)

/** Listens on a connection of its own, again and again: whenever it is back, any log may have grown meanwhile. */
export const listening =
  (url: string) =>
  (tell: Tell): Effect.Effect<never, never, Scope.Scope> =>
    Effect.forever(Effect.scoped(session(url, tell)).pipe(Effect.ignore, Effect.zipLeft(Effect.sleep("200 millis"))))

const session = (url: string, tell: Tell) =>
  Effect.gen(function* () {
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Client({ connectionString: url, keepAlive: true, application_name: "palimpsest tails" })),
      (client) =>
        Effect.ignore(
          Effect.timeout(
            Effect.tryPromise(() => client.end()),
            "1 second"
          )
        )
    )
    const ended = Effect.async<void>((resume) => {
      client.once("end", () => resume(Effect.void))
    })
    client.on("error", () => {})
    client.on("notification", ({ payload = "" }) => payload.split(" ").forEach(tell))
    const watched = yield* Effect.forkScoped(ended)
    yield* Effect.tryPromise(() => client.connect())
    yield* Effect.tryPromise(() => client.query(`LISTEN ${CHANNEL}`))
    tell("")
    yield* watched
  })

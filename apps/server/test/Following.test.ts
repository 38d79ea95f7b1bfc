import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Http from "node:http"
import type * as Server from "../src/Server.ts"
import { ask } from "./support/Raw.ts"
import { balanced, RUN, user } from "./support/Runs.ts"
import { clientOf, fresh, quiet, serve, sqlOn, temporaryFile } from "./support/Serving.ts"

const path = { run: RUN }

/** Reads a stream until it holds as many events, or the other side ends it. */
const events = (server: Server.Started, count: number, headers: Readonly<Record<string, string>> = {}, query = "") =>
  Effect.async<ReadonlyArray<{ readonly id: number; readonly kind: string; readonly data: unknown }>, unknown>(
    (resume) => {
      let text = ""
      const read = () =>
        text
          .split("\n\n")
          .slice(0, -1)
          .filter((frame) => !frame.startsWith(":"))
          .map((frame) => {
            const line = (name: string) =>
              frame
                .split("\n")
                .find((one) => one.startsWith(`${name}: `))
                ?.slice(name.length + 2)
            return {
              id: Number(line("id")),
              kind: line("event") ?? "",
              data: JSON.parse(line("data") ?? "null") as unknown
            }
          })
      const request = Http.get(
        { host: server.host, port: server.port, path: `/api/v1/runs/${RUN}/live${query}`, headers, agent: false },
        (response) => {
          expect(response.headers["content-type"]).toBe("text/event-stream")
          response.on("data", (chunk: Buffer) => {
            text += chunk.toString()
            if (read().length < count) return
            request.destroy()
            resume(Effect.succeed(read()))
          })
          response.on("end", () => resume(Effect.succeed(read())))
          response.on("error", () => resume(Effect.succeed(read())))
        }
      )
      request.on("error", () => resume(Effect.succeed(read())))
      return Effect.sync(() => request.destroy())
    }
  )

describe("following a run", () => {
  it.scopedLive("gives what is there and then what comes, each event once and in order", () =>
    Effect.gen(function* () {
      const { client, server } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      const reading = yield* Effect.fork(events(server, 5))
      for (let i = 1; i <= 4; i++) {
        yield* client.runs.observe({ path, payload: { id: `b${i}`, entries: [user(`${i}`, `u${i}`)] } })
      }
      const read = yield* Fiber.join(reading)
      expect(read.map(({ id, kind }) => [id, kind])).toEqual([
        [1, "Began"],
        ...[2, 3, 4, 5].map((seq) => [seq, "Entered"])
      ])
      const stored = yield* client.reading.events({ path, urlParams: {} })
      expect(read.map(({ data }) => data)).toEqual(stored.items)
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("resumes by Last-Event-ID behind the last event that was read, and from any place by `after`", () =>
    Effect.gen(function* () {
      const { client, server } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      const entries = Array.from({ length: 9 }, (_, i) => user(`${i}`, `u${i}`))
      yield* client.runs.observe({ path, payload: { id: "b1", entries } })
      const first = yield* events(server, 4)
      const rest = yield* events(server, 6, { "last-event-id": String(first.at(-1)?.id) })
      expect([...first.slice(0, 4), ...rest].map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect((yield* events(server, 2, {}, "?after=8")).map(({ id }) => id)).toEqual([9, 10])
      expect((yield* ask(server, `/api/v1/runs/${RUN}/live?after=99`)).status).toBe(404)
      expect((yield* ask(server, "/api/v1/runs/none/live")).status).toBe(404)
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("what another server writes comes too", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [one, two] = [yield* serve(filename), yield* serve(filename)]
      const writer = yield* clientOf(two)
      yield* writer.runs.begin({ payload: { run: RUN, config: balanced() } })
      const reading = yield* Effect.fork(events(one, 2))
      yield* Effect.sleep("200 millis")
      yield* writer.runs.observe({ path, payload: { id: "b1", entries: [user("One.")] } })
      expect((yield* Fiber.join(reading)).map(({ id }) => id)).toEqual([1, 2])
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("an event that does not chain ends the stream with a fault that names it", () =>
    Effect.gen(function* () {
      const { client, filename, server } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      yield* client.runs.observe({ path, payload: { id: "b1", entries: [user("One."), user("Two.", "u2")] } })
      yield* sqlOn(filename, "UPDATE events SET digest = (SELECT digest FROM events WHERE seq = 1) WHERE seq = 3")
      const read = yield* events(server, 9)
      expect(read.map(({ kind }) => kind)).toEqual(["Began", "Entered", "fault"])
      expect(read.at(-1)?.data).toMatchObject({ _tag: "Damaged" })
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("more streams than the limit are refused, and a closed one makes room", () =>
    Effect.gen(function* () {
      const { client, server } = yield* fresh({ limits: { streams: 1 } })
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      const reading = yield* Effect.fork(events(server, 9))
      yield* Effect.sleep("300 millis")
      expect((yield* ask(server, `/api/v1/runs/${RUN}/live`)).status).toBe(503)
      yield* Fiber.interrupt(reading)
      yield* Effect.sleep("300 millis")
      expect((yield* events(server, 1)).length).toBe(1)
    }).pipe(Effect.provide(quiet))
  )
})

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Layer from "effect/Layer"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Policy from "@palimpsest/policy/Policy"
import * as Export from "../src/Export.ts"
import * as Tokens from "../src/Tokens.ts"
import { balanced, reads, RUN, user } from "./support/Runs.ts"
import { clientOf, logged, serve, temporaryFile } from "./support/Serving.ts"

const path = { run: RUN }

/** A collector that keeps what it is told, by path. */
const collector = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly told: Map<string, string>
    readonly server: Http.Server
    readonly keys: Set<unknown>
  }>((resume) => {
    const told = new Map<string, string>()
    const keys = new Set<unknown>()
    const server = Http.createServer((request, response) => {
      keys.add(request.headers["x-key"])
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () => {
        told.set(request.url ?? "", (told.get(request.url ?? "") ?? "") + body)
        response.end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, told, server, keys }))
    })
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
)

describe("OpenTelemetry", () => {
  it.scopedLive("spans, metrics and logs of a turn reach a collector, under conventional names, without secrets", () =>
    Effect.gen(function* () {
      const { keys, told, url } = yield* collector
      const { layer: logs, lines } = logged()
      const filename = yield* temporaryFile
      const { secret, token } = Tokens.make("agent", "write")
      const named = Export.fromEnvironment({
        OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=of%20mine",
        OTEL_SERVICE_NAME: "house"
      })
      if (named === undefined) throw new Error("an endpoint is named")
      const telemetry = Layer.provideMerge(Export.layer({ ...named, every: "100 millis" }), logs)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const policy = Policy.deny(Policy.layer(Policy.permissive, "mine"), "read", "*.key")
          const server = yield* serve(filename, { tokens: [token], policy })
          const client = yield* clientOf(server, Redacted.value(secret))
          yield* client.runs.begin({ payload: { run: RUN, config: balanced(2_000, 4_000) } })
          for (let i = 1; i <= 4; i++) {
            const text = `${i}\n${"words of a file\n".repeat(400)}`
            const entries = [...(i === 1 ? [user("Begin: the-body-secret.")] : []), ...reads(`c${i}`, `f${i}.ts`, text)]
            yield* client.runs.observe({ path, payload: { id: `b${i}`, entries } })
            yield* client.runs.prepare({ path: { run: RUN, request: i }, urlParams: {} })
          }
          yield* client.runs.check({ path, payload: { act: "read", target: "my.key" } })
          const usage = {
            input_tokens: 100,
            cache_read_input_tokens: 300,
            cache_creation_input_tokens: 0,
            output_tokens: 20
          }
          yield* client.runs.settle({
            path: { run: RUN, request: 4 },
            payload: { reported: { _tag: "Anthropic", usage } }
          })
          yield* Effect.sleep("400 millis")
        })
      ).pipe(Effect.provide(telemetry), Logger.withMinimumLogLevel(LogLevel.Debug))
      const [traces = "", metrics = "", logged_ = ""] = ["/v1/traces", "/v1/metrics", "/v1/logs"].map((one) =>
        told.get(one)
      )
      const names = [
        "http.server PUT",
        "Turns.prepare",
        "Turns.observe",
        "Keyed.commit",
        "SqlEventStore.append",
        "Turns.settle"
      ]
      for (const name of names) expect(traces).toContain(`"name":"${name}"`)
      const attributes = [
        "gen_ai.operation.name",
        "gen_ai.request.model",
        "gen_ai.conversation.id",
        "gen_ai.usage.input_tokens",
        "http.route"
      ]
      for (const name of attributes) expect(traces).toContain(`"key":"${name}"`)
      const measured = [
        "gen_ai.client.token.usage",
        "palimpsest.tokens.carried",
        "palimpsest.tokens.elided",
        "palimpsest.cost",
        "palimpsest.cache.share",
        "palimpsest.epochs",
        "palimpsest.refusals",
        "http.server.request.duration"
      ]
      for (const name of measured) expect(metrics).toContain(`"name":"${name}"`)
      expect(logged_).toContain("answered")
      expect(lines.every((line) => typeof JSON.parse(line) === "object")).toBe(true)
      expect(keys).toEqual(new Set(["of mine"]))
      expect(traces).toContain("house")
      for (const text of [traces, metrics, logged_, ...lines]) {
        expect(text).not.toContain(Redacted.value(secret).slice(4))
        expect(text).not.toContain("the-body-secret")
        expect(text).not.toContain("of mine")
      }
    })
  )

  it("without an endpoint nothing is exported", () => {
    expect(Export.fromEnvironment({})).toBeUndefined()
    expect(Export.fromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBeUndefined()
    expect(Export.fromEnvironment({}, "http://127.0.0.1:4318/")?.url).toBe("http://127.0.0.1:4318")
  })

  it.scopedLive("a collector that does not answer costs no request its answer", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const named = Export.fromEnvironment({}, "http://127.0.0.1:9")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Effect.flatMap(serve(filename), (server) => clientOf(server))
          expect((yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })).run).toBe(RUN)
        })
      ).pipe(Effect.provide(Layer.provideMerge(Export.layer(named), logged().layer)))
    })
  )
})

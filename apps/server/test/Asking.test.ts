import { describe, expect, it } from "@effect/vitest"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Effect from "effect/Effect"
import { Api } from "@palimpsest/api/Api"
import { Seq } from "@palimpsest/ledger/Ids"
import * as Policy from "@palimpsest/policy/Policy"
import { page } from "../src/Docs.ts"
import { ask as get } from "./support/Raw.ts"
import { balanced, RUN, user } from "./support/Runs.ts"
import { clientOf, fresh, quiet, serve, temporaryFile } from "./support/Serving.ts"

const path = { run: RUN }

describe("approvals over HTTP", () => {
  const policy = Policy.ask(Policy.layer(Policy.permissive, "mine"), "exec", "rm")

  it.scopedLive("a question waits, once, over a restart and on another server, until somebody answers it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const asked = { act: "exec", target: "rm" } as const
      yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Effect.flatMap(serve(filename), (server) => clientOf(server))
          yield* client.runs.begin({ payload: { run: RUN, config: balanced(), policy } })
          const first = yield* client.approvals.ask({ path, payload: asked })
          expect(first).toEqual({ _tag: "Pending", asked: 2 })
          expect(yield* client.approvals.ask({ path, payload: asked })).toEqual(first)
        })
      )
      const client = yield* Effect.flatMap(serve(filename), (server) => clientOf(server))
      expect((yield* client.approvals.pending({ path })).items).toMatchObject([{ asked: 2, act: "exec", target: "rm" }])
      const answer = { path: { run: RUN, asked: 2 }, payload: { answer: { _tag: "Approve" } } } as const
      expect(yield* client.approvals.answer(answer)).toMatchObject({ _tag: "Allowed", target: "rm" })
      expect(yield* Effect.flip(client.approvals.answer(answer))).toMatchObject({ _tag: "NotFound", what: "approval" })
      expect((yield* client.approvals.pending({ path })).items).toEqual([])
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("no answer lifts a deny of the server's policy of now", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const before = yield* Effect.flatMap(serve(filename), (server) => clientOf(server))
      yield* before.runs.begin({ payload: { run: RUN, config: balanced(), policy } })
      yield* before.approvals.ask({ path, payload: { act: "exec", target: "rm" } })
      const house = Policy.deny(Policy.layer(Policy.permissive, "house"), "exec", "rm")
      const after = yield* Effect.flatMap(serve(filename, { policy: house }), (server) => clientOf(server))
      const answer = { path: { run: RUN, asked: 2 }, payload: { answer: { _tag: "Approve" } } } as const
      const outcome = yield* after.approvals.answer(answer)
      expect(outcome).toMatchObject({ _tag: "Refused", verdict: { ruling: "deny", layer: "house" } })
    }).pipe(Effect.provide(quiet))
  )
})

describe("notes over HTTP", () => {
  it.scopedLive("are written, read whole, deleted and cleared, under any key and workspace", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      const workspace = "/home of/ünï?&=#"
      const key = "a/b c?"
      const long = "x".repeat(3_000)
      yield* client.notes.put({ urlParams: { workspace, key }, payload: { value: "one" } })
      yield* client.notes.put({ urlParams: { workspace, key: "k2" }, payload: { value: long } })
      expect((yield* client.notes.list({ urlParams: { workspace } })).items.map((note) => note.key)).toEqual([
        key,
        "k2"
      ])
      expect((yield* client.notes.get({ urlParams: { workspace, key: "k2" } })).whole).toBe(long)
      expect((yield* client.notes.list({ urlParams: { workspace: "other" } })).items).toEqual([])
      expect(yield* client.notes.remove({ urlParams: { workspace, key } })).toEqual({ deleted: true })
      expect(yield* client.notes.remove({ urlParams: { workspace, key } })).toEqual({ deleted: false })
      expect(yield* client.notes.clear({ urlParams: { workspace } })).toEqual({ deleted: 1 })
      const none = yield* Effect.flip(client.notes.get({ urlParams: { workspace, key } }))
      expect(none).toMatchObject({ _tag: "NotFound", what: "note" })
      const bad = yield* Effect.flip(client.notes.put({ urlParams: { workspace, key: "" }, payload: { value: "x" } }))
      expect(bad).toMatchObject({ _tag: "Invalid", field: "key" })
    }).pipe(Effect.provide(quiet))
  )
})

describe("a run out of turn", () => {
  it.scopedLive("usage of a request that was not made is refused with the number that is expected", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: { preset: "raw", shape: "openai-chat" } } })
      yield* client.runs.observe({ path, payload: { id: "b", entries: [user("One.")] } })
      const wrong = yield* Effect.flip(
        client.runs.settle({
          path: { run: RUN, request: 1 },
          payload: { reported: { _tag: "OpenAiChat", usage: { prompt_tokens: 3 } } }
        })
      )
      expect(wrong).toMatchObject({ _tag: "OutOfTurn", expected: 1 })
      expect((yield* client.reading.events({ path, urlParams: { after: Seq.make(1) } })).items.length).toBe(1)
    }).pipe(Effect.provide(quiet))
  )
})

describe("the documentation", () => {
  const html = page(OpenApi.fromApi(Api))

  it("works offline: it names no other host, loads nothing and runs nothing", () => {
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son[a-z]+=/i)
    const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target = ""]) => target)
    expect(named.filter((target) => !target.startsWith("#"))).toEqual(["/openapi.json"])
  })

  it("names every endpoint and every schema, and each link in it leads somewhere", () => {
    const spec = OpenApi.fromApi(Api)
    for (const path of Object.keys(spec.paths)) expect(html).toContain(`<code>${path}</code>`)
    const ids = new Set([...html.matchAll(/id="([^"]*)"/g)].map(([, id = ""]) => id))
    for (const [, target = ""] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target)
  })

  it.scopedLive("the contract that is served is the one that clients are derived from", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh()
      const served = yield* get(server, "/openapi.json")
      expect(JSON.parse(served.body)).toEqual(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))
      expect((yield* get(server, "/docs")).body).toBe(html)
    }).pipe(Effect.provide(quiet))
  )
})

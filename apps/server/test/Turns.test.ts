import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LogId, Seq } from "@palimpsest/ledger/Ids"
import * as Policy from "@palimpsest/policy/Policy"
import { balanced, reads, RUN, user } from "./support/Runs.ts"
import { fresh, quiet } from "./support/Serving.ts"

const path = { run: RUN }

describe("a turn over HTTP", () => {
  it.scopedLive("begin, observe, check, prepare, settle, and read it all back", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      const run = yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      expect(run).toMatchObject({ run: RUN, tree: RUN, head: { seq: 1 } })
      const observed = yield* client.runs.observe({
        path,
        payload: { id: "b1", entries: [user("Look at a.ts."), ...reads("c1", "a.ts", "export {}\n")] }
      })
      expect(observed).toEqual({ first: 2, last: 4 })
      expect((yield* client.runs.check({ path, payload: { act: "write", target: "a.ts" } })).verdict.ruling).toBe(
        "allow"
      )
      const turn = yield* client.runs.prepare({ path: { run: RUN, request: 1 }, urlParams: {} })
      expect(turn._tag === "Send" ? turn.messages.map((text): unknown => JSON.parse(text)) : []).toMatchObject([
        { role: "user" },
        { role: "assistant" },
        { role: "user" }
      ])
      const reported = { _tag: "Anthropic", usage: { input_tokens: 20, output_tokens: 3 } } as const
      expect((yield* client.runs.settle({ path: { run: RUN, request: 1 }, payload: { reported } })).seq).toBe(6)

      expect((yield* client.runs.list({ urlParams: {} })).items.map((one) => one.run)).toEqual([RUN])
      expect(yield* client.runs.get({ path })).toMatchObject({ title: "Look at a.ts.", requests: 1 })
      const entries = yield* client.reading.entries({ path, urlParams: {} })
      expect(entries.items.map((row) => [row.address, row.part])).toEqual([
        [`${RUN}@2`, "Text"],
        [`${RUN}@3`, "Call"],
        [`${RUN}@4`, "Result"]
      ])
      const view = yield* client.reading.view({ path: { run: RUN, request: 1 } })
      expect(view._tag === "Sent" && turn._tag === "Send" && view.messages).toEqual(
        turn._tag === "Send" ? turn.messages : []
      )
      expect(yield* client.reading.text({ path: { run: RUN, request: 1 } })).toContain("--- user\n")
      expect(yield* client.reading.audit({ path, urlParams: {} })).toMatchObject({
        whole: true,
        events: 6,
        requests: 1
      })
      const recalled = yield* client.reading.recall({ urlParams: { address: `${RUN}@4` } })
      expect(recalled).toMatchObject({ text: "export {}\n", encoding: "utf8" })
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("what is left out is a decision with an address, and comes back by it", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced(2_000, 4_000) } })
      const text = "line of a file\n".repeat(400)
      for (let i = 1; i <= 6; i++) {
        const entries = [...(i === 1 ? [user("Go.")] : []), ...reads(`c${i}`, `f${i}.ts`, `${i}\n${text}`)]
        yield* client.runs.observe({ path, payload: { id: `b${i}`, entries } })
        yield* client.runs.prepare({ path: { run: RUN, request: i }, urlParams: {} })
      }
      const { items } = yield* client.reading.decisions({ path, urlParams: {} })
      expect(items.length).toBeGreaterThan(0)
      const view = yield* client.reading.view({ path: { run: RUN, request: 6 } })
      const gone = view._tag === "Sent" ? view.entries.find(({ why }) => why !== undefined) : undefined
      expect(gone).toBeDefined()
      const { text: whole } = yield* client.reading.recall({ urlParams: { address: gone?.address ?? "" } })
      expect(whole?.length).toBeGreaterThan(20)
      expect((yield* client.reading.audit({ path, urlParams: {} })).whole).toBe(true)
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("the same id with the same entries answers as the first did; with others it is refused", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      const payload = { id: "b1", entries: [user("One."), user("Two.", "u2")] }
      const first = yield* client.runs.observe({ path, payload })
      yield* client.runs.prepare({ path: { run: RUN, request: 1 }, urlParams: {} })
      expect(yield* client.runs.observe({ path, payload })).toEqual(first)
      const others = [
        { id: "b1", entries: [user("Three.")] },
        { id: "b1", entries: [user("One.")] },
        { id: "b1", entries: [...payload.entries, user("More.", "u3")] }
      ]
      for (const other of others) {
        expect((yield* Effect.flip(client.runs.observe({ path, payload: other })))._tag).toBe("Reused")
      }
      expect((yield* client.reading.events({ path, urlParams: {} })).items.map(({ kind }) => kind)).toEqual([
        "Began",
        "Entered",
        "Entered",
        "Requested"
      ])
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a request that was made answers as it was made; one out of turn says which is expected", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      yield* client.runs.observe({ path, payload: { id: "b1", entries: [user("One.")] } })
      const first = yield* client.runs.prepare({ path: { run: RUN, request: 1 }, urlParams: {} })
      yield* client.runs.observe({ path, payload: { id: "b2", entries: [user("Two.", "u2")] } })
      expect(yield* client.runs.prepare({ path: { run: RUN, request: 1 }, urlParams: {} })).toEqual(first)
      const early = yield* Effect.flip(client.runs.prepare({ path: { run: RUN, request: 3 }, urlParams: {} }))
      expect(early).toMatchObject({ _tag: "OutOfTurn", expected: 2 })
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a beginning is one: the same again answers alike, another under the name is refused", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      const payload = { run: RUN, config: balanced() }
      const first = yield* client.runs.begin({ payload })
      yield* client.runs.observe({ path, payload: { id: "b1", entries: [user("One.")] } })
      expect(yield* client.runs.begin({ payload })).toEqual(first)
      const other = yield* Effect.flip(client.runs.begin({ payload: { run: RUN, config: balanced(60_000) } }))
      expect(other._tag).toBe("Reused")
      for (const run of ["a~b", "notes.0123456789abcdef"]) {
        const kept = yield* Effect.flip(client.runs.begin({ payload: { ...payload, run: LogId.make(run) } }))
        expect(kept).toMatchObject({ _tag: "Invalid", field: "run" })
      }
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a sub-agent's run lies in its parent's tree, and its policy only narrows", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      const denied = Policy.deny(Policy.layer(Policy.permissive, "mine"), "read", "secret/*")
      yield* client.runs.begin({ payload: { run: RUN, config: balanced(), policy: denied } })
      yield* client.runs.observe({ path, payload: { id: "b1", entries: reads("c1", "a.ts", "") } })
      const child = LogId.make("child")
      const begun = yield* client.runs.begin({
        payload: {
          run: child,
          config: balanced(),
          parent: { run: RUN, call: Seq.make(2) },
          policy: Policy.permissive
        }
      })
      expect(begun).toMatchObject({ tree: RUN, parent: RUN })
      const check = { act: "read", target: "secret/key" } as const
      expect((yield* client.runs.check({ path: { run: child }, payload: check })).verdict).toEqual({
        ruling: "deny",
        rule: "secret/*",
        layer: "mine"
      })
      const { items } = yield* client.runs.tree({ path: { tree: begun.tree }, urlParams: {} })
      expect(items.map(({ run }) => run)).toEqual([child, RUN])
      const wrong = yield* Effect.flip(
        client.runs.begin({
          payload: { run: LogId.make("c2"), config: balanced(), parent: { run: RUN, call: Seq.make(3) } }
        })
      )
      expect(wrong).toMatchObject({ _tag: "Invalid", field: "parent.call" })
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("the server's policy narrows every run, recall included", () =>
    Effect.gen(function* () {
      const policy = Policy.deny(Policy.layer(Policy.permissive, "house"), "read", "*.key")
      const { client } = yield* fresh({ policy })
      yield* client.runs.begin({ payload: { run: RUN, config: balanced(), policy: Policy.permissive } })
      yield* client.runs.observe({ path, payload: { id: "b1", entries: reads("c1", "my.key", "S") } })
      const check = yield* client.runs.check({ path, payload: { act: "read", target: "my.key" } })
      expect(check.verdict).toMatchObject({ ruling: "deny", layer: "house" })
      const refused = yield* Effect.flip(client.reading.recall({ urlParams: { address: `${RUN}@3` } }))
      expect(refused).toMatchObject({ _tag: "PolicyRefused", target: "my.key", ruling: "deny", layer: "house" })
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("lists are pages: the pages together are the whole", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      for (let i = 0; i < 7; i++) {
        yield* client.runs.begin({ payload: { run: LogId.make(`run-${i}`), config: balanced() } })
      }
      const names: Array<string> = []
      for (let after: LogId | undefined; ;) {
        const page = yield* client.runs.list({ urlParams: { limit: 3, ...(after === undefined ? {} : { after }) } })
        expect(page.items.length).toBeLessThanOrEqual(3)
        names.push(...page.items.map(({ run }) => run))
        after = page.next
        if (after === undefined) break
      }
      expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `run-${i}`))
      const first = LogId.make("run-0")
      const entries = Array.from({ length: 25 }, (_, i) => user(`${i}`, `u${i}`))
      yield* client.runs.observe({ path: { run: first }, payload: { id: "b", entries } })
      const seqs: Array<number> = []
      for (let after = 0; ;) {
        const page = yield* client.reading.entries({ path: { run: first }, urlParams: { limit: 10, after } })
        seqs.push(...page.items.map(({ seq }) => seq))
        if (page.next === undefined) break
        after = page.next
      }
      expect(seqs).toEqual(entries.map((_, i) => i + 2))
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("what is not there is said to be not there, by name and status", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      const none = LogId.make("none")
      expect(yield* Effect.flip(client.runs.get({ path: { run: none } }))).toMatchObject({
        _tag: "NotFound",
        what: "run"
      })
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      expect(yield* Effect.flip(client.reading.view({ path: { run: RUN, request: 1 } }))).toMatchObject({
        _tag: "NotFound",
        what: "request"
      })
      expect(yield* Effect.flip(client.reading.recall({ urlParams: { address: `${RUN}@9` } }))).toMatchObject({
        _tag: "NotFound",
        what: "entry"
      })
      expect(yield* Effect.flip(client.reading.search({ urlParams: { words: "x" } }))).toMatchObject({
        _tag: "NotOffered"
      })
    }).pipe(Effect.provide(quiet))
  )
})

import { describe, it } from "@effect/vitest"
import { encodeUtf8, ownText, type Stored } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { Draft } from "@palimpsest/ledger/Event"
import { EventStore, type Append } from "@palimpsest/ledger/EventStore"
import { LogId, TreeId, type Digest } from "@palimpsest/ledger/Ids"
import { needlesOf, Removal, removalsOf, type Command } from "@palimpsest/ledger/Removal"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect } from "vitest"
import { hash } from "../src/NodeHasher.ts"
import { databases } from "./Databases.ts"
import { wholeLog } from "./Processes.ts"

const TREE = TreeId.make("tree")
const OTHER = TreeId.make("other")
const RUN = LogId.make("tree")
const CHILD = LogId.make("child")
const KEY = 'sk-live-"0f9c"-ünïcode-4471'

const draft = (id: string, payload: object): Draft => ({
  id,
  at: "",
  kind: "Entered",
  version: 1,
  payload: JSON.stringify(payload)
})

const append = (tree: TreeId, log: LogId, id: string, payload: object): Append => ({
  id: `${log}/${id}`,
  tree,
  writes: [{ log, expected: { _tag: "Next" }, drafts: [draft(id, payload)] }]
})

const body = (text: string, media = "text/plain"): Stored => ownText(hash, text, media).stored
const record = (value: unknown): Stored => body(JSON.stringify(value), "application/json")

const leaked = body(KEY)
const holders = [
  leaked,
  record({ result: { content: KEY } }),
  record({ call: { arguments: JSON.stringify({ command: `curl -H ${KEY}` }) } })
]
const innocent = [body("nothing of interest"), record({ result: "nothing" }), body("a".repeat(70_000))]

const act = (id: string, command: Command, tree = TREE) => ({ id, tree, at: "2026-12-01T00:00:00Z", command })

/** Two logs of one tree and one of another, with bodies; every one of them is named by an event. */
const filled = Effect.gen(function* () {
  const [events, bodies] = yield* Effect.all([EventStore, BodyStore])
  yield* bodies.put(TREE, [...holders, ...innocent])
  yield* bodies.put(OTHER, holders)
  for (const [i, { digest }] of [...holders, ...innocent].entries()) {
    yield* events.append(append(TREE, i % 2 === 0 ? RUN : CHILD, `${i}`, { digest }))
  }
  yield* events.append(append(OTHER, LogId.make("other"), "0", { digests: holders.map(({ digest }) => digest) }))
})

const listed = (tree: TreeId) => Effect.flatMap(BodyStore, (bodies) => bodies.list(tree, "", 100))
const digests = (bodies: ReadonlyArray<Stored>) => bodies.map(({ digest }) => digest).sort()
const nonEmpty = (of: ReadonlyArray<Digest>): readonly [Digest, ...ReadonlyArray<Digest>] => {
  const [first, ...more] = of
  if (first === undefined) throw new Error("empty")
  return [first, ...more]
}

for (const { byHand, name, storeAt, temporary } of databases) {
  describe(`removal, on ${name}`, () => {
    const ages = (address: string, minutes: number) =>
      byHand(address, (sql) => sql`UPDATE bodies SET touched = touched - ${minutes}`)

    it.scopedLive("erase: every body that holds the bytes goes, in whatever escape, and every chain stays whole", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          yield* filled
          const removal = yield* Removal
          const found = yield* removal.holding(TREE, needlesOf(encodeUtf8(KEY)), 100)
          expect(found).toEqual({ bodies: digests(holders), events: [] })
          const erase = act("erase", {
            _tag: "Erase",
            why: "leaked",
            entries: [{ log: RUN, seq: (yield* wholeLog(RUN))[0]!.seq }],
            bodies: nonEmpty(found.bodies)
          })
          const first = yield* removal.remove(erase)
          expect(first.removed).toMatchObject({ _tag: "Erased", bodies: digests(holders) })
          expect(yield* removal.remove(erase)).toEqual(first)
          expect(yield* listed(TREE)).toEqual(digests(innocent))
          expect(yield* listed(OTHER)).toEqual(digests(holders))
          expect(yield* removal.holding(TREE, needlesOf(encodeUtf8(KEY)), 100)).toEqual({ bodies: [], events: [] })
          expect((yield* wholeLog(RUN)).length + (yield* wholeLog(CHILD)).length).toBe(6)
          expect((yield* wholeLog(removalsOf(TREE))).map(({ kind }) => kind)).toEqual(["Erased"])
          const store = yield* BodyStore
          expect(yield* Effect.flip(store.get(TREE, leaked.digest))).toMatchObject({
            _tag: "BodyFault",
            why: "missing"
          })
          const misused = act("erase", { _tag: "Forget", why: "" })
          expect(yield* Effect.flip(removal.remove(misused))).toMatchObject({ _tag: "BadAppend" })
        }).pipe(Effect.provide(storeAt(address)))
      })
    )

    it.scopedLive("an event that holds the bytes is named, as it cannot be erased", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          yield* Effect.flatMap(EventStore, (store) => store.append(append(TREE, RUN, "said", { said: KEY })))
          const removal = yield* Removal
          expect(yield* removal.holding(TREE, needlesOf(encodeUtf8(KEY)), 100)).toEqual({
            bodies: [],
            events: [{ log: RUN, seq: 1 }]
          })
          expect(yield* removal.holding(TREE, [new Uint8Array()], 100)).toEqual({ bodies: [], events: [] })
        }).pipe(Effect.provide(storeAt(address)))
      })
    )

    it.scopedLive("expire: what was put since the time stays, and the act names what went", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          yield* filled
          yield* ages(address, 90 * 24 * 60)
          const [bodies, removal] = yield* Effect.all([BodyStore, Removal])
          const before = Date.now() - 30 * 24 * 60 * 60_000
          const aged = yield* removal.aged(TREE, before, "", 100)
          expect(aged).toEqual(digests([...holders, ...innocent]))
          // Put again between the look and the act: it is not old any more.
          yield* bodies.put(TREE, innocent)
          const command = { _tag: "Expire", before: new Date(before).toISOString(), bodies: nonEmpty(aged) } as const
          const first = yield* removal.remove(act("expire", command))
          expect(first.removed).toMatchObject({ _tag: "Expired", bodies: digests(holders) })
          expect(yield* removal.remove(act("expire", command))).toEqual(first)
          expect(yield* listed(TREE)).toEqual(digests(innocent))
          expect(yield* Effect.flip(removal.remove(act("again", command)))).toMatchObject({ _tag: "BadAppend" })
          yield* wholeLog(RUN)
        }).pipe(Effect.provide(storeAt(address)))
      })
    )

    it.scopedLive("forget: heads and a tombstone stay, the tree takes no more, and another tree is as it was", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          yield* filled
          const [events, removal] = yield* Effect.all([EventStore, Removal])
          const heads = yield* events.logs({ tree: TREE, after: "", limit: 10 })
          const forget = act("forget", { _tag: "Forget", why: "asked to" })
          const first = yield* removal.remove(forget)
          expect(first.removed).toMatchObject({
            _tag: "Forgotten",
            heads: heads.map(({ head, log }) => ({ log, seq: head.seq, digest: head.digest }))
          })
          expect(yield* removal.remove(forget)).toEqual(first)
          expect(yield* listed(TREE)).toEqual([])
          for (const log of [RUN, CHILD]) {
            expect(yield* events.read(log, 0, 10)).toEqual([])
            expect(yield* events.inspect(log)).toEqual([])
          }
          const after = yield* events.logs({ tree: TREE, after: "", limit: 10 })
          expect(after.filter(({ log }) => log !== removalsOf(TREE))).toEqual(heads)
          expect((yield* wholeLog(removalsOf(TREE))).map(({ kind }) => kind)).toEqual(["Forgotten"])
          for (const log of [RUN, LogId.make("new")]) {
            expect(yield* Effect.flip(events.append(append(TREE, log, "late", {})))).toMatchObject({
              _tag: "BadAppend",
              why: expect.stringContaining("was forgotten")
            })
          }
          expect(
            yield* Effect.flip(events.append(append(TREE, RUN, "0", { digest: holders[0]!.digest })))
          ).toMatchObject({
            _tag: "BadAppend"
          })
          expect(yield* listed(OTHER)).toEqual(digests(holders))
          expect((yield* wholeLog(LogId.make("other"))).length).toBe(1)
        }).pipe(Effect.provide(storeAt(address)))
        yield* byHand(address, (sql) => sql`UPDATE logs SET head = ${"0".repeat(64)} WHERE log = ${CHILD}`)
        const said = yield* Effect.flatMap(EventStore, (events) => events.inspect(CHILD)).pipe(
          Effect.provide(storeAt(address))
        )
        expect(said).toEqual([{ seq: 1, why: expect.stringContaining("the tombstone of its tree names another") }])
      })
    )

    it.scopedLive("forget beside writers: each append is whole and before the tombstone, or refused", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          const [events, removal] = yield* Effect.all([EventStore, Removal])
          const write = (i: number) =>
            Effect.either(
              events.append({
                id: `w${i}`,
                tree: TREE,
                writes: [RUN, LogId.make(`log${i % 7}`)].map((log) => ({
                  log,
                  expected: { _tag: "Next" } as const,
                  drafts: [draft(`${i}`, {})] as const
                }))
              })
            )
          const [answers, forgotten] = yield* Effect.all(
            [
              Effect.forEach(
                Array.from({ length: 60 }, (_, i) => i),
                write,
                { concurrency: 12 }
              ),
              Effect.delay(removal.remove(act("forget", { _tag: "Forget", why: "" })), "15 millis")
            ],
            { concurrency: "unbounded" }
          )
          const acknowledged = answers.filter(Either.isRight).length
          for (const answer of answers.filter(Either.isLeft)) expect(answer.left._tag).toBe("BadAppend")
          const { removed } = forgotten
          const run = removed._tag === "Forgotten" ? removed.heads.find(({ log }) => log === RUN) : undefined
          expect(run?.seq ?? 0).toBe(acknowledged)
          for (const { log } of yield* events.logs({ tree: TREE, after: "", limit: 100 })) {
            expect(yield* events.inspect(log)).toEqual([])
          }
        }).pipe(Effect.provide(storeAt(address)))
      })
    )

    it.scopedLive("sweep: only what nothing names and nothing has put for a day", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          yield* filled
          const [bodies, removal] = yield* Effect.all([BodyStore, Removal])
          const policy = body("deny all")
          const config = record({ policy: policy.digest })
          const events = yield* EventStore
          yield* bodies.put(TREE, [policy, config, body("lost")])
          yield* events.append(append(TREE, RUN, "config", { config: config.digest }))
          expect(yield* removal.sweep(TREE)).toEqual({ bodies: 0, bytes: 0 })
          yield* ages(address, 23 * 60)
          expect(yield* removal.sweep(TREE)).toEqual({ bodies: 0, bytes: 0 })
          yield* ages(address, 120)
          yield* bodies.put(TREE, [body("fresh")])
          expect(yield* removal.sweep(TREE)).toEqual({ bodies: 1, bytes: 4 })
          expect(yield* listed(TREE)).toEqual(digests([...holders, ...innocent, policy, config, body("fresh")]))
        }).pipe(Effect.provide(storeAt(address)))
      })
    )

    it.scopedLive("sweep beside puts: what is put and then named is there", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        yield* Effect.gen(function* () {
          const [bodies, events, removal] = yield* Effect.all([BodyStore, EventStore, Removal])
          const old = Array.from({ length: 40 }, (_, i) => body(`old ${i}`))
          yield* events.append(append(TREE, RUN, "begin", {}))
          yield* bodies.put(TREE, old)
          yield* ages(address, 48 * 60)
          const refer = (one: Stored, i: number) =>
            Effect.zipRight(bodies.put(TREE, [one]), events.append(append(TREE, RUN, `${i}`, { digest: one.digest })))
          yield* Effect.all(
            [
              Effect.forEach(
                old.filter((_, i) => i % 2 === 0),
                refer,
                { concurrency: 4 }
              ),
              Effect.repeatN(Effect.delay(removal.sweep(TREE), "1 millis"), 10)
            ],
            { concurrency: "unbounded" }
          )
          const left = new Set(yield* listed(TREE))
          for (const [i, { digest }] of old.entries()) expect(left.has(digest), `${i}`).toBe(i % 2 === 0)
        }).pipe(Effect.provide(storeAt(address)))
      })
    )
  })
}

it.scopedLive("no file of an SQLite database holds erased bytes, even while another process has it open", () =>
  Effect.gen(function* () {
    const [sqlite] = databases
    const file = yield* sqlite!.temporary
    const held = () =>
      fs
        .readdirSync(path.dirname(file))
        .filter((name) =>
          needlesOf(encodeUtf8(KEY)).some((needle) =>
            fs.readFileSync(path.join(path.dirname(file), name)).includes(Buffer.from(needle))
          )
        )
    yield* Effect.gen(function* () {
      yield* filled
      const [removal, bodies] = yield* Effect.all([Removal, BodyStore])
      const large = body(`${"x".repeat(50_000)}${KEY}${"y".repeat(50_000)}`)
      yield* bodies.put(TREE, [large])
      expect(held().length).toBeGreaterThan(0)
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(EventStore, (other) => other.read(RUN, 0, 10))
        for (const tree of [TREE, OTHER]) {
          const found = yield* removal.holding(tree, needlesOf(encodeUtf8(KEY)), 100)
          yield* removal.remove(
            act(`erase ${tree}`, { _tag: "Erase", why: "leaked", entries: [], bodies: nonEmpty(found.bodies) }, tree)
          )
        }
        expect(held()).toEqual([])
      }).pipe(Effect.provide(sqlite!.storeAt(file)))
    }).pipe(Effect.provide(sqlite!.storeAt(file)))
    expect(held()).toEqual([])
  })
)

it.scopedLive("no row of a PostgreSQL database holds erased bytes", () =>
  Effect.gen(function* () {
    const [, postgres] = databases
    const address = yield* postgres!.temporary
    yield* Effect.gen(function* () {
      yield* filled
      const removal = yield* Removal
      for (const tree of [TREE, OTHER]) {
        const { bodies } = yield* removal.holding(tree, needlesOf(encodeUtf8(KEY)), 100)
        yield* removal.remove(
          act(`erase ${tree}`, { _tag: "Erase", why: "leaked", entries: [], bodies: nonEmpty(bodies) }, tree)
        )
      }
    }).pipe(Effect.provide(postgres!.storeAt(address)))
    for (const table of ["bodies", "events"]) {
      const rows = yield* postgres!.byHand(
        address,
        (sql) => sql<{ bytes: Uint8Array }>`SELECT bytes FROM ${sql(table)}`
      )
      for (const { bytes } of rows) {
        expect(needlesOf(encodeUtf8(KEY)).some((needle) => Buffer.from(bytes).includes(Buffer.from(needle)))).toBe(
          false
        )
      }
    }
  })
)

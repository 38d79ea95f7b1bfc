import { it } from "@effect/vitest"
import { encodeText, ownText } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { encode } from "@palimpsest/ledger/Canonical"
import { EMPTY, open, type Draft, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type Append } from "@palimpsest/ledger/EventStore"
import { Fact } from "@palimpsest/ledger/Fact"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import { FactArbitraries } from "@palimpsest/ledger/testing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import { hash } from "../src/NodeHasher.ts"
import { byHand } from "./Raw.ts"
import { storeAt, temporaryFile } from "./TemporaryStore.ts"

const TREE = TreeId.make("tree")
const RUN = LogId.make("run")

const draftOf = (fact: Fact, id: string): Draft => {
  const { _tag, ...payload } = Schema.encodeSync(Fact)(fact)
  return { id, at: "", kind: _tag, version: 1, payload: Either.getOrThrow(encode(payload)) }
}

const append = (id: string, ...drafts: readonly [Draft, ...ReadonlyArray<Draft>]): Append => ({
  id,
  tree: TREE,
  writes: [{ log: RUN, expected: { _tag: "Next" }, drafts }]
})

/** The facts of the run as a process finds them that opens the file for the first time. */
const restored = (file: string) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const facts: Array<Fact> = []
    let head: Head = EMPTY
    for (const sealed of yield* store.read(RUN, 0, 10_000)) {
      const event = yield* open(hash, RUN, head, sealed)
      facts.push(yield* Schema.decodeUnknown(Fact)({ _tag: event.kind, ...event.payload }))
      head = { seq: sealed.seq, digest: sealed.digest }
    }
    return facts
  }).pipe(Effect.provide(storeAt(file)))

const facts = FastCheck.sample(FactArbitraries.fact, { numRuns: 60, seed: 43 })

it.scopedLive("IO-43 what a run observed is restored in order, whole", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const texts = ["a".repeat(100_000), "lone \ud83d", "\u0000\ufeff", ""]
    yield* Effect.gen(function* () {
      const [store, bodies] = yield* Effect.all([EventStore, BodyStore])
      yield* bodies.put(
        TREE,
        texts.map((text) => ownText(hash, text).stored)
      )
      for (const [i, fact] of facts.entries()) yield* store.append(append(`${i}`, draftOf(fact, `${i}`)))
    }).pipe(Effect.provide(storeAt(file)))
    expect(yield* restored(file)).toEqual(facts)
    for (const text of texts) {
      const { digest } = ownText(hash, text).body
      const body = yield* Effect.flatMap(BodyStore, (bodies) => bodies.get(TREE, digest)).pipe(
        Effect.provide(storeAt(file))
      )
      expect(body.bytes).toEqual(encodeText(text).bytes)
    }
  })
)

it.scopedLive("IO-43 an unknown kind aborts the decoding of a run, and never defaults", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.flatMap(EventStore, (store) =>
      store.append(append("1", draftOf(facts[0]!, "a"), { ...draftOf(facts[0]!, "b"), kind: "Sung" }))
    ).pipe(Effect.provide(storeAt(file)))
    expect(yield* Effect.flip(restored(file))).toMatchObject({ _tag: "ParseError" })
  })
)

it.scopedLive(
  "IO-43 a step and its observations are one transaction: a failure between them leaves neither (IO-W22)",
  () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const step: Append = {
        id: "step",
        tree: TREE,
        writes: [
          { log: RUN, expected: { _tag: "Next" }, drafts: [draftOf(facts[0]!, "a")] },
          { log: LogId.make("run.account"), expected: { _tag: "Next" }, drafts: [draftOf(facts[1]!, "a")] }
        ]
      }
      yield* Effect.scoped(Effect.asVoid(Effect.provide(EventStore, storeAt(file))))
      // The database fails at the last row of the append, as a full disk would.
      yield* byHand(
        file,
        (sql) =>
          sql`CREATE TRIGGER full BEFORE INSERT ON appends WHEN NEW.place = 1 BEGIN SELECT RAISE(ABORT, 'disk full'); END`
      )
      const failed = yield* Effect.flatMap(EventStore, (store) => store.append(step)).pipe(
        Effect.provide(storeAt(file)),
        Effect.flip
      )
      expect(failed).toMatchObject({ _tag: "StoreError", why: expect.stringContaining(`${file}: disk full`) })
      const rows = yield* byHand(file, (sql) =>
        Effect.forEach(["events", "logs", "appends"], (table) => sql`SELECT * FROM ${sql(table)}`)
      )
      expect(rows).toEqual([[], [], []])
      yield* byHand(file, (sql) => sql`DROP TRIGGER full`)
      yield* Effect.flatMap(EventStore, (store) => store.append(step)).pipe(Effect.provide(storeAt(file)))
      expect(yield* restored(file)).toEqual([facts[0]])
    })
)

import { describe, it } from "@effect/vitest"
import type { Draft } from "@palimpsest/ledger/Event"
import { EventStore } from "@palimpsest/ledger/EventStore"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { expect } from "vitest"
import { Tails } from "../src/Tails.ts"
import { databases } from "./Databases.ts"

const RUN = LogId.make("run")

const write = (i: number, count: number) =>
  Effect.flatMap(EventStore, (store) => {
    const draft = (k: number): Draft => ({ id: `${i}/${k}`, at: "", kind: "Entered", version: 1, payload: "{}" })
    const [first, ...rest] = [draft(0), ...Array.from({ length: count - 1 }, (_, k) => draft(k + 1))]
    return store.append({
      id: `${i}`,
      tree: TreeId.make("tree"),
      writes: [{ log: RUN, expected: { _tag: "Next" }, drafts: [first!, ...rest] }]
    })
  })

for (const { name, storeAt, temporary } of databases) {
  describe(`following a log, on ${name}`, () => {
    it.scopedLive("events of another process come in order, each once, from any place on", () =>
      Effect.gen(function* () {
        const address = yield* temporary
        const taken = (after: number, count: number) =>
          Effect.flatMap(Tails, (tails) => Stream.runCollect(Stream.take(tails.follow(RUN, after), count))).pipe(
            Effect.map((events) => Chunk.toReadonlyArray(events).map(({ seq }) => seq)),
            Effect.provide(storeAt(address))
          )
        // It is followed before it exists, from its beginning and from a place in its middle.
        const whole = yield* Effect.fork(taken(0, 1_300))
        const tail = yield* Effect.fork(taken(700, 600))
        yield* Effect.gen(function* () {
          yield* Effect.sleep("300 millis")
          for (const [i, count] of [1, 7, 692, 1, 2, 597].entries()) yield* write(i, count)
        }).pipe(Effect.provide(storeAt(address)))
        const from = (first: number) => Array.from({ length: 1_300 - first + 1 }, (_, i) => first + i)
        expect(yield* Fiber.join(whole)).toEqual(from(1))
        expect(yield* Fiber.join(tail)).toEqual(from(701))
      })
    )
  })
}

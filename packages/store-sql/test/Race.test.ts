import { describe, it } from "@effect/vitest"
import { EventStore } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as path from "node:path"
import { expect } from "vitest"
import { databases, type DatabaseUnderTest } from "./Databases.ts"
import { bundleWorker, judge, judgeAll, NOTHING, readOn, run, wholeLog, type Ended } from "./Processes.ts"
import { ACCOUNT, appendOf, RUN } from "./race.ts"
import { storeAt, temporaryFile } from "./TemporaryStore.ts"

const both = Effect.all([wholeLog(RUN), wholeLog(ACCOUNT)])

const bundled = ({ name, temporary }: DatabaseUnderTest) =>
  Effect.gen(function* () {
    const address = yield* temporary
    const worker = yield* Effect.flatMap(temporaryFile, (file) =>
      Effect.promise(() => bundleWorker(path.dirname(file)))
    )
    return {
      address,
      start: (args: ReadonlyArray<string>, killAfter?: number) =>
        Effect.promise(() => run(worker, [name, address, ...args], killAfter))
    }
  })

/** The appends of a process that was killed, of each of its writers the one that was not answered. */
const unanswered = ({ acknowledged }: Ended, names: ReadonlyArray<string>) =>
  names.map((name) => ({ name, i: acknowledged.filter((one) => one.name === name).length }))

for (const database of databases) {
  describe(`processes race, on ${database.name}`, () => {
    for (const [mine, theirs] of [
      ["next", "next"],
      ["head", "next"],
      ["head", "head"]
    ] as const) {
      it.scopedLive(`two, with ${mine} and ${theirs}: 0 lost, 0 doubled, 0 partial, no error`, () =>
        Effect.gen(function* () {
          const { address, start } = yield* bundled(database)
          const ended = yield* Effect.all([start(["left", mine, "150"]), start(["right!", theirs, "150"])], {
            concurrency: 2
          })
          expect(ended.map(({ code, said }) => [code, said])).toEqual([
            [0, ""],
            [0, ""]
          ])
          const [events, account] = yield* Effect.provide(both, database.storeAt(address))
          expect(account.length).toBe(300)
          for (const one of ended) judge(one, events)
          judgeAll(events, account)
        })
      )
    }

    it.scopedLive(
      "20 rounds of 32 writers in two processes, one of which is killed: 0 lost, 0 doubled, 0 partial, chains whole",
      () =>
        Effect.gen(function* () {
          const { address, start } = yield* bundled(database)
          let [ofRun, ofAccount] = [NOTHING, NOTHING]
          let [acknowledged, repeated] = [0, 0]
          const store = yield* EventStore.pipe(Effect.provide(yield* Layer.build(database.storeAt(address))))
          const verify = Effect.gen(function* () {
            ofRun = yield* readOn(RUN, ofRun)
            ofAccount = yield* readOn(ACCOUNT, ofAccount)
            judgeAll(ofRun.events, ofAccount.events)
            return new Set(ofAccount.events.map(({ id }) => id))
          }).pipe(Effect.provideService(EventStore, store))
          for (let round = 0; round < 20; round++) {
            // This process is one of the two, and lives; the other one writes until it is killed.
            const names = Array.from({ length: 16 }, (_, writer) => `dies${round}.${writer}`)
            const killAfter = Math.random() * 400
            const [dies, lives] = yield* Effect.all(
              [start([`dies${round}`, "both", "1000", "16"], killAfter), writeSome(store, `lives${round}`, 16, 3)],
              { concurrency: 2 }
            )
            expect(dies.code).toBe(null)
            const written = yield* verify
            for (const one of [dies, { acknowledged: lives }]) judge(one, ofRun.events)
            for (const { i, name } of unanswered(dies, names)) {
              const again = store.append(appendOf(name, i, { _tag: "Next" }))
              const [first, second] = yield* Effect.all([again, again])
              expect(second).toEqual(first)
              const wasThere = ofRun.events[(first.writes[1]?.first ?? 0) - 1]?.id === `${name}/${i}/0`
              expect(wasThere).toBe(written.has(`${name}/${i}`))
              if (wasThere) repeated++
              written.add(`${name}/${i}`)
            }
            expect((yield* verify).size).toBe(written.size)
            acknowledged += dies.acknowledged.length + lives.length
          }
          expect(acknowledged).toBeGreaterThan(20 * 16 * 3)
          yield* Effect.log(`${database.name}: ${acknowledged} acknowledged, ${repeated} committed without an answer`)
        }),
      120_000
    )
  })
}

/** So many writers of this process, a few appends each. */
const writeSome = (store: EventStore["Type"], name: string, writers: number, appends: number) =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: writers }, (_, writer) => `${name}.${writer}`),
      (name) =>
        Effect.forEach(
          Array.from({ length: appends }, (_, i) => i),
          (i) =>
            Effect.map(Effect.delay(store.append(appendOf(name, i, { _tag: "Next" })), "100 millis"), (answer) => ({
              name,
              i,
              answer
            }))
        ),
      { concurrency: "unbounded" }
    ),
    (answers) => answers.flat()
  )

it.scopedLive("two layers on one file are one store", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const writer = (name: string) =>
      Effect.gen(function* () {
        const store = yield* EventStore
        for (let i = 0; i < 40; i++) yield* store.append(appendOf(name, i, { _tag: "Next" }))
      }).pipe(Effect.provide(storeAt(file)))
    yield* Effect.all([writer("one"), writer("another")], { concurrency: "unbounded" })
    const [events, account] = yield* both.pipe(Effect.provide(storeAt(file)))
    expect(account.length).toBe(80)
    judgeAll(events, account)
  })
)

import { it } from "@effect/vitest"
import { EventStore } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as path from "node:path"
import { expect } from "vitest"
import { bundleWorker, judge, judgeAll, run, wholeLog } from "./Processes.ts"
import { ACCOUNT, appendOf, RUN } from "./race.ts"
import { storeAt, temporaryFile } from "./TemporaryStore.ts"

const verified = (file: string) => Effect.all([wholeLog(RUN), wholeLog(ACCOUNT)]).pipe(Effect.provide(storeAt(file)))

const bundled = Effect.flatMap(temporaryFile, (file) =>
  Effect.map(
    Effect.promise(() => bundleWorker(path.dirname(file))),
    (worker) => ({ file, worker })
  )
)

for (const [mine, theirs] of [
  ["next", "next"],
  ["head", "next"],
  ["head", "head"]
] as const) {
  it.scopedLive(`two processes race with ${mine} and ${theirs}: 0 lost, 0 doubled, 0 partial, no error`, () =>
    Effect.gen(function* () {
      const { file, worker } = yield* bundled
      const names = ["left", "right!"]
      const ended = yield* Effect.promise(() =>
        Promise.all([mine, theirs].map((mode, i) => run(worker, [file, names[i]!, mode, "150"])))
      )
      expect(ended.map(({ code, said }) => [code, said])).toEqual([
        [0, ""],
        [0, ""]
      ])
      const [events, account] = yield* verified(file)
      expect(account.length).toBe(300)
      ended.forEach((one, i) => judge(names[i]!, one, events))
      judgeAll(events, account)
    })
  )
}

it.scopedLive(
  "a process that is killed: what was acknowledged is there, and a repeat answers as the first would have",
  () =>
    Effect.gen(function* () {
      const { file, worker } = yield* bundled
      for (const [round, killAfter] of [0, 3, 11, 29, 60, 110].entries()) {
        const name = `round${round}`
        const ended = yield* Effect.promise(() => run(worker, [file, name, "head", "100000"], killAfter))
        expect(ended.code).toBe(null)
        const [events, account] = yield* verified(file)
        judge(name, ended, events)
        judgeAll(events, account)
        const i = ended.acknowledged.length
        const committed = account.some(({ id }) => id === `${name}/${i}`)
        const [first, second] = yield* Effect.flatMap(EventStore, (store) => {
          const again = store.append(appendOf(name, i, { _tag: "Next" }))
          return Effect.all([again, again])
        }).pipe(Effect.provide(storeAt(file)))
        expect(second).toEqual(first)
        const [now, accountNow] = yield* verified(file)
        expect(accountNow.length).toBe(account.length + (committed ? 0 : 1))
        judge(name, { acknowledged: [{ i, answer: first }] }, now)
        judgeAll(now, accountNow)
      }
    })
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
    const [events, account] = yield* verified(file)
    expect(account.length).toBe(80)
    judgeAll(events, account)
  })
)

/**
 * One process of a race: `worker DATABASE ADDRESS NAME next|head|both APPENDS [WRITERS]`. Says each append that was
 * acknowledged, a line each. Writers of one process are fibers, named NAME.0, NAME.1, ... where there are several.
 */
import { EMPTY, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type Appended } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { hash } from "../src/NodeHasher.ts"
import * as PostgresStore from "../src/PostgresStore.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import { appendOf, RUN } from "./race.ts"

const [database, address = "", process_ = "", mode, count, writers = "1"] = process.argv.slice(2)

const write = (name: string, held: boolean) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    let head: Head = EMPTY
    for (let i = 0; i < Number(count); i++) {
      const attempt: Effect.Effect<Appended, unknown> = Effect.suspend(() =>
        store.append(appendOf(name, i, held ? { _tag: "Head", digest: head.digest } : { _tag: "Next" }))
      ).pipe(
        Effect.catchTag("Conflict", ({ actual }) => {
          head = actual
          return attempt
        })
      )
      const answer: Appended = yield* attempt
      head = answer.writes.find(({ log }) => log === RUN)?.head ?? head
      fs.writeSync(1, `${JSON.stringify({ name, i, answer })}\n`)
    }
  })

const names =
  writers === "1" ? [process_] : Array.from({ length: Number(writers) }, (_, writer) => `${process_}.${writer}`)

const program = Effect.forEach(names, (name, i) => write(name, mode === "both" ? i % 4 === 0 : mode === "head"), {
  concurrency: "unbounded",
  discard: true
}).pipe(
  Effect.provide(
    database === "SQLite"
      ? SqliteStore.layer({ filename: address, hash })
      : PostgresStore.layer({ url: address, hash, connections: 8 })
  )
)

Effect.runPromise(program).catch((error: unknown) => {
  fs.writeSync(2, `${String(error)}\n`)
  process.exitCode = 1
})

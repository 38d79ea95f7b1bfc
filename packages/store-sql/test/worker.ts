/** One process of a race: `worker FILE NAME next|head APPENDS`. Says each append that was acknowledged, a line each. */
import { EMPTY, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type Appended } from "@palimpsest/ledger/EventStore"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { hash } from "../src/NodeHasher.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import { appendOf, RUN } from "./race.ts"

const [filename = "", name = "", mode, count] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const store = yield* EventStore
  let head: Head = EMPTY
  for (let i = 0; i < Number(count); i++) {
    const attempt: Effect.Effect<Appended, unknown> = Effect.suspend(() =>
      store.append(appendOf(name, i, mode === "head" ? { _tag: "Head", digest: head.digest } : { _tag: "Next" }))
    ).pipe(
      Effect.catchTag("Conflict", ({ actual }) => {
        head = actual
        return attempt
      })
    )
    const answer: Appended = yield* attempt
    head = answer.writes.find(({ log }) => log === RUN)?.head ?? head
    fs.writeSync(1, `${JSON.stringify({ i, answer })}\n`)
  }
}).pipe(Effect.provide(SqliteStore.layer({ filename, hash })))

Effect.runPromise(program).catch((error: unknown) => {
  fs.writeSync(2, `${String(error)}\n`)
  process.exitCode = 1
})

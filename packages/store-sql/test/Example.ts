import * as Effect from "effect/Effect"
import { EventStore } from "@palimpsest/ledger/EventStore"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"

const run = LogId.make("run")
const draft = { id: "e1", at: "", kind: "Greeted", version: 1, payload: '{"whom":"world"}' }

const greet = Effect.gen(function* () {
  const store = yield* EventStore
  // Sent again, it answers as the first time: the id of an append is its sender's.
  yield* store.append({
    id: "a1",
    tree: TreeId.make("run"),
    writes: [{ log: run, expected: { _tag: "Next" }, drafts: [draft] }]
  })
  return yield* store.read(run, 0, 10)
})

export const program = (filename: string) => Effect.provide(greet, SqliteStore.layer({ filename, hash }))

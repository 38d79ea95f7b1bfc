/**
 * Recalls many addresses in one process: `node recallMany.js DB ADDRESSES OUT`. The program starts once for each recall,
 * and starting is most of what a recall takes; a sample still goes through it. ADDRESSES is a JSON list; OUT gets one JSON
 * line for each: the bytes in base64, or null where the recall failed. The policy allows all: what is asked is whether
 * the bytes are there.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import * as Recall from "@palimpsest/governor/Recall"
import * as Address from "@palimpsest/ledger/Address"
import { compile } from "@palimpsest/policy/Check"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"

const [filename = "", list = "", out = ""] = process.argv.slice(2)
const addresses: ReadonlyArray<string> = JSON.parse(readFileSync(list, "utf8"))
const policy = Either.getOrThrow(
  compile({ layers: [], defaults: { read: "allow", write: "allow", exec: "allow", net: "allow" } })
)

const recallOne = (text: string) =>
  Option.match(Address.parse(text), {
    onNone: () => Effect.succeed(null),
    onSome: (address) =>
      Recall.recall(hash, policy, address).pipe(
        Effect.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
        Effect.catchAll(() => Effect.succeed(null))
      )
  })

const file = openSync(out, "w")
await Effect.forEach(
  addresses,
  (address) => Effect.map(recallOne(address), (bytes) => void writeSync(file, `${JSON.stringify(bytes)}\n`)),
  { discard: true }
).pipe(Effect.provide(SqliteStore.layer({ filename, hash })), Effect.runPromise)
closeSync(file)

/** One server process: `node FILE DATABASE`. Says where it listens, and runs until it is killed. */
import * as Effect from "effect/Effect"
import { standard } from "@palimpsest/budget/Price"
import { compile } from "@palimpsest/policy/Check"
import { permissive } from "@palimpsest/policy/Policy"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"
import { start } from "../../src/Server.ts"
import { LIMITS } from "../../src/Settings.ts"

const [filename = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const policy = yield* compile(permissive)
  const options = {
    host: "127.0.0.1",
    port: 0,
    hosts: [],
    origins: [],
    tokens: undefined,
    policy,
    hash,
    prices: standard,
    limits: LIMITS
  }
  const { url } = yield* start(options, SqliteStore.layer({ filename, hash }))
  process.stdout.write(`${url}\n`)
  yield* Effect.never
}).pipe(Effect.scoped)

const fiber = Effect.runFork(program)
process.on("SIGTERM", () => fiber.unsafeInterruptAsFork(fiber.id()))

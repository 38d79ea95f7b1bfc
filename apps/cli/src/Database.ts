/** Which database a command works on: `--db`, else `PALIMPSEST_DB`, else a file in the platform's data folder. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { chmodSync, existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"
import type { Tails } from "@palimpsest/store-sql/Tails"
import { unusable, type Failure } from "./Failure.ts"

/** `--db PATH`, of every command. */
export const option = Options.text("db").pipe(
  Options.withPseudoName("PATH"),
  Options.withDescription("the database file; default PALIMPSEST_DB, else the platform's data folder"),
  Options.optional
)

/** The stores on that file. Reading commands fail on a file that is not there; writing ones make it. */
export const layer = (
  db: Option.Option<string>,
  use: "read" | "write"
): Layer.Layer<EventStore | BodyStore | Tails, Failure> => {
  const filename = Option.getOrElse(db, defaultFile)
  return Layer.unwrapEffect(
    Effect.gen(function* () {
      if (use === "read" && !existsSync(filename)) {
        return yield* unusable(`${filename}: no such database; \`palimpsest govern FILE\` makes one`)
      }
      if (use === "write") yield* makeFolder(filename)
      return Layer.mapError(SqliteStore.layer({ filename, hash }), (error) => unusable(error.message))
    })
  )
}

const makeFolder = (filename: string): Effect.Effect<void, Failure> =>
  Effect.try({
    try: () => {
      const folder = dirname(filename)
      if (existsSync(folder)) return
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, 0o700)
    },
    catch: (cause) => unusable(`${filename}: its folder cannot be made (${String(cause)})`)
  })

const defaultFile = (): string => {
  const named = process.env["PALIMPSEST_DB"]
  return named !== undefined && named !== "" ? named : join(dataFolder(), "palimpsest", "palimpsest.db")
}

const dataFolder = (): string => {
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support")
  if (process.platform === "win32") return process.env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local")
  const named = process.env["XDG_DATA_HOME"]
  return named !== undefined && named !== "" ? named : join(homedir(), ".local", "share")
}

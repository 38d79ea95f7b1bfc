import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { Removal } from "@palimpsest/ledger/Removal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { hash } from "../src/NodeHasher.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import type { Tails } from "../src/Tails.ts"

/** What a database of ours gives. */
export type Services = EventStore | BodyStore | Removal | Tails

/** The path of a database in a directory that lives as long as the scope. */
export const temporaryFile: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => path.join(fs.mkdtempSync(path.join(os.tmpdir(), "palimpsest-")), "store.db")),
  (file) => Effect.sync(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }))
)

export const storeAt = (filename: string): Layer.Layer<Services, StoreError> => SqliteStore.layer({ filename, hash })

export const temporaryStore = (): Layer.Layer<Services, StoreError> =>
  Layer.unwrapScoped(Effect.map(temporaryFile, storeAt))

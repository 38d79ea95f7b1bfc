/**
 * Events and bodies in one SQLite file: the embedded default. Several processes may share the file.
 *
 * 1. Durable: an append answers after its commit is on the disk (WAL, `synchronous = FULL`).
 * 2. The first statement of a transaction is a write, so two processes never start from one head; a lock that another
 *    process holds is waited for on the fiber's clock, with `busy_timeout` 0, for at most 30 seconds.
 * 3. A file that is no database, is of another program or of a newer version is a `StoreError` that names it, and stays
 *    as it was (law 14).
 *
 * @since 0.1.0
 */
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { Removal } from "@palimpsest/ledger/Removal"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { services } from "./internal/services.ts"
import type { Tails } from "./Tails.ts"
import { open } from "./internal/sqlite.ts"

/**
 * `filename` is a path; its directory must exist, and the file is made (mode 0600) unless `readonly`. `hash` is the
 * digest of events and bodies.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly filename: string
  readonly hash: Hasher
  readonly readonly?: boolean
}

/**
 * Both ports on one file, open for as long as the layer is.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({
  filename,
  hash,
  readonly = false
}: Options): Layer.Layer<EventStore | BodyStore | Removal | Tails, StoreError> =>
  Layer.scopedContext(Effect.map(open(filename, readonly), (database) => services(hash, database)))

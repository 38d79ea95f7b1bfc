/**
 * Events and bodies in a PostgreSQL database, for any number of nodes without state of their own.
 *
 * 1. Durable: an append answers after the database has said that its commit is.
 * 2. A writer locks the rows of its logs, in the order of their names, and numbers behind what it finds there. The keys
 *    below hold even without that: nothing is ever put in place of what another wrote.
 * 3. All of a tree lies in one partition of each table, by the tree's name.
 * 4. A database of a newer version, or with tables of these names that are another program's, is a `StoreError` that
 *    names it, and stays as it was (law 14). No error names a password.
 *
 * @since 0.1.0
 */
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { Removal } from "@palimpsest/ledger/Removal"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { open } from "./internal/postgres.ts"
import { services } from "./internal/services.ts"
import type { Tails } from "./Tails.ts"

/**
 * `url` is `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the options of the driver behind a `?`; the tables are
 * made in the schema that the connection names first. `hash` is the digest of events and bodies. `connections` is how many
 * the pool holds at most, 10 unless given; whoever follows a log has one more.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly url: string | Redacted.Redacted
  readonly hash: Hasher
  readonly connections?: number
}

/**
 * The ports on one database, open for as long as the layer is.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({
  connections = 10,
  hash,
  url
}: Options): Layer.Layer<EventStore | BodyStore | Removal | Tails, StoreError> =>
  Layer.scopedContext(
    Effect.map(open(typeof url === "string" ? Redacted.make(url) : url, connections), (database) =>
      services(hash, database)
    )
  )

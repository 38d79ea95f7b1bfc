/** The governor over a database, in this process: for what is asked hundreds of times. */
import * as Effect from "effect/Effect"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"

export { hash }

/** Runs an effect over the stores of a file. */
export const inStore = <A, E>(filename: string, effect: Effect.Effect<A, E, EventStore | BodyStore>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, SqliteStore.layer({ filename, hash })))

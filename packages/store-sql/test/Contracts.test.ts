import { describe, it } from "@effect/vitest"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import { BodyStoreContract, EventStoreContract, type Contract } from "@palimpsest/ledger/testing"
import * as Effect from "effect/Effect"
import { hash } from "../src/NodeHasher.ts"
import { temporaryStore as temporaryPostgres } from "./postgres/TemporarySchema.ts"
import { temporaryStore } from "./TemporaryStore.ts"

const contracts = [
  ["EventStore", EventStoreContract.checks(hash)],
  ["BodyStore", BodyStoreContract.checks(hash)]
] as const

const databases = [
  ["SQLite", temporaryStore],
  ["PostgreSQL", temporaryPostgres]
] as const

for (const [database, temporary] of databases) {
  describe.each(contracts)(
    `the contract of %s, on ${database}`,
    (_, checks: ReadonlyArray<Contract.Check<EventStore | BodyStore>>) => {
      for (const { check, name } of checks) it.live(name, () => Effect.provide(check, temporary()))

      it.live("holds on one store for all checks", () =>
        Effect.forEach(checks, ({ check }) => check, { discard: true }).pipe(Effect.provide(temporary()))
      )
    }
  )
}

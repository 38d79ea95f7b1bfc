import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { BodyStore } from "../src/BodyStore.ts"
import type { EventStore } from "../src/EventStore.ts"
import { pure } from "../src/Sha256.ts"
import * as Memory from "../src/Memory.ts"
import { BodyStoreContract, EventStoreContract, type Contract } from "../src/testing.ts"

const contracts = [
  ["EventStore", EventStoreContract.checks(pure)],
  ["BodyStore", BodyStoreContract.checks(pure)]
] as const

describe.each(contracts)(
  "the contract of %s, in memory",
  (_, checks: ReadonlyArray<Contract.Check<EventStore | BodyStore>>) => {
    for (const { check, name } of checks) it.effect(name, () => Effect.provide(check, Memory.layer(pure)))

    it.effect("holds on one store for all checks", () =>
      Effect.forEach(checks, ({ check }) => check, { discard: true }).pipe(Effect.provide(Memory.layer(pure)))
    )

    it("names each check once", () => {
      expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    })
  }
)

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Account } from "../../src/Account.ts"
import { AccountClock, ofRuntime } from "../../src/AccountClock.ts"
import { Accounts, fromSubmit } from "../../src/Accounts.ts"
import * as AccountsMemory from "../../src/AccountsMemory.ts"
import type { Command } from "../../src/Command.ts"
import type { AccountId } from "../../src/Ids.ts"
import { AccountsContract } from "../../src/testing.ts"
import { transact } from "../../src/Transact.ts"

const memory = Layer.provide(AccountsMemory.layer, ofRuntime("test"))

describe("the contract of Accounts, in memory", () => {
  for (const { check, name } of AccountsContract.checks()) it.effect(name, () => Effect.provide(check, memory))

  it.effect("holds on one store for all checks, and for other draws", () =>
    Effect.forEach(
      [1, 2, 3].flatMap((seed) => AccountsContract.checks(seed)),
      ({ check }) => check,
      { discard: true }
    ).pipe(Effect.provide(memory))
  )
})

/** Accounts with a part put wrong: not atomic, or another command than was asked. */
const wrong = (other: {
  readonly isAtomic?: boolean
  readonly command?: (command: Command) => Command | undefined
}): Layer.Layer<Accounts> =>
  Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const clock = yield* AccountClock
      const all = yield* Ref.make<ReadonlyMap<AccountId, Account>>(new Map())
      return fromSubmit((id, asked) =>
        Effect.gen(function* () {
          const command = other.command === undefined ? asked : other.command(asked)
          const before = (yield* Ref.get(all)).get(id)
          if (other.isAtomic === false) yield* Effect.yieldNow()
          const done = transact(id, before, command ?? asked, yield* clock.now)
          if (Either.isLeft(done)) return yield* Effect.fail(done.left)
          if (command !== undefined) yield* Ref.update(all, (accounts) => new Map(accounts).set(id, done.right.account))
          return done.right.answer
        })
      )
    })
  ).pipe(Layer.provide(ofRuntime("wrong")))

describe("every wrong layer of Accounts is caught", () => {
  it.effect.each<readonly [string, Layer.Layer<Accounts>]>([
    ["reads, lets others go first, and writes", wrong({ isAtomic: false })],
    ["does not release", wrong({ command: (command) => (command._tag === "Release" ? undefined : command) })],
    ["does not keep settlements", wrong({ command: (command) => (command._tag === "Settle" ? undefined : command) })],
    [
      "opens with no limits",
      wrong({ command: (command) => (command._tag === "Open" ? { ...command, limits: {} } : command) })
    ],
    ["does not open children", wrong({ command: (command) => (command._tag === "Dispatch" ? undefined : command) })],
    [
      "promises a child nothing",
      wrong({
        command: (command) => {
          if (command._tag !== "Dispatch" || command.allotment === undefined) return command
          const { allotment, ...rest } = command
          return { ...rest, limits: { ...command.limits, ...allotment } }
        }
      })
    ],
    ["does not end runs", wrong({ command: (command) => (command._tag === "Exhaust" ? undefined : command) })],
    ["does not keep grants", wrong({ command: (command) => (command._tag === "Grant" ? undefined : command) })]
  ])("%s", ([, layer]) =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(AccountsContract.checks(), ({ check }) =>
        Effect.exit(Effect.provide(check, layer))
      )
      expect(answers.filter(({ _tag }) => _tag === "Failure").length).toBeGreaterThan(0)
    })
  )
})

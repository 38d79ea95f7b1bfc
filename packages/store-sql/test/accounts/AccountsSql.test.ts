import { describe, it } from "@effect/vitest"
import * as AccountClock from "@palimpsest/budget/AccountClock"
import { Accounts } from "@palimpsest/budget/Accounts"
import { AccountId, ReservationId, RunId } from "@palimpsest/budget/Ids"
import { standard } from "@palimpsest/budget/Rules"
import { AccountsContract } from "@palimpsest/budget/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as AccountsAudit from "../../src/accounts/AccountsAudit.ts"
import * as AccountsSql from "../../src/accounts/AccountsSql.ts"
import * as OpenDatabase from "../../src/accounts/OpenDatabase.ts"
import { hash } from "../../src/NodeHasher.ts"
import { temporaryFile } from "../TemporaryStore.ts"

const on = (file: string) =>
  AccountsSql.layer(hash).pipe(
    Layer.provide(AccountClock.ofRuntime("test")),
    Layer.provideMerge(OpenDatabase.sqlite(file))
  )
const temporary = () => Layer.unwrapScoped(Effect.map(temporaryFile, on))

describe("the contract of Accounts, on SQLite", () => {
  for (const { check, name } of AccountsContract.checks()) {
    it.live(name, () => Effect.provide(check, temporary()), 30_000)
  }
})

const [id, root] = [AccountId.make("tree~account"), RunId.make("root")]
const reserve = (n: number) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.reserve(id, {
      reservation: ReservationId.make(`call-${n}`),
      run: root,
      hold: { tokens: 10, overshoot: { tokens: 0, micros: 0 } }
    })
  )
const open = Effect.flatMap(Accounts, (accounts) =>
  accounts.open(id, { root, limits: { tokens: 50 }, rules: standard })
)

it.scopedLive("LE-03: the rows kept are what the log folds to, after a restart too", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.provide(Effect.zipRight(open, reserve(1)), on(file))
    yield* Effect.provide(reserve(2), on(file))
    const { account, facts, findings } = yield* Effect.provide(AccountsAudit.audit(hash, id), on(file))
    expect(findings).toEqual([])
    expect(facts.map(({ _tag }) => _tag)).toEqual(["Opened", "Reserved", "Reserved"])
    expect(account?.head.seq).toBe(3)
  })
)

it.scopedLive("law 10: two connections to one file let as many calls through as fit, and no more", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.provide(open, on(file))
    const half = (from: number) =>
      Effect.provide(
        Effect.forEach([0, 1, 2, 3, 4, 5, 6, 7], (n) => Effect.either(reserve(from + n)), { concurrency: "unbounded" }),
        on(file)
      )
    const answers = yield* Effect.all([half(0), half(100)], { concurrency: "unbounded" })
    expect(answers.flat().filter(({ _tag }) => _tag === "Right").length).toBe(5)
    const { findings } = yield* Effect.provide(AccountsAudit.audit(hash, id), on(file))
    expect(findings).toEqual([])
  })
)

it.scopedLive("LE-W4: a row that was changed by hand is found, and named", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const findings = yield* Effect.gen(function* () {
      yield* Effect.zipRight(open, reserve(1))
      const database = yield* OpenDatabase.OpenDatabase
      yield* database.transact(
        (sql) => sql`UPDATE account_runs SET fold = replace(fold, '"tokens":10', '"tokens":9') WHERE run = ${root}`
      )
      return (yield* AccountsAudit.audit(hash, id)).findings
    }).pipe(Effect.provide(on(file)))
    expect(findings).toContain("tree~account: the runs kept are not those that its log folds to")
    expect(findings).toContain("root: held tokens is kept as 9 and derived as 10")
  })
)

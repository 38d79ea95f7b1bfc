import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AccountClock from "@palimpsest/budget/AccountClock"
import * as AccountsMemory from "@palimpsest/budget/AccountsMemory"
import { AccountId, ReservationId, RunId } from "@palimpsest/budget/Ids"
import * as Measure from "@palimpsest/budget/Measure"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as SqliteStore from "@palimpsest/store-sql/SqliteStore"
import * as Spend from "@palimpsest/budget/Spend"
import * as Server from "../src/Server.ts"
import { clientOf, fresh, optionsOf, quiet, temporaryFile } from "./support/Serving.ts"

const path = { tree: AccountId.make("t") }
const run = RunId.make("t")
const of = (reservation: string) => ({ ...path, reservation: ReservationId.make(reservation) })
const hold = { tokens: 60, overshoot: { tokens: 0, micros: 0 } }

describe("budgets over HTTP", () => {
  it.scopedLive("reserve, refuse, settle, grant: checked and held in one act, and each can be repeated", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const store = Layer.merge(
        SqliteStore.layer({ filename, hash }),
        Layer.provide(AccountsMemory.layer, AccountClock.ofRuntime("test"))
      )
      const client = yield* Effect.flatMap(Server.start(optionsOf(), store), (server) => clientOf(server))
      const { budgets } = client
      expect((yield* Effect.flip(budgets.reading({ path, urlParams: {} })))._tag).toBe("NotFound")
      yield* budgets.open({ path, payload: { root: run, limits: { tokens: 100 } } })
      const held = yield* budgets.reserve({ path: of("r1"), payload: { run, hold } })
      expect(yield* budgets.reserve({ path: of("r1"), payload: { run, hold } })).toMatchObject({ until: held.until })
      const refused = yield* Effect.flip(budgets.reserve({ path: of("r2"), payload: { run, hold } }))
      expect(refused).toMatchObject({ _tag: "LimitReached", waits: true })
      const spend = Spend.make(Measure.measured(50), Measure.measured(0))
      const settled = yield* budgets.spend({ path: of("r1"), payload: { spend } })
      expect(yield* budgets.spend({ path: of("r1"), payload: { spend } })).toEqual(settled)
      expect((yield* Effect.flip(budgets.reserve({ path: of("r3"), payload: { run, hold } })))._tag).toBe(
        "LimitReached"
      )
      const grant = { grant: ReservationId.make("g1"), scope: run, raise: { tokens: 50 }, by: "me", why: "more" }
      yield* budgets.grant({ path, payload: grant })
      yield* budgets.reserve({ path: of("r4"), payload: { run, hold } })
      expect(yield* budgets.release({ path: of("r4") })).toEqual({ freed: true })
      const { scopes } = yield* budgets.reading({ path, urlParams: {} })
      expect(scopes[0].axes.find(({ axis }) => axis === "tokens")).toMatchObject({ charged: 50, reserved: 0 })
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a server without accounts says so", () =>
    Effect.gen(function* () {
      const { client } = yield* fresh()
      expect((yield* Effect.flip(client.budgets.reading({ path, urlParams: {} })))._tag).toBe("NotOffered")
    }).pipe(Effect.provide(quiet))
  )
})

/**
 * The handlers of budgets, over the port to accounts. A server without one says so.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Api } from "@palimpsest/api/Api"
import { LimitReached, type Accounting } from "@palimpsest/api/BudgetsApi"
import * as Failures from "@palimpsest/api/Failures"
import { Accounts, type AccountsError } from "@palimpsest/budget/Accounts"
import type { AccountId } from "@palimpsest/budget/Ids"
import { standard } from "@palimpsest/budget/Rules"
import * as Telemetry from "./Telemetry.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpApiBuilder.group(Api, "budgets", (handlers) =>
  Effect.map(Effect.serviceOption(Accounts), (accounts) =>
    handlers
      .handle("reading", ({ path: { tree }, urlParams }) => on(accounts, tree, (port) => port.reading(tree, urlParams)))
      .handle("open", ({ path: { tree }, payload }) =>
        on(accounts, tree, (port) => port.open(tree, { rules: standard, ...payload }))
      )
      .handle("grant", ({ path: { tree }, payload }) =>
        on(accounts, tree, (port) => Effect.map(port.grant(tree, payload), ({ limits }) => ({ limits })))
      )
      .handle("reserve", ({ path: { reservation, tree }, payload }) =>
        on(accounts, tree, (port) => port.reserve(tree, { reservation, ...payload })).pipe(
          Effect.map(({ deadlineMs, landingLeft, leaseMs, run, until }) => ({
            run,
            until,
            leaseMs,
            ...(deadlineMs === undefined ? {} : { deadlineMs }),
            ...(landingLeft === undefined ? {} : { landingLeft })
          })),
          Effect.tap(() => Telemetry.reserved("held")),
          Effect.tapErrorTag("LimitReached", () => Telemetry.reserved("refused"))
        )
      )
      .handle("spend", ({ path: { reservation, tree }, payload }) =>
        on(accounts, tree, (port) => port.settle(tree, { reservation, ...payload })).pipe(
          Effect.map(({ charged, late }) => ({ charged, late })),
          Effect.tap(() => Telemetry.reserved("settled"))
        )
      )
      .handle("release", ({ path: { reservation, tree } }) =>
        on(accounts, tree, (port) => port.release(tree, { reservation, why: "released by its caller" })).pipe(
          Effect.as({ freed: true as const }),
          Effect.tap(() => Telemetry.reserved("released"))
        )
      )
  )
)

type Port = Context.Tag.Service<Accounts>

const on = <A>(
  accounts: Option.Option<Port>,
  tree: AccountId,
  act: (port: Port) => Effect.Effect<A, AccountsError>
): Effect.Effect<A, Accounting> =>
  Option.match(accounts, {
    onNone: () => Effect.fail(new Failures.NotOffered({ what: "budgets" })),
    onSome: (port) => Effect.catchAll(act(port), (error) => Effect.flatMap(failureOf(tree, error), Effect.fail))
  })

const failureOf = (tree: AccountId, error: AccountsError): Effect.Effect<Accounting> => {
  switch (error._tag) {
    case "LimitReached":
      return Effect.succeed(
        new LimitReached({ run: error.run, why: error.message, waits: error.waits, reading: error.reading })
      )
    case "UnmeasuredAxis":
      return Effect.succeed(new LimitReached({ run: error.run, why: error.message, waits: false }))
    case "UnknownAccount":
      return Effect.succeed(new Failures.NotFound({ what: "tree", name: tree, why: error.message }))
    case "UnknownRun":
      return Effect.succeed(new Failures.NotFound({ what: "run", name: error.run, why: error.message }))
    case "RunOver":
      return Effect.succeed(new Failures.Invalid({ field: "run", why: error.message }))
    case "ReservationGone":
      return Effect.succeed(new Failures.Reused({ id: error.reservation, why: error.why }))
    case "BadCommand":
      return Effect.succeed(new Failures.Invalid({ field: error.command, why: error.why }))
    case "BrokenAccount":
      return Effect.succeed(new Failures.Damaged({ log: tree, seq: error.position, why: error.why }))
    case "AccountsUnavailable":
      return Effect.as(
        Effect.annotateLogs(Effect.logError("the accounts failed"), "why", error.why),
        new Failures.Unavailable({ why: "the accounts do not answer; the server's log says why" })
      )
  }
}

/**
 * The handlers of approvals. Nobody is asked inside a request: a question waits in the log until somebody answers.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { Api } from "@palimpsest/api/Api"
import type * as ApprovalsApi from "@palimpsest/api/ApprovalsApi"
import * as Approvals from "@palimpsest/governor/Approvals"
import { Seq } from "@palimpsest/ledger/Ids"
import { Approver } from "@palimpsest/policy/Approver"
import * as Faults from "./Faults.ts"
import { LiveRuns } from "./LiveRuns.ts"
import * as Telemetry from "./Telemetry.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpApiBuilder.group(Api, "approvals", (handlers) =>
  Effect.map(LiveRuns, ({ use }) =>
    handlers
      .handle("pending", ({ path }) =>
        Effect.map(Faults.taking(use(path.run, ({ state }) => SynchronizedRef.get(state))), ({ approvals }) => ({
          items: [...approvals.pending].map(([asked, { act, purpose, step, target, verdict }]) => ({
            asked: Seq.make(asked),
            step,
            act,
            target,
            purpose,
            verdict
          }))
        }))
      )
      .handle("ask", ({ path, payload: { act, purpose, target } }) =>
        Faults.writing(
          use(path.run, (live) =>
            Effect.provideService(Approvals.request(live, act, target, purpose), Approver, {
              decide: () => Effect.succeed({ _tag: "Defer" })
            })
          ).pipe(Effect.tap(counted), Effect.map(outcomeOf))
        )
      )
      .handle("answer", ({ path, payload }) =>
        Faults.writing(
          use(path.run, (live) => Approvals.answer(live, path.asked, payload.answer)).pipe(
            Effect.tap(counted),
            Effect.map(outcomeOf)
          )
        )
      )
  )
)

const counted = ({ _tag }: Approvals.Outcome): Effect.Effect<void> =>
  _tag === "Refused" ? Telemetry.refused("policy") : Effect.void

const outcomeOf = (outcome: Approvals.Outcome): ApprovalsApi.Outcome =>
  outcome._tag === "Refused" ? { _tag: "Refused", why: outcome.refusal.model, verdict: outcome.verdict } : outcome

/**
 * Approvals of a live run: an act that the policy would ask about is put to the approver, on the record.
 *
 *     request ─ policy of now ─┬─ allow ─────────────────────────────────────────> Allowed
 *                              ├─ deny, or ask and nobody there ──── Gated ──────> Refused
 *                              └─ ask ─ Asked ─┬─ remembered or answered ─ Answered ─> Allowed | Refused
 *                                              └─ Defer, or the process ends ──────> Pending ─ resume ─ answer ─> …
 *
 * 1. A deny reaches no approver, and no answer lifts one: the policy of the moment of the answer is asked again, so a deny
 *    that landed while a request was pending holds (laws 12 and 13).
 * 2. `Asked` is in the log before anybody is asked. A run that is resumed has its pending requests and what it was told to
 *    remember, from its log alone (law 7).
 * 3. No event here holds what is read or written, only what it is called.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SynchronizedRef from "effect/SynchronizedRef"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Act } from "@palimpsest/policy/Act"
import * as Approval from "@palimpsest/policy/Approval"
import { Approver } from "@palimpsest/policy/Approver"
import { explain } from "@palimpsest/policy/Check"
import type { Purpose } from "@palimpsest/policy/Gated"
import * as Refusal from "@palimpsest/policy/Refusal"
import type { Verdict } from "@palimpsest/policy/Verdict"
import type { Fact } from "./Fact.ts"
import type { Live, TurnError } from "./Governor.ts"
import { commit } from "./internal/commit.ts"
import * as Session from "./Session.ts"

/**
 * What became of a request. `Allowed` names the canonical target to act on, which an approver may have put in the place of
 * the one that was asked for. `Pending` waits under the seq `asked`.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome =
  | { readonly _tag: "Allowed"; readonly target: string; readonly verdict: Verdict }
  | { readonly _tag: "Refused"; readonly refusal: Refusal.Refusal; readonly verdict: Verdict }
  | { readonly _tag: "Pending"; readonly asked: number }

/**
 * No request of this seq waits for an answer: it was answered, or never made.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotPending extends Data.TaggedError("NotPending")<{ readonly run: string; readonly asked: number }> {
  override get message(): string {
    return `${this.run}@${this.asked}: no request waits for an answer there`
  }
}

/**
 * Asks for leave: the policy of now, then what is remembered, then the approver, where one is at hand. The same request
 * while it is pending is not recorded twice.
 *
 * @since 0.1.0
 * @category approving
 */
export const request = (
  live: Live,
  act: Act,
  target: string,
  purpose: Purpose = "call"
): Effect.Effect<Outcome, TurnError | NotPending, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { target: canonical, verdict } = explain(live.begin.policy, act, target)
    if (verdict.ruling === "allow") return { _tag: "Allowed", target: canonical, verdict }
    const { approvals, session } = yield* SynchronizedRef.get(live.state)
    const asked: Approval.Asked = {
      _tag: "Asked",
      step: Session.stepOf(session),
      act,
      target: canonical,
      purpose,
      verdict
    }
    const isAsk = verdict.ruling === "ask"
    const remembered = isAsk ? Approval.recall(live.begin.policy, approvals, asked) : undefined
    const approver = yield* Effect.serviceOption(Approver)
    if (!isAsk || (remembered === undefined && Option.isNone(approver))) {
      yield* append(live, { ...asked, _tag: "Gated" })
      return { _tag: "Refused", refusal: Refusal.of(act, canonical, verdict), verdict }
    }
    const waiting = [...approvals.pending].find(([, one]) => isSame(one, asked))
    const seq = waiting === undefined ? yield* append(live, asked) : waiting[0]
    return yield* remembered === undefined ? again(live, seq) : answer(live, seq, remembered)
  })

/**
 * Puts a pending request to the approver again, as when a paused run is taken up. Without an approver it stays pending.
 *
 * @since 0.1.0
 * @category approving
 */
export const again = (
  live: Live,
  asked: number
): Effect.Effect<Outcome, TurnError | NotPending, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const one = yield* waitingAt(live, asked)
    const approver = yield* Effect.serviceOption(Approver)
    const given: Approval.Answer = Option.isNone(approver) ? { _tag: "Defer" } : yield* approver.value.decide(one)
    return given._tag === "Defer" ? { _tag: "Pending", asked } : yield* answer(live, asked, given)
  })

/**
 * Answers a pending request, whoever gave the answer. The policy of now has the last word.
 *
 * @since 0.1.0
 * @category approving
 */
export const answer = (
  live: Live,
  asked: number,
  given: Approval.Closing
): Effect.Effect<Outcome, TurnError | NotPending, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const one = yield* waitingAt(live, asked)
    const { target, verdict } = Approval.judge(live.begin.policy, one, given)
    const { session } = yield* SynchronizedRef.get(live.state)
    yield* append(live, { _tag: "Answered", step: Session.stepOf(session), of: asked, answer: given, verdict })
    if (verdict.ruling === "allow") return { _tag: "Allowed", target, verdict }
    const reason = given._tag === "Deny" && verdict.layer === Approval.APPROVER ? given.reason : undefined
    return { _tag: "Refused", refusal: Refusal.of(one.act, target, verdict, reason), verdict }
  })

/**
 * The requests that wait for an answer, by seq.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pending = (live: Live): Effect.Effect<ReadonlyMap<number, Approval.Asked>> =>
  Effect.map(SynchronizedRef.get(live.state), ({ approvals }) => approvals.pending)

const waitingAt = (live: Live, asked: number): Effect.Effect<Approval.Asked, NotPending> =>
  Effect.flatMap(pending(live), (waiting) => {
    const one = waiting.get(asked)
    return one === undefined ? Effect.fail(new NotPending({ run: live.begin.log, asked })) : Effect.succeed(one)
  })

const append = (live: Live, fact: Fact): Effect.Effect<number, TurnError, EventStore | BodyStore> =>
  Effect.map(
    commit(live, () => Effect.succeed({ facts: [fact], bodies: [] })),
    ([seq = 0]) => seq
  )

const isSame = (one: Approval.Asked, other: Approval.Asked): boolean =>
  one.act === other.act && one.target === other.target && one.purpose === other.purpose

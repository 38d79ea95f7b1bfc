/**
 * The turn of a run on a server: every act of the governor, in a form that a client may repeat.
 *
 * 1. `observe` and `settle` are kept under the client's ids (see `Keyed`).
 * 2. A request has a number. The next one is prepared; one that was made answers as it was made, from the log; one out of
 *    turn is refused with the number that is expected.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { fromAnthropic, fromOpenAiChat, type Usage } from "@palimpsest/budget/Usage"
import * as Failures from "@palimpsest/api/Failures"
import type * as Run from "@palimpsest/api/Run"
import * as Draft from "@palimpsest/governor/Draft"
import type { Fact } from "@palimpsest/governor/Fact"
import * as Governor from "@palimpsest/governor/Governor"
import * as Runs from "@palimpsest/governor/Runs"
import * as Session from "@palimpsest/governor/Session"
import * as ViewAt from "@palimpsest/governor/ViewAt"
import { sorted } from "@palimpsest/ledger/Canonical"
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import type { LogId, Seq } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Verdict } from "@palimpsest/policy/Verdict"
import * as Classify from "@palimpsest/transcript/Classify"
import type { WriteError, WriteFailure } from "./Faults.ts"
import * as Keyed from "./Keyed.ts"
import { LiveRuns, type Stores } from "./LiveRuns.ts"
import { Settings } from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"

type Served<A> = Effect.Effect<A, WriteError | WriteFailure, Stores | LiveRuns | Settings>

/**
 * Records a batch of entries under the client's id.
 *
 * @since 0.1.0
 * @category turns
 */
export const observe = (
  run: LogId,
  { entries, id }: Run.Observe
): Served<{ readonly first: Seq; readonly last: Seq }> =>
  Effect.gen(function* () {
    const { hash } = yield* Settings
    const made = entries.map((entry) => draftOf(entry).entry(hash))
    const [one, ...more] = made
    if (one === undefined) return yield* new Failures.Invalid({ field: "entries", why: "expected at least one" })
    const { first, last } = yield* (yield* LiveRuns).use(run, (live) =>
      Keyed.commit(live, `api:${id}`, (session) => {
        const entered = (entry: typeof one): Fact => ({
          _tag: "Entered",
          step: Session.stepOf(session),
          ...entry.entered
        })
        return { facts: [entered(one), ...more.map(entered)], bodies: made.flatMap(({ bodies }) => bodies) }
      })
    )
    return { first, last }
  }).pipe(Effect.withSpan("Turns.observe", { attributes: { "palimpsest.entries": entries.length } }))

/**
 * Asks the policy of now about an act.
 *
 * @since 0.1.0
 * @category turns
 */
export const check = (run: LogId, { act, target }: typeof Run.Check.Type): Served<Verdict> =>
  Effect.gen(function* () {
    const verdict = yield* (yield* LiveRuns).use(run, (live) => Governor.check(live, act, target))
    if (verdict.ruling !== "allow") yield* Telemetry.refused("policy")
    return verdict
  }).pipe(Effect.withSpan("Turns.check"))

/**
 * Prepares a request, or gives one that was made as it was made.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepare = (run: LogId, request: number, workspace?: string): Served<Run.Turn> =>
  Effect.gen(function* () {
    const { hash } = yield* Settings
    const turn = yield* (yield* LiveRuns).use(
      run,
      (live) =>
        Effect.gen(function* () {
          const { session: before } = yield* SynchronizedRef.get(live.state)
          const expected = before.requests + 1
          if (request > expected) {
            const why = `request ${request} is out of turn; the next is ${expected}`
            return yield* new Failures.OutOfTurn({ run, expected, why })
          }
          if (request < expected) return undefined
          const prepared = yield* Governor.prepare(live)
          const { session: after } = yield* SynchronizedRef.get(live.state)
          yield* Telemetry.prepared(before, after)
          return prepared
        }),
      workspace
    )
    return turn ?? (yield* made(hash, run, request))
  }).pipe(Effect.withSpan("Turns.prepare"))

/**
 * Records what a provider reported for a request. The same report again is the same event.
 *
 * @since 0.1.0
 * @category turns
 */
export const settle = (
  run: LogId,
  request: number,
  { reported }: Run.Settle
): Served<{ readonly seq: Seq; readonly usage: Usage }> =>
  Effect.gen(function* () {
    const { hash, prices } = yield* Settings
    const usage = usageOf(reported)
    const name = hash(encodeUtf8(sorted(usage))).slice(0, 16)
    const seq = yield* (yield* LiveRuns).use(run, (live) =>
      Effect.gen(function* () {
        const { session } = yield* SynchronizedRef.get(live.state)
        if (request > session.requests) {
          const why = `request ${request} was not made; the last is ${session.requests}`
          return yield* new Failures.OutOfTurn({ run, expected: session.requests + 1, why })
        }
        const { first, repeated } = yield* Keyed.commit(live, `usage:${request}:${name}`, (now) => ({
          facts: [{ _tag: "Reported", step: Session.stepOf(now), request, usage }],
          bodies: []
        }))
        if (!repeated) yield* Telemetry.settled(session, usage, prices)
        return first
      })
    )
    return { seq, usage }
  }).pipe(Effect.withSpan("Turns.settle"))

const made = (hash: Settings["Type"]["hash"], run: LogId, request: number) =>
  Effect.gen(function* () {
    const view = yield* Effect.flatMap(Runs.find(hash, run), (found) => ViewAt.at(hash, found, request))
    if (view._tag === "Refused") {
      const { have, need } = view.refused
      return { _tag: "Refused", request, need, have } satisfies Run.Turn
    }
    return { _tag: "Send", request, messages: view.messages, estimate: view.estimate } satisfies Run.Turn
  })

const draftOf = (entry: Run.Entry): Draft.EntryDraft => {
  switch (entry._tag) {
    case "Said":
      return Draft.said(entry.role, entry.message, entry.text)
    case "Called":
      return Draft.called(entry.message, entry.call, entry.name, entry.args)
    case "Returned":
      return Draft.result(entry.message, entry.call, entry.text, observationOf(entry))
  }
}

const observationOf = ({ observation, tool }: Run.Entry & { readonly _tag: "Returned" }): Observation =>
  observation ??
  (tool === undefined
    ? { kind: "tool", covers: { _tag: "All" }, classifier: "host" }
    : Classify.observe(tool.name, tool.args, tool.failed ?? false))

const usageOf = (reported: Run.Settle["reported"]): Usage => {
  switch (reported._tag) {
    case "Counts":
      return reported.usage
    case "Anthropic":
      return fromAnthropic(reported.usage)
    case "OpenAiChat":
      return fromOpenAiChat(reported.usage)
  }
}

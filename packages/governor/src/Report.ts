/**
 * What governing a run did, read from its log: tokens and cost beside what the client sent, what was left out and why,
 * and, in the same walk, the audit of it. Raw is the client's own history, its compactions included, under the same
 * accounting.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Measure from "@palimpsest/budget/Measure"
import type { PriceTable } from "@palimpsest/budget/Price"
import { inputTokens } from "@palimpsest/budget/Usage"
import type { Refused } from "@palimpsest/compaction/Decision"
import { reasonOf, type Reason } from "@palimpsest/compaction/Form"
import { NO_RESULT } from "@palimpsest/compaction/Mark"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import * as Audit from "./Audit.ts"
import * as Economy from "./Economy.ts"
import { sharedTokens, tokensBefore } from "./internal/shared.ts"
import type { Run } from "./Runs.ts"
import * as SectionState from "./SectionState.ts"
import * as Session from "./Session.ts"
import { fromStore, type Fault, type Reader } from "./Texts.ts"
import type { Passing, WalkError } from "./Walk.ts"
import type { Read } from "./Log.ts"
import { messageText } from "./Wire.ts"
import * as Written from "./Written.ts"
import type { Hasher } from "@palimpsest/ledger/Sha256"

/**
 * What a report is priced under. `fixed` is in tokens. `line` takes the text of each request as it comes by, `checked`
 * holds digests between the reports of runs of one tree.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<R = never> {
  readonly fixed: number
  readonly prices: PriceTable
  readonly line?: (text: string) => Effect.Effect<void, never, R>
  readonly checked?: Set<Digest>
}

/**
 * The sums of one run. `requests` counts all that were asked for, `refused` those that were not sent. `recorded` is what
 * the source says its requests took (input tokens), where it says so for any.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunReport {
  readonly run: Run
  readonly requests: number
  readonly refused: number
  readonly raw: Economy.Tally
  readonly governed: Economy.Tally
  readonly rewrites: number
  readonly elided: Economy.Elided
  readonly recorded: { readonly requests: number; readonly tokens: number } | undefined
  readonly audit: Audit.Audited
}

/**
 * Walks a run once: report and audit.
 *
 * @since 0.1.0
 * @category reporting
 */
export const report = <R>(
  hash: Hasher,
  run: Run,
  options: Options<R>
): Effect.Effect<RunReport, WalkError, R | EventStore | BodyStore> =>
  Effect.gen(function* () {
    const reader = yield* fromStore(hash, run.tree)
    const raw = Session.make(run.tree, run.log, { preset: "raw", shape: run.config.shape })
    const start: Sums = { ...NOTHING, rawSession: raw }
    const visitor = {
      fact: (sums: Sums, read: Read) => Effect.succeed(fact(sums, read)),
      request: (sums: Sums, passing: Passing) => request(sums, passing, run, reader, options)
    }
    const { audit, state } = yield* Audit.auditWith(hash, run, undefined, start, visitor, options.checked)
    const usages = [...state.usages.values()]
    return {
      run,
      requests: state.requests,
      refused: state.refused,
      raw: state.raw,
      governed: state.governed,
      rewrites: state.rewrites,
      elided: state.elided,
      recorded:
        usages.length === 0 ? undefined : { requests: usages.length, tokens: usages.reduce((sum, n) => sum + n, 0) },
      audit
    }
  })

interface Sums {
  readonly rawSession: Session.Session
  readonly raw: Economy.Tally
  readonly governed: Economy.Tally
  readonly requests: number
  readonly refused: number
  readonly rewrites: number
  readonly elided: Economy.Elided
  readonly lastSection: string
  readonly usages: ReadonlyMap<number, number>
}

const NOTHING = {
  raw: Economy.zero,
  governed: Economy.zero,
  requests: 0,
  refused: 0,
  rewrites: 0,
  elided: {},
  lastSection: "",
  usages: new Map<number, number>()
}

const fact = (sums: Sums, { fact, seq }: Read): Sums => {
  switch (fact._tag) {
    case "Entered":
    case "Restarted":
    case "Cleared":
      return { ...sums, rawSession: Session.record({ ...sums.rawSession, seq: seq - 1 }, fact) }
    case "Decided":
      return fact.epoch === undefined || fact.epoch === "client" ? sums : { ...sums, rewrites: sums.rewrites + 1 }
    case "Reported": {
      const input = inputTokens(fact.usage)
      if (!Measure.isMeasured(input)) return sums
      return { ...sums, usages: new Map(sums.usages).set(fact.request, input.n) }
    }
    default:
      return sums
  }
}

const request = <R>(
  sums: Sums,
  passing: Passing,
  run: Run,
  reader: Reader,
  { fixed, line, prices }: Options<R>
): Effect.Effect<Sums, Fault, R> =>
  Effect.gen(function* () {
    const { raw, session: rawSession } = yield* rawRequest(sums.rawSession, reader)
    const asked = { ...sums, rawSession, raw: Economy.add(sums.raw, raw, fixed, prices), requests: sums.requests + 1 }
    const { fact, sent, session } = passing
    if (fact._tag === "Refused" || sent === undefined) {
      if (fact._tag === "Refused") yield* line?.(refusedLine(run, fact)) ?? Effect.void
      return { ...asked, refused: sums.refused + 1 }
    }
    yield* line?.(requestLine(run, passing, sent.texts)) ?? Effect.void
    const { view } = session
    const section = sent.section
    const shared =
      view._tag === "Transcript"
        ? tokensBefore(view.transcript.messages, sent.from)
        : sharedTokens(sums.lastSection, section ?? "")
    const governed = Economy.add(sums.governed, { tokens: fact.estimate, shared }, fixed, prices)
    const elided = Economy.addElided(sums.elided, elidedIn(view))
    return { ...asked, governed, elided, lastSection: section ?? "" }
  })

/** What the client would have sent: the same history in which nothing changes form, open calls closed alike. */
const rawRequest = (
  session: Session.Session,
  reader: Reader
): Effect.Effect<{ readonly session: Session.Session; readonly raw: Economy.Sent }, Fault> =>
  Effect.gen(function* () {
    const folded = Session.closeOpen(Session.fold(session), NO_RESULT)
    const { view } = folded
    if (view._tag !== "Transcript") return { session: folded, raw: { tokens: 0, shared: 0 } }
    const { messages, shape, tokens } = view.transcript
    const { from, written } = yield* Written.next(reader.hash, view.written, messages, (message) =>
      messageText(reader, shape, message)
    )
    return {
      session: { ...folded, view: { ...view, written } },
      raw: { tokens, shared: tokensBefore(messages, from) }
    }
  })

const elidedIn = (view: Session.View): Economy.Elided => {
  if (view._tag === "Section") return SectionState.elided(view.section)
  const counts: Partial<Record<Reason, number>> = { ...view.transcript.gone }
  for (const { items } of view.transcript.messages) {
    for (const item of items) {
      const reason = item._tag === "Entry" ? reasonOf(item.form) : undefined
      if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1
    }
  }
  return counts
}

const requestLine = (run: Run, { fact, session }: Passing, texts: ReadonlyArray<string>): string => {
  const { view } = session
  const epoch = view._tag === "Transcript" ? view.transcript.epochs : view.section.epochs
  const estimate = fact._tag === "Requested" ? fact.estimate : 0
  return (
    `{"request":${fact.request},"run":${JSON.stringify(run.log)},` +
    `"rendering":"${view._tag === "Transcript" ? "transcript" : "section"}","epoch":${epoch},` +
    `"estimatedTokens":${estimate},"messages":[${texts.map(onOneLine).join(",")}]}\n`
  )
}

/** A source may spread its JSON over lines. No string of JSON holds a line break, so none of what is said is touched. */
const onOneLine = (text: string): string => text.replace(/[\r\n]+[ \t\r\n]*/g, "")

const refusedLine = (run: Run, { have, need, request, why }: Refused): string =>
  `${JSON.stringify({ request, run: run.log, refused: why, need, have })}\n`

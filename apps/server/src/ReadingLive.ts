/**
 * The handlers of what is read.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Api } from "@palimpsest/api/Api"
import { NotOffered } from "@palimpsest/api/Failures"
import { USUAL } from "@palimpsest/api/Page"
import type * as Reading from "@palimpsest/api/Reading"
import { reasonOf } from "@palimpsest/compaction/Form"
import * as Audit from "@palimpsest/governor/Audit"
import * as Runs from "@palimpsest/governor/Runs"
import * as ViewAt from "@palimpsest/governor/ViewAt"
import type { LogId } from "@palimpsest/ledger/Ids"
import { bodiesOf } from "@palimpsest/ledger/Part"
import * as Faults from "./Faults.ts"
import * as Following from "./Following.ts"
import * as Paged from "./Paged.ts"
import * as Recalling from "./Recalling.ts"
import { Search } from "./Search.ts"
import { Settings } from "./Settings.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpApiBuilder.group(Api, "reading", (handlers) =>
  Effect.map(Settings, ({ hash }) =>
    handlers
      .handle("events", ({ path, urlParams }) =>
        Faults.reading(
          Paged.events(hash, path.run, urlParams, (event, { digest }) => Option.some(Following.eventOf(event, digest)))
        )
      )
      .handleRaw("live", ({ headers, path, urlParams }) =>
        Effect.map(Following.follow(path.run, headers["last-event-id"] ?? urlParams.after ?? 0), (stream) =>
          HttpServerResponse.stream(stream, {
            contentType: "text/event-stream",
            headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
          })
        )
      )
      .handle("entries", ({ path, urlParams }) =>
        Faults.reading(
          Effect.map(Paged.facts(hash, path.run, urlParams, "Entered"), ({ items, ...next }) => ({
            ...next,
            items: items.map((read) => entryOf(path.run, read))
          }))
        )
      )
      .handle("decisions", ({ path, urlParams }) =>
        Faults.reading(
          Effect.map(Paged.facts(hash, path.run, urlParams, "Decided"), ({ items, ...next }) => ({
            ...next,
            items: items.map(({ event, fact, seq }) => ({ seq, at: event.at, decided: fact }))
          }))
        )
      )
      .handle("view", ({ path }) => Faults.reading(viewAt(hash, path)))
      .handle("text", ({ path }) => Faults.reading(Effect.map(viewAt(hash, path), textOf)))
      .handle("audit", ({ path, urlParams }) =>
        Faults.reading(
          Effect.gen(function* () {
            const run = yield* Runs.find(hash, path.run)
            const { findings, ...counts } = yield* Audit.audit(hash, run, urlParams.head)
            return {
              run: path.run,
              whole: findings.length === 0,
              ...counts,
              findings: findings.slice(0, MOST_FINDINGS)
            }
          })
        )
      )
      .handle("recall", ({ urlParams }) => Recalling.recall(urlParams))
      .handle("search", ({ urlParams: { limit = USUAL, ...query } }) =>
        Effect.gen(function* () {
          const search = yield* Effect.serviceOption(Search)
          if (Option.isNone(search)) return yield* new NotOffered({ what: "search in bodies" })
          return yield* Faults.reading(search.value.find({ ...query, limit }))
        })
      )
  )
)

const viewAt = (hash: Settings["Type"]["hash"], { request, run }: { readonly run: LogId; readonly request: number }) =>
  Effect.gen(function* () {
    const found = yield* Runs.find(hash, run)
    return viewOf(run, yield* ViewAt.at(hash, found, request))
  })

const viewOf = (run: LogId, view: ViewAt.RequestView): Reading.View => {
  if (view._tag === "Refused") {
    const { have, need, request, why } = view.refused
    return { _tag: "Refused", run, request, why, need, have }
  }
  const { entries, ...sent } = view
  return {
    run,
    ...sent,
    entries: entries.map(({ form, message, part, role, seq, target }) => {
      const why = reasonOf(form)
      return {
        address: `${run}@${seq}`,
        message,
        role,
        part,
        ...(target === undefined ? {} : { target }),
        form,
        ...(why === undefined ? {} : { why })
      }
    })
  }
}

const textOf = (view: Reading.View): string =>
  view._tag === "Refused"
    ? `request ${view.request} was refused: ${view.why}, it needs ${view.need} tokens and has ${view.have}\n`
    : view.messages.map((message) => `${spoken(JSON.parse(message))}\n`).join("\n")

const spoken = (message: { readonly role?: unknown; readonly content?: unknown }): string => {
  const { role, ...rest } = message
  const content = typeof rest.content === "string" ? rest.content : JSON.stringify(rest.content ?? rest, undefined, 2)
  return `--- ${String(role)}\n${content}`
}

const entryOf = (run: LogId, { fact, seq }: Paged.FactOf<"Entered">): Reading.EntryRow => {
  const { message, observation, part, role, step } = fact
  return {
    address: `${run}@${seq}`,
    seq,
    step,
    message,
    role,
    part: part._tag,
    ...(part._tag === "Call" || part._tag === "Result" ? { call: part.call } : {}),
    ...(observation === undefined ? {} : { observation }),
    bytes: bodiesOf(part).map(({ size }) => size.bytes)
  }
}

const MOST_FINDINGS = 1_000

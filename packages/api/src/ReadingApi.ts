/**
 * Reading a run back: what happened, what the model saw, whether it is whole, and what was left out.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Digest, LogId, TreeId } from "@palimpsest/ledger/Ids"
import { MayRead } from "./Authorization.ts"
import * as Failures from "./Failures.ts"
import { optional, struct } from "./internal/strict.ts"
import * as Page from "./Page.ts"
import * as Reading from "./Reading.ts"
import { RequestNumber } from "./RunsApi.ts"

const ofRun = Schema.Struct({ run: LogId })
const ofRequest = Schema.Struct({ run: LogId, request: RequestNumber })

const says = (description: string) => OpenApi.annotations({ description })

const events = HttpApiEndpoint.get("events", "/runs/:run/events")
  .setPath(ofRun)
  .setUrlParams(Page.BySeq)
  .addSuccess(Page.SeqPage(Reading.Event))
  .addError(Failures.Reading)
  .annotateContext(says("The events of a run, chained, as they are stored"))

const live = HttpApiEndpoint.get("live", "/runs/:run/live")
  .setPath(ofRun)
  .setUrlParams(struct({ after: optional(Page.AfterSeq) }))
  .setHeaders(Schema.Struct({ "last-event-id": optional(Page.AfterSeq) }))
  .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
  .addError(Failures.Reading)
  .annotateContext(
    says(
      "The events of a run as they come: `id` is the seq, `event` the kind, `data` the event. Resumes by Last-Event-ID"
    )
  )

const entries = HttpApiEndpoint.get("entries", "/runs/:run/entries")
  .setPath(ofRun)
  .setUrlParams(Page.BySeq)
  .addSuccess(Page.SeqPage(Reading.EntryRow))
  .addError(Failures.Reading)
  .annotateContext(says("The entries of a run, each with its address: what can be recalled"))

const decisions = HttpApiEndpoint.get("decisions", "/runs/:run/decisions")
  .setPath(ofRun)
  .setUrlParams(Page.BySeq)
  .addSuccess(Page.SeqPage(Reading.Decision))
  .addError(Failures.Reading)
  .annotateContext(says("What changed form, when, and why"))

const view = HttpApiEndpoint.get("view", "/runs/:run/requests/:request")
  .setPath(ofRequest)
  .addSuccess(Reading.View)
  .addError(Failures.Reading)
  .annotateContext(says("What the model saw on a request: its messages, and the form of every entry in it"))

const text = HttpApiEndpoint.get("text", "/runs/:run/requests/:request/text")
  .setPath(ofRequest)
  .addSuccess(HttpApiSchema.Text({ contentType: "text/plain; charset=utf-8" }))
  .addError(Failures.Reading)
  .annotateContext(says("The same, as text for a person"))

const audit = HttpApiEndpoint.get("audit", "/runs/:run/audit")
  .setPath(ofRun)
  .setUrlParams(struct({ head: optional(Digest) }))
  .addSuccess(Reading.Audited)
  .addError(Failures.Reading)
  .annotateContext(
    says("Whether a run is whole; `head` is one that is known elsewhere, which the log must lead through")
  )

const recall = HttpApiEndpoint.get("recall", "/recall")
  .setUrlParams(Reading.Recall)
  .addSuccess(Reading.Recalled)
  .addError(Failures.Reading)
  .addError(Failures.Invalid)
  .addError(Failures.PolicyRefused)
  .addError(Failures.TooLarge)
  .annotateContext(says("The bytes behind an address, through the policy of now"))

const search = HttpApiEndpoint.get("search", "/search")
  .setUrlParams(
    struct({
      words: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(400)),
      tree: optional(TreeId),
      after: optional(Schema.String.pipe(Schema.maxLength(400))),
      limit: optional(Page.Limit)
    })
  )
  .addSuccess(struct({ items: Schema.Array(Reading.Hit), next: optional(Schema.String) }))
  .addError(Failures.Reading)
  .addError(Failures.NotOffered)
  .annotateContext(says("Where words stand in what runs were told, where the store keeps an index"))

/**
 * @since 0.1.0
 * @category groups
 */
export class ReadingApi extends HttpApiGroup.make("reading")
  .add(events)
  .add(live)
  .add(entries)
  .add(decisions)
  .add(view)
  .add(text)
  .add(audit)
  .add(recall)
  .add(search)
  .middleware(MayRead)
  .annotateContext(says("What happened, what the model saw, and what was left out")) {}

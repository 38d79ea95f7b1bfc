/**
 * The turn over HTTP, and the list of runs.
 *
 *     POST runs ─> POST entries* ─> POST checks* ─> PUT requests/N ─> (the call) ─> PUT requests/N/usage ─> …
 *
 * Every write can be repeated: a run and its requests are named by the caller, batches carry an id, and a report is its
 * own name. A retry of a write that was kept answers as the first did.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import { MayRead, MayWrite } from "./Authorization.ts"
import * as Failures from "./Failures.ts"
import { optional, struct } from "./internal/strict.ts"
import * as Page from "./Page.ts"
import * as Run from "./Run.ts"

const ofRun = Schema.Struct({ run: LogId })

/**
 * The number of a request: 1 and up.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RequestNumber = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(1, 2_147_483_647),
  Schema.annotations({ identifier: "RequestNumber", description: "the number of a request, from 1" })
)

const ofRequest = Schema.Struct({ run: LogId, request: RequestNumber })

const says = (description: string) => OpenApi.annotations({ description })

const list = HttpApiEndpoint.get("list", "/runs")
  .setUrlParams(Page.ByName)
  .addSuccess(Page.NamePage(Run.Run))
  .addError(Failures.Reading)
  .middleware(MayRead)
  .annotateContext(says("The runs of the store, by name"))

const tree = HttpApiEndpoint.get("tree", "/trees/:tree/runs")
  .setPath(Schema.Struct({ tree: TreeId }))
  .setUrlParams(Page.ByName)
  .addSuccess(Page.NamePage(Run.Run))
  .addError(Failures.Reading)
  .middleware(MayRead)
  .annotateContext(says("The runs of one tree, by name; a sub-agent's run names its parent"))

const get = HttpApiEndpoint.get("get", "/runs/:run")
  .setPath(ofRun)
  .addSuccess(Run.Summary)
  .addError(Failures.Reading)
  .middleware(MayRead)
  .annotateContext(says("A run: where it stands, its first words, how many requests it made"))

const begin = HttpApiEndpoint.post("begin", "/runs")
  .setPayload(Run.Begin)
  .addSuccess(Run.Run, { status: 201 })
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Begins a run and freezes its policy into it; the same again answers as the first did"))

const observe = HttpApiEndpoint.post("observe", "/runs/:run/entries")
  .setPath(ofRun)
  .setPayload(Run.Observe)
  .addSuccess(Run.Observed, { status: 201 })
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Records a batch of what was said, called and returned: all of it or nothing"))

const check = HttpApiEndpoint.post("check", "/runs/:run/checks")
  .setPath(ofRun)
  .setPayload(Run.Check)
  .addSuccess(Run.Checked)
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Asks the policy of now about an act; a refusal is recorded"))

const prepare = HttpApiEndpoint.put("prepare", "/runs/:run/requests/:request")
  .setPath(ofRequest)
  .setUrlParams(struct({ workspace: optional(Schema.String) }))
  .addSuccess(Run.Turn)
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(
    says("Prepares the run's next request and writes it down; one that was made already answers as it was made")
  )

const settle = HttpApiEndpoint.put("settle", "/runs/:run/requests/:request/usage")
  .setPath(ofRequest)
  .setPayload(Run.Settle)
  .addSuccess(Run.Settled)
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Records what the provider reported for a request; the last word of a request counts"))

/**
 * @since 0.1.0
 * @category groups
 */
export class RunsApi extends HttpApiGroup.make("runs")
  .add(list)
  .add(tree)
  .add(get)
  .add(begin)
  .add(observe)
  .add(check)
  .add(prepare)
  .add(settle)
  .annotateContext(says("Runs, their trees, and the turn: observe, check, prepare, settle")) {}

/**
 * Approvals over HTTP: whoever leads a run asks, and somebody else answers. An answer lifts no deny, and takes a token of
 * another scope than the one that asked.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { LogId, Seq } from "@palimpsest/ledger/Ids"
import { Act } from "@palimpsest/policy/Act"
import { Limits } from "@palimpsest/policy/Approval"
import { Purpose } from "@palimpsest/policy/Gated"
import { Verdict } from "@palimpsest/policy/Verdict"
import { MayAnswer, MayRead, MayWrite } from "./Authorization.ts"
import * as Failures from "./Failures.ts"
import { optional, strict, struct } from "./internal/strict.ts"

/**
 * A request that waits for an answer, under the seq `asked`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Pending = struct({
  asked: Seq,
  step: Schema.NonNegativeInt,
  act: Act,
  target: Schema.String,
  purpose: Purpose,
  verdict: Verdict
}).annotations({ identifier: "Pending" })

/**
 * What became of a request: leave to act on `target`, a refusal with words for the model, or a wait.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Outcome = Schema.Union(
  Schema.TaggedStruct("Allowed", { target: Schema.String, verdict: Verdict }),
  Schema.TaggedStruct("Refused", { why: Schema.String, verdict: Verdict }),
  Schema.TaggedStruct("Pending", { asked: Schema.Int })
).annotations({ identifier: "Outcome" })
/** @since 0.1.0 */
export type Outcome = typeof Outcome.Type

/**
 * What somebody may answer.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Answer = struct({
  answer: Schema.Union(
    Schema.TaggedStruct("Approve", {}).annotations(strict),
    Schema.TaggedStruct("ApproveRewritten", { target: Schema.String }).annotations(strict),
    Schema.TaggedStruct("Remember", { pattern: Schema.String, limits: Limits }).annotations(strict),
    Schema.TaggedStruct("Deny", { reason: Schema.String }).annotations(strict)
  )
}).annotations({ identifier: "Answer" })

const ofRun = Schema.Struct({ run: LogId })
const says = (description: string) => OpenApi.annotations({ description })

const pending = HttpApiEndpoint.get("pending", "/runs/:run/approvals")
  .setPath(ofRun)
  .addSuccess(struct({ items: Schema.Array(Pending) }))
  .addError(Failures.Reading)
  .addError(Failures.OutOfTurn)
  .addError(Failures.Invalid)
  .middleware(MayRead)
  .annotateContext(says("The requests of a run that wait for an answer"))

const ask = HttpApiEndpoint.post("ask", "/runs/:run/approvals")
  .setPath(ofRun)
  .setPayload(struct({ act: Act, target: Schema.String, purpose: optional(Purpose) }))
  .addSuccess(Outcome)
  .addError(Failures.Writing)
  .middleware(MayWrite)
  .annotateContext(says("Asks for leave; the same question while it waits is one question"))

const answer = HttpApiEndpoint.put("answer", "/runs/:run/approvals/:asked")
  .setPath(
    Schema.Struct({
      run: LogId,
      asked: Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 2_147_483_647))
    })
  )
  .setPayload(Answer)
  .addSuccess(Outcome)
  .addError(Failures.Writing)
  .middleware(MayAnswer)
  .annotateContext(says("Answers a request; the policy of now has the last word"))

/**
 * @since 0.1.0
 * @category groups
 */
export class ApprovalsApi extends HttpApiGroup.make("approvals")
  .add(pending)
  .add(ask)
  .add(answer)
  .annotateContext(says("What a person has to allow")) {}

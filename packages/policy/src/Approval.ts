/**
 * Approvals: what becomes of an `ask`. A request is an event before anyone is asked, so that a pause, a crash or a restart
 * loses none; its answer is another, with the verdict that it came to.
 *
 * ```
 * check = ask ─> Asked ─┬─ remembered, or the approver answers ─> judge ─> Answered {answer, verdict}
 *                       └─ Defer, or the process ends: pending, until somebody answers
 * ```
 *
 * `judge` asks the policy of that moment again, whatever was answered: a deny of it holds against every answer, on the
 * target that was asked for and on one that was put in its place.
 *
 * Laws kept here: 12 (the policy of now; nothing is allowed that nobody answered for), 13 (an approval lifts no deny),
 * 14 (strict decoding).
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Act from "./Act.ts"
import * as Check from "./Check.ts"
import { Purpose } from "./Gated.ts"
import { optional, strict } from "./internal/strict.ts"
import { Verdict } from "./Verdict.ts"

/**
 * The layer that the verdict of an answer names, as rules have one.
 *
 * @since 0.1.0
 * @category constants
 */
export const APPROVER = "approver"

const Positive = Schema.Int.pipe(Schema.positive())

/**
 * How far a remembered approval reaches: `uses` further acts, and `steps` requests from the one that it was given in.
 * What is left out sets no limit.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Limits = Schema.Struct({ uses: optional(Positive), steps: optional(Positive) }).annotations(strict)

/**
 * What closes a request. `Remember` approves it and what its pattern matches of the same act, within limits; the pattern
 * has to match the target that was asked for. The `reason` of a denial is for the model. `Remembered` is nobody's answer:
 * an earlier one stands for it, `by` its seq.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Closing = Schema.Union(
  Schema.TaggedStruct("Approve", {}),
  Schema.TaggedStruct("ApproveRewritten", { target: Schema.String }),
  Schema.TaggedStruct("Remember", { pattern: Schema.String, limits: Limits }),
  Schema.TaggedStruct("Deny", { reason: Schema.String }),
  Schema.TaggedStruct("Remembered", { by: Positive })
).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type Closing = typeof Closing.Type

/**
 * What an approver may say. `Defer` leaves the request open.
 *
 * @since 0.1.0
 * @category models
 */
export type Answer = Exclude<Closing, { readonly _tag: "Remembered" }> | { readonly _tag: "Defer" }

/**
 * The event of a request: `target` is canonical, `verdict` the `ask` that led to it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Asked = Schema.TaggedStruct("Asked", {
  step: Schema.NonNegativeInt,
  act: Act.Act,
  target: Schema.String,
  purpose: Purpose,
  verdict: Verdict
}).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type Asked = typeof Asked.Type

/**
 * The event of an answer to the request of seq `of`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Answered = Schema.TaggedStruct("Answered", {
  step: Schema.NonNegativeInt,
  of: Positive,
  answer: Closing,
  verdict: Verdict
}).annotations(strict)

/**
 * @since 0.1.0
 * @category models
 */
export type Answered = typeof Answered.Type

/**
 * What an answer comes to: the target that may be acted on, or why none may.
 *
 * @since 0.1.0
 * @category models
 */
export interface Judged {
  readonly target: string
  readonly verdict: Verdict
}

/**
 * Judges an answer to a request under the policy of now.
 *
 * @since 0.1.0
 * @category judging
 */
export const judge = (policy: Check.CompiledPolicy, { act, target }: Asked, answer: Closing): Judged => {
  const meant = answer._tag === "ApproveRewritten" ? answer.target : target
  const { target: canonical, verdict } = Check.explain(policy, act, meant)
  const ruled = (ruling: "allow" | "deny", rule: string) => ({
    target: canonical,
    verdict: { ruling, rule, layer: APPROVER }
  })
  if (verdict.ruling === "deny") return { target: canonical, verdict }
  if (answer._tag === "Deny") return ruled("deny", "<denied>")
  if (answer._tag !== "Remember") return ruled("allow", "<approved>")
  return ruled(covers(policy, act, answer.pattern, target) ? "allow" : "deny", answer.pattern)
}

/**
 * What stands of the approvals of a run: a fold over its events. `pending` are the requests that nobody answered, by seq.
 *
 * @since 0.1.0
 * @category models
 */
export interface Approvals {
  readonly pending: ReadonlyMap<number, Asked>
  readonly remembered: ReadonlyMap<number, Remembered>
}

/**
 * An approval that reaches further than its request, and how often it was used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Remembered {
  readonly act: Act.Act
  readonly pattern: string
  readonly limits: typeof Limits.Type
  readonly step: number
  readonly used: number
}

/**
 * @since 0.1.0
 * @category folding
 */
export const none: Approvals = { pending: new Map(), remembered: new Map() }

/**
 * The approvals after one more event. The first answer to a request closes it; another says nothing.
 *
 * @since 0.1.0
 * @category folding
 */
export const record = (approvals: Approvals, seq: number, fact: Asked | Answered): Approvals => {
  const pending = new Map(approvals.pending)
  if (fact._tag === "Asked") return { ...approvals, pending: pending.set(seq, fact) }
  const { answer, of, step, verdict } = fact
  const act = pending.get(of)?.act
  if (act === undefined) return approvals
  pending.delete(of)
  const remembered = new Map(approvals.remembered)
  if (answer._tag === "Remember" && verdict.ruling === "allow") {
    remembered.set(seq, { act, pattern: answer.pattern, limits: answer.limits, step, used: 0 })
  }
  const used = answer._tag === "Remembered" ? remembered.get(answer.by) : undefined
  if (used !== undefined && answer._tag === "Remembered") remembered.set(answer.by, { ...used, used: used.used + 1 })
  return { pending, remembered }
}

/**
 * @since 0.1.0
 * @category models
 */
export type Recalled = Extract<Closing, { readonly _tag: "Remembered" }> | undefined

/**
 * The earlier approval that answers a request, where one reaches so far. To be asked only where the policy of now asks.
 *
 * @since 0.1.0
 * @category judging
 */
export const recall = (
  policy: Check.CompiledPolicy,
  { remembered }: Approvals,
  { act, step, target }: Asked
): Recalled => {
  for (const [by, { act: of, limits, pattern, step: since, used }] of remembered) {
    const { steps = Infinity, uses = Infinity } = limits
    const reaches = used < uses && step < since + steps && of === act
    if (reaches && covers(policy, act, pattern, target)) return { _tag: "Remembered", by }
  }
  return undefined
}

const covers = ({ platform }: Check.CompiledPolicy, act: Act.Act, pattern: string, target: string): boolean => {
  const rules = [{ act, ruling: "allow" as const, pattern }]
  const policy = { layers: [{ name: "", rules }], defaults: Act.byAct(() => "deny" as const) }
  const compiled = Check.compile(policy, platform)
  return Either.isRight(compiled) && Check.check(compiled.right, act, target).ruling === "allow"
}

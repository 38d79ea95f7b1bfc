/**
 * Law 12, of what becomes of an `ask`: no answer lifts a deny of the policy of now, a remembered approval reaches as far as
 * it says and no further, and what the model is told gives no rule away.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type * as Approval from "../Approval.ts"
import type { Verdict } from "../Verdict.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Model from "./Model.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const answering: Law<Implementation> = {
  number: 12,
  name: "whatever is answered, what the policy of now denies stays denied, a target put in its place included",
  property: ({ check, judge }) =>
    FastCheck.property(Arbitraries.policy, request, (policy, { answer, asked }) => {
      const meant = answer._tag === "ApproveRewritten" ? answer.target : asked.target
      const { target, verdict } = judge(policy, asked, answer)
      const isDenied = check(policy, asked.act, meant).ruling === "deny"
      const isRefused = answer._tag === "Deny" || (answer._tag === "Remember" && !reaches(answer.pattern, asked))
      return (
        verdict.ruling === (isDenied || isRefused ? "deny" : "allow") && target === ours.canonical(asked.act, meant)
      )
    }),
  mutants: [
    {
      name: "an approval is the last word",
      implementation: {
        ...ours,
        judge: (policy, asked, answer) =>
          answer._tag === "Approve" ? { ...asked, verdict: { ruling: "allow" } } : ours.judge(policy, asked, answer)
      }
    },
    {
      name: "a rewritten target is not checked again",
      implementation: {
        ...ours,
        judge: (policy, asked, answer) => ({
          ...ours.judge(policy, asked, answer),
          ...(answer._tag === "ApproveRewritten" ? { verdict: { ruling: "allow" } } : {})
        })
      }
    },
    {
      name: "the target that was asked for is judged in place of the rewritten one",
      implementation: {
        ...ours,
        judge: (policy, asked, answer) => ({
          ...ours.judge(policy, asked, answer),
          verdict: ours.judge(policy, asked, answer._tag === "ApproveRewritten" ? { _tag: "Approve" } : answer).verdict
        })
      }
    },
    {
      name: "a remembered approval lifts a deny",
      implementation: {
        ...ours,
        judge: (policy, asked, answer) =>
          answer._tag === "Remembered" ? { ...asked, verdict: { ruling: "allow" } } : ours.judge(policy, asked, answer)
      }
    },
    {
      name: "what is remembered need not be what was asked for",
      implementation: {
        ...ours,
        judge: (policy, asked, answer) =>
          ours.judge(policy, asked, answer._tag === "Remember" ? { _tag: "Approve" } : answer)
      }
    },
    {
      name: "a denial is not heard",
      implementation: {
        ...ours,
        judge: (policy, asked, answer) =>
          ours.judge(policy, asked, answer._tag === "Deny" ? { _tag: "Approve" } : answer)
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const remembering: Law<Implementation> = {
  number: 12,
  name: "an approval is remembered for its act, its pattern, its uses and its steps, and for nothing else",
  property: ({ recall, record }) =>
    FastCheck.property(
      request,
      Arbitraries.pattern,
      limits,
      FastCheck.array(later, { maxLength: 5 }),
      (first, pattern, limits, more) => {
        const policy: Parameters<typeof recall>[0] = {
          layers: [],
          defaults: { read: "ask", write: "ask", exec: "ask", net: "ask" }
        }
        const asked = { ...first.asked, act: "read" as const, step: 1 }
        const answer = { _tag: "Remember", pattern, limits } as const
        let approvals = record({ pending: new Map(), remembered: new Map() }, 1, asked)
        approvals = record(approvals, 2, { _tag: "Answered", step: 1, of: 1, answer, verdict: { ruling: "allow" } })
        let used = 0
        return more.every(({ act, step, target }, i) => {
          const request = { ...asked, act, step, target: ours.canonical(act, target) }
          const given = recall(policy, approvals, request)
          const isIn = used < (limits.uses ?? 9) && step < 1 + (limits.steps ?? 9)
          const expected = isIn && act === "read" && reaches(pattern, request)
          if (given !== undefined) {
            used++
            const seq = 3 + 2 * i
            const told = { _tag: "Answered", step, of: seq, answer: given, verdict: { ruling: "allow" } } as const
            approvals = record(record(approvals, seq, request), seq + 1, told)
          }
          return (given?.by === 2) === expected && approvals.pending.size === 0
        })
      }
    ),
  mutants: [
    { name: "nothing is remembered", implementation: { ...ours, recall: () => undefined } },
    {
      name: "it is remembered for every act",
      implementation: {
        ...ours,
        recall: (policy, approvals, asked) => ours.recall(policy, approvals, { ...asked, act: "read" })
      }
    },
    {
      name: "uses are not counted",
      implementation: {
        ...ours,
        recall: (policy, { pending, remembered }, asked) =>
          ours.recall(
            policy,
            { pending, remembered: new Map([...remembered].map(([seq, one]) => [seq, { ...one, used: 0 }])) },
            asked
          )
      }
    },
    {
      name: "steps are not counted",
      implementation: {
        ...ours,
        recall: (policy, approvals, asked) => ours.recall(policy, approvals, { ...asked, step: 1 })
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const telling: Law<Implementation> = {
  number: 12,
  name: "the model is told nothing of a rule, its layer or another spelling of the target; the operator all of it",
  property: ({ refusal }) =>
    FastCheck.property(Arbitraries.question, attributed, attributed, ({ act, target }, one, other) => {
      const told = refusal(act, target, one)
      const { layer = "", rule = "" } = one
      return (
        told.model === refusal(act, "elsewhere", { ...other, ruling: one.ruling }).model &&
        [act, target, rule, layer].every((part) => told.operator.includes(part))
      )
    }),
  mutants: [
    {
      name: "the rule is told",
      implementation: {
        ...ours,
        refusal: (act, target, verdict) => ({
          ...ours.refusal(act, target, verdict),
          model: `denied by ${verdict.rule}`
        })
      }
    },
    {
      name: "the model is told what the operator is told",
      implementation: {
        ...ours,
        refusal: (act, target, verdict) => {
          const { operator } = ours.refusal(act, target, verdict)
          return { operator, model: operator }
        }
      }
    },
    {
      name: "the operator is told what the model is told",
      implementation: {
        ...ours,
        refusal: (act, target, verdict) => {
          const { model } = ours.refusal(act, target, verdict)
          return { operator: model, model }
        }
      }
    }
  ]
}

const limits = FastCheck.record(
  { uses: FastCheck.integer({ min: 1, max: 3 }), steps: FastCheck.integer({ min: 1, max: 3 }) },
  { requiredKeys: [] }
)

const later = FastCheck.record({
  act: FastCheck.constantFrom("read" as const, "read" as const, "write" as const),
  target: Arbitraries.target,
  step: FastCheck.integer({ min: 1, max: 4 })
})

const attributed: FastCheck.Arbitrary<Verdict> = FastCheck.record({
  ruling: FastCheck.constantFrom("ask" as const, "deny" as const),
  rule: Arbitraries.pattern,
  layer: FastCheck.constantFrom("machine", "project")
})

const request = Arbitraries.act.chain((act) =>
  FastCheck.record({
    asked: Arbitraries.targetOf(act).map((target): Approval.Asked => ({
      _tag: "Asked",
      step: 0,
      act,
      target: ours.canonical(act, target),
      purpose: "call",
      verdict: { ruling: "ask" }
    })),
    answer: FastCheck.oneof(
      FastCheck.constantFrom<Approval.Closing>(
        { _tag: "Approve" },
        { _tag: "Deny", reason: "no" },
        { _tag: "Remembered", by: 1 }
      ),
      Arbitraries.targetOf(act).map((target): Approval.Closing => ({ _tag: "ApproveRewritten", target })),
      Arbitraries.patternOf(act).map((pattern): Approval.Closing => ({ _tag: "Remember", pattern, limits: {} }))
    )
  })
)

const reaches = (pattern: string, { act, target }: Pick<Approval.Asked, "act" | "target">): boolean => {
  const layers = [{ name: "", rules: [{ act, ruling: "allow" as const, pattern }] }]
  const defaults = { read: "deny", write: "deny", exec: "deny", net: "deny" } as const
  const subjects = Model.subjectsOf(act, target)
  return Model.verdict({ layers, defaults }, { act, subjects }).ruling === "allow"
}

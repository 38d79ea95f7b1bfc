import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Approval from "../src/Approval.ts"
import * as Approver from "../src/Approver.ts"
import { compile } from "../src/Check.ts"
import * as Policy from "../src/Policy.ts"
import * as Refusal from "../src/Refusal.ts"
import { ApproverContract } from "../src/testing.ts"

const asked: Approval.Asked = {
  _tag: "Asked",
  step: 2,
  act: "write",
  target: "src/a.ts",
  purpose: "call",
  verdict: { ruling: "ask" }
}
const policy = Either.getOrThrow(compile(Policy.builtin))
const judge = (answer: Approval.Closing) => Approval.judge(policy, asked, answer)

describe("judging", () => {
  it("law 12: an approval says who gave it; a rewrite gives the canonical target that may be acted on", () => {
    expect(judge({ _tag: "Approve" })).toEqual({
      target: "src/a.ts",
      verdict: { ruling: "allow", rule: "<approved>", layer: "approver" }
    })
    expect(judge({ _tag: "ApproveRewritten", target: "./tmp//a.ts" }).target).toBe("tmp/a.ts")
    expect(judge({ _tag: "Deny", reason: "no" }).verdict.ruling).toBe("deny")
  })

  it("law 13: a rewrite onto a denied target is denied by the rule that denies it", () => {
    expect(judge({ _tag: "ApproveRewritten", target: "x/../.env" })).toEqual({
      target: ".env",
      verdict: { ruling: "deny", rule: ".env", layer: "builtin-secrets" }
    })
  })

  it("law 12: a pattern that is malformed, or does not cover what was asked for, approves nothing", () => {
    const remember = (pattern: string) => judge({ _tag: "Remember", pattern, limits: {} }).verdict
    expect(remember("src/*")).toEqual({ ruling: "allow", rule: "src/*", layer: "approver" })
    expect([remember("lib/*").ruling, remember("[a]").ruling, remember("").ruling]).toEqual(["deny", "deny", "deny"])
  })

  it("law 12: the first answer closes a request; a second one, or one to nothing, changes nothing", () => {
    const open = Approval.record(Approval.none, 5, asked)
    expect([...open.pending]).toEqual([[5, asked]])
    const remember = { _tag: "Remember", pattern: "*", limits: {} } as const
    const answered = {
      _tag: "Answered",
      step: 2,
      of: 5,
      answer: { _tag: "Approve" },
      verdict: { ruling: "allow" }
    } as const
    const closed = Approval.record(open, 6, answered)
    expect(closed.pending.size).toBe(0)
    expect(Approval.record(closed, 7, { ...answered, answer: remember })).toBe(closed)
    expect(Approval.record(open, 6, { ...answered, of: 4 })).toBe(open)
    expect(open.pending.size).toBe(1)
  })

  it("law 13: what a denied answer wanted remembered is not", () => {
    const answer = { _tag: "Remember", pattern: "*", limits: {} } as const
    const denied = { _tag: "Answered", step: 2, of: 5, answer, verdict: { ruling: "deny" } } as const
    expect(Approval.record(Approval.record(Approval.none, 5, asked), 6, denied).remembered.size).toBe(0)
  })
})

describe("events", () => {
  it("law 14: requests and answers decode strictly", () => {
    const decodeAsked = Schema.decodeUnknownEither(Approval.Asked)
    const decodeAnswered = Schema.decodeUnknownEither(Approval.Answered)
    const answer = { _tag: "Remember", pattern: "a", limits: { uses: 1 } }
    const answered = { _tag: "Answered", step: 1, of: 4, answer, verdict: { ruling: "allow" } }
    expect([Either.isRight(decodeAsked(asked)), Either.isRight(decodeAnswered(answered))]).toEqual([true, true])
    for (const wrong of [
      { ...answered, of: 0 },
      { ...answered, extra: 1 },
      { ...answered, answer: { _tag: "Defer" } },
      { ...answered, answer: { ...answer, limits: { uses: 0 } } },
      { ...answered, answer: { ...answer, limits: { days: 3 } } },
      { ...answered, answer: { ...answer, limits: { uses: undefined } } },
      { ...answered, answer: { _tag: "Approve", target: "b" } }
    ]) {
      expect(Either.isLeft(decodeAnswered(wrong)), JSON.stringify(wrong)).toBe(true)
    }
    expect(Either.isLeft(decodeAsked({ ...asked, contents: "x" }))).toBe(true)
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(Approval.Answered), Arbitrary.make(Approval.Asked), (answered, asked) => {
        expect(decodeAnswered(Schema.encodeSync(Approval.Answered)(answered))).toEqual(Either.right(answered))
        expect(decodeAsked(Schema.encodeSync(Approval.Asked)(asked))).toEqual(Either.right(asked))
      }),
      { numRuns: 50 }
    )
  })
})

describe("refusals", () => {
  it("IO-W20 the operator reads the rule and the layer, the model neither", () => {
    const verdict = { ruling: "deny", rule: "payroll/*", layer: "audit" } as const
    expect(Refusal.of("read", "payroll/may", verdict)).toEqual({
      operator: "refused by policy: read payroll/may (rule payroll/* in layer audit)",
      model: "the policy does not allow this"
    })
    expect(Refusal.of("net", "h:1", { ruling: "ask" })).toEqual({
      operator: "refused by policy: net h:1 (by default): no approver",
      model: "a person has to allow this, and nobody is here to ask"
    })
    expect(Refusal.of("exec", "rm", { ruling: "deny", rule: "<denied>", layer: "approver" }, "use trash").model).toBe(
      "a person refused this: use trash"
    )
  })
})

const deny = { _tag: "Deny", reason: "no" } as const
const layerOf = (decide: Approver.Approver["Type"]["decide"]) => Layer.succeed(Approver.Approver, { decide })
const objections = (layer: Layer.Layer<Approver.Approver>) =>
  Effect.forEach(ApproverContract.checks(), ({ check, name }) =>
    Effect.map(Effect.exit(Effect.provide(check, layer)), (exit) => (Exit.isSuccess(exit) ? [] : [name]))
  ).pipe(Effect.map((names) => names.flat()))

describe("the contract of Approver", () => {
  for (const { check, name } of ApproverContract.checks([asked])) {
    it.effect(`scripted: ${name}`, () =>
      Effect.provide(check, Approver.scripted([{ _tag: "Approve" }, { _tag: "Defer" }]))
    )
  }

  it.effect("a script answers in its order, and refuses behind its end", () =>
    Effect.gen(function* () {
      const { decide } = yield* Approver.Approver
      expect([yield* decide(asked), yield* decide(asked)]).toEqual([
        { _tag: "Approve" },
        { _tag: "Deny", reason: "no more answers" }
      ])
    }).pipe(Effect.provide(Approver.scripted([{ _tag: "Approve" }])))
  )

  const wrong: Readonly<Record<string, Approver.Approver["Type"]["decide"]>> = {
    "breaks on a target that it does not know": ({ target }) =>
      target === "h" ? Effect.die("h?") : Effect.succeed(deny),
    "remembers more than it says": () => Effect.succeed({ _tag: "Remember", pattern: "elsewhere/*", limits: {} }),
    "remembers a malformed pattern": () => Effect.succeed({ _tag: "Remember", pattern: "{a,b}", limits: {} }),
    "sets a limit of nothing": () => Effect.succeed({ _tag: "Remember", pattern: "*", limits: { uses: 0 } }),
    "denies without a word": () => Effect.succeed({ _tag: "Deny", reason: " " })
  }
  it.each(Object.entries(wrong))("is not kept by one that %s", async (_, decide) => {
    expect(await Effect.runPromise(objections(layerOf(decide)))).not.toEqual([])
  })

  it.effect("is kept by one that always defers", () =>
    Effect.map(objections(layerOf(() => Effect.succeed({ _tag: "Defer" }))), (names) => expect(names).toEqual([]))
  )
})

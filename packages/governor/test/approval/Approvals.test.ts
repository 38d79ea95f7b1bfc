import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Answer, Asked } from "@palimpsest/policy/Approval"
import { Approver, scripted } from "@palimpsest/policy/Approver"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Approvals from "../../src/Approvals.ts"
import * as Audit from "../../src/Audit.ts"
import * as Governor from "../../src/Governor.ts"
import * as Runs from "../../src/Runs.ts"
import { eventsOf, memory } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"
import { balanced } from "../support/Presets.ts"
import { begin, RUN, sent, user } from "../support/Turns.ts"

const WIDE = balanced("anthropic", 50_000)
const ASKING = Policy.ask(Policy.deny(Policy.layer(Policy.permissive, "mine"), "write", "secret/*"), "write", "*")
const tags = Effect.map(eventsOf(RUN), (all) => all.map(({ fact }) => fact._tag))
const answering = (...answers: ReadonlyArray<Answer>) => Layer.merge(memory, scripted(answers))
const resumed = (narrowed?: Policy.Policy) =>
  Governor.resume({
    log: RUN,
    hash,
    policy: Either.getOrThrow(compile(ASKING)),
    ...(narrowed === undefined ? {} : { narrowed })
  })
const whole = Effect.map(
  Effect.flatMap(Runs.find(hash, RUN), (run) => Audit.audit(hash, run, undefined)),
  ({ findings }) => findings
)

describe("approvals of a live run", () => {
  it.effect("law 12: ask without an approver is a refusal, on record; the model is not told the rule", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      const outcome = yield* Approvals.request(live, "write", "a.ts")
      expect(outcome).toEqual({
        _tag: "Refused",
        verdict: { ruling: "ask", rule: "*", layer: "mine" },
        refusal: {
          operator: "refused by policy: write a.ts (rule * in layer mine): no approver",
          model: "a person has to allow this, and nobody is here to ask"
        }
      })
      expect(yield* tags).toEqual(["Began", "Gated"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 12: what is allowed or denied never reaches the approver", () =>
    Effect.gen(function* () {
      const asked: Array<Asked> = []
      const decide = (request: Asked) => Effect.sync((): Answer => (asked.push(request), { _tag: "Approve" }))
      const live = yield* begin(WIDE, ASKING)
      yield* Effect.gen(function* () {
        expect(yield* Approvals.request(live, "read", "a.ts")).toMatchObject({ _tag: "Allowed", target: "a.ts" })
        expect(yield* Approvals.request(live, "write", "./secret//key")).toMatchObject({ _tag: "Refused" })
        expect(asked).toEqual([])
        expect(yield* tags).toEqual(["Began", "Gated"])
        expect(yield* Approvals.request(live, "write", "x/../b.ts")).toMatchObject({ _tag: "Allowed", target: "b.ts" })
      }).pipe(Effect.provideService(Approver, { decide }))
      expect(asked.map(({ target }) => target)).toEqual(["b.ts"])
      expect(yield* tags).toEqual(["Began", "Gated", "Asked", "Answered"])
      expect(yield* whole).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 13: a rewrite is checked again, and a deny of its target holds", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      expect(yield* Approvals.request(live, "write", "a.ts")).toMatchObject({ _tag: "Allowed", target: "tmp/a.ts" })
      expect(yield* Approvals.request(live, "write", "a.ts")).toMatchObject({
        _tag: "Refused",
        verdict: { ruling: "deny", rule: "secret/*", layer: "mine" },
        refusal: { model: "the policy does not allow this" }
      })
    }).pipe(
      Effect.provide(
        answering(
          { _tag: "ApproveRewritten", target: "./tmp//a.ts" },
          { _tag: "ApproveRewritten", target: "tmp/../secret/a.ts" }
        )
      )
    )
  )

  it.effect("law 12: an approval is remembered within its limits, over a resume, and lifts no deny", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      const ask = (run: Governor.Live, target: string) =>
        Effect.map(Approvals.request(run, "write", target), ({ _tag }) => _tag)
      expect(yield* ask(live, "src/a.ts")).toBe("Allowed")
      expect(yield* ask(live, "src/b.ts")).toBe("Allowed")
      expect(yield* ask(live, "secret/src/c.ts")).toBe("Refused")
      const later = yield* resumed()
      expect(yield* ask(later, "src/d.ts")).toBe("Allowed")
      expect(yield* ask(later, "src/e.ts")).toBe("Refused")
      const answers = (yield* eventsOf(RUN)).flatMap(({ fact }) => (fact._tag === "Answered" ? [fact.answer] : []))
      expect(answers.map(({ _tag }) => _tag)).toEqual(["Remember", "Remembered", "Remembered", "Deny"])
      expect(answers[1]).toEqual({ _tag: "Remembered", by: 3 })
      expect(yield* whole).toEqual([])
    }).pipe(Effect.provide(answering({ _tag: "Remember", pattern: "*src/*", limits: { uses: 2 } })))
  )

  it.effect("law 12: steps limit what is remembered", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      yield* Governor.observe(live, [user("Go.")])
      expect(yield* Approvals.request(live, "write", "a")).toMatchObject({ _tag: "Allowed" })
      expect(yield* Approvals.request(live, "write", "b")).toMatchObject({ _tag: "Allowed" })
      yield* sent(live)
      expect(yield* Approvals.request(live, "write", "c")).toMatchObject({ _tag: "Refused" })
    }).pipe(Effect.provide(answering({ _tag: "Remember", pattern: "*", limits: { steps: 1 } })))
  )

  it.effect("law 12: a deferred request is on record before it is answered, once, and a resumed run performs it", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      expect(yield* Approvals.request(live, "write", "a.ts")).toEqual({ _tag: "Pending", asked: 2 })
      expect(yield* Approvals.request(live, "write", "./a.ts")).toEqual({ _tag: "Pending", asked: 2 })
      expect(yield* tags).toEqual(["Began", "Asked"])
      const later = yield* resumed()
      expect([...(yield* Approvals.pending(later)).values()].map(({ target }) => target)).toEqual(["a.ts"])
      expect(yield* Approvals.again(later, 2)).toMatchObject({ _tag: "Allowed", target: "a.ts" })
      expect(yield* Effect.flip(Approvals.again(later, 2))).toMatchObject({ _tag: "NotPending", asked: 2 })
      expect(yield* Effect.flip(Approvals.answer(later, 9, { _tag: "Approve" }))).toMatchObject({ _tag: "NotPending" })
      expect((yield* Approvals.pending(yield* resumed())).size).toBe(0)
      expect(yield* tags).toEqual(["Began", "Asked", "Answered"])
    }).pipe(Effect.provide(answering({ _tag: "Defer" }, { _tag: "Defer" }, { _tag: "Approve" })))
  )

  it.effect("law 12: a process that ends while somebody is asked leaves the request on record", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      const decide = () => Effect.die("the lights went out")
      yield* Effect.exit(Effect.provideService(Approvals.request(live, "write", "a.ts"), Approver, { decide }))
      const later = yield* resumed()
      expect([...(yield* Approvals.pending(later)).keys()]).toEqual([2])
      expect(yield* Approvals.again(later, 2)).toEqual({ _tag: "Pending", asked: 2 })
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 13: a deny that landed while a request was pending holds against its approval", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      yield* Approvals.request(live, "write", "a.ts")
      const later = yield* resumed(Policy.deny(Policy.layer(Policy.permissive, "since"), "write", "a.ts"))
      expect(yield* Approvals.answer(later, 2, { _tag: "Approve" })).toMatchObject({
        _tag: "Refused",
        verdict: { ruling: "deny", rule: "a.ts", layer: "since" }
      })
      expect((yield* eventsOf(RUN)).at(-1)?.fact).toMatchObject({
        _tag: "Answered",
        answer: { _tag: "Approve" },
        verdict: { ruling: "deny" }
      })
    }).pipe(Effect.provide(answering({ _tag: "Defer" })))
  )

  it.effect("a person's reason is for the model, and for the operator", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      expect(yield* Approvals.request(live, "write", "a.ts")).toMatchObject({
        refusal: {
          operator: "refused by policy: write a.ts (rule <denied> in layer approver): use b.ts",
          model: "a person refused this: use b.ts"
        }
      })
    }).pipe(Effect.provide(answering({ _tag: "Deny", reason: "use b.ts" })))
  )

  it.effect("two handles on one run: only one of two answers is kept, the other is a Conflict", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE, ASKING)
      yield* Approvals.request(live, "write", "a.ts")
      const [one, other] = [yield* resumed(), yield* resumed()]
      expect(yield* Approvals.answer(one, 2, { _tag: "Deny", reason: "no" })).toMatchObject({ _tag: "Refused" })
      expect(yield* Effect.flip(Approvals.answer(other, 2, { _tag: "Approve" }))).toMatchObject({ _tag: "Conflict" })
      expect(yield* tags).toEqual(["Began", "Asked", "Answered"])
    }).pipe(Effect.provide(answering({ _tag: "Defer" })))
  )
})

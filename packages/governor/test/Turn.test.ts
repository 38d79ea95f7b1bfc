import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Measure from "@palimpsest/budget/Measure"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../src/Audit.ts"
import * as Draft from "../src/Draft.ts"
import * as Governor from "../src/Governor.ts"
import * as Runs from "../src/Runs.ts"
import { eventsOf, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { objectOf } from "./support/Json.ts"
import { balanced, raw, section } from "./support/Presets.ts"
import { dump } from "./support/Store.ts"
import { acted, begin, observed, read, RUN, sectionText, sent, TREE, twin, user } from "./support/Turns.ts"

const WIDE = balanced("anthropic", 50_000)
const tags = Effect.map(eventsOf(RUN), (all) => all.map(({ fact }) => fact._tag))

describe("a live turn", () => {
  it.effect("observe, check, prepare, settle: each act is in the log in its order, and the audit finds it whole", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE)
      expect(yield* Governor.observe(live, [user("Look at a.ts."), ...read("c1", "a.ts", "export {}\n")])).toEqual([
        2, 3, 4
      ])
      expect(yield* Governor.check(live, "write", "a.ts")).toEqual({ ruling: "allow" })
      const turn = yield* sent(live)
      const usage = { ...NOTHING, uncached: Measure.measured(20), output: Measure.measured(3) }
      yield* Governor.settle(live, usage)
      const all = yield* eventsOf(RUN)
      expect(all.map(({ fact }) => fact._tag)).toEqual([
        "Began",
        "Entered",
        "Entered",
        "Entered",
        "Requested",
        "Reported"
      ])
      expect(all.at(-1)?.fact).toEqual({ _tag: "Reported", step: 1, request: 1, usage })
      const requested = all[4]?.fact
      expect(requested).toMatchObject({ request: 1, through: 4, from: 0, as: "anthropic", estimate: turn.estimate })
      expect(requested?._tag === "Requested" ? requested.added : []).toEqual(
        turn.messages.map((message) => hash(new TextEncoder().encode(message)))
      )
      const audit = yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)
      expect(audit).toMatchObject({ events: 6, requests: 1, differ: 0, findings: [] })
    }).pipe(Effect.provide(memory))
  )

  it.effect("steps count the requests: what enters before the first is of step 0, its answer of step 1", () =>
    Effect.gen(function* () {
      const live = yield* begin(raw("openai-chat"))
      yield* Governor.observe(live, [user("One.")])
      yield* sent(live)
      yield* Governor.observe(live, [Draft.said("assistant", "a1", "First."), user("Two.", "u2")])
      expect((yield* sent(live)).messages.map((message): unknown => JSON.parse(message))).toEqual([
        { role: "user", content: "One." },
        { role: "assistant", content: "First." },
        { role: "user", content: "Two." }
      ])
      expect((yield* eventsOf(RUN)).map(({ fact }) => "step" in fact && fact.step)).toEqual([0, 0, 1, 1, 1, 2])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a refused act is recorded with its rule and layer, `ask` too; an allowed one is not", () =>
    Effect.gen(function* () {
      const policy = Policy.ask(Policy.deny(Policy.layer(Policy.permissive, "mine"), "read", "secret/*"), "exec", "rm")
      const live = yield* begin(WIDE, policy)
      const denied = { ruling: "deny", rule: "secret/*", layer: "mine" }
      expect(yield* Governor.check(live, "read", "./secret//key")).toEqual(denied)
      expect(yield* Governor.check(live, "exec", "rm")).toMatchObject({ ruling: "ask" })
      expect(yield* Governor.check(live, "read", "open/key")).toEqual({ ruling: "allow" })
      const gated = { _tag: "Gated", step: 0, purpose: "call" }
      expect((yield* eventsOf(RUN)).slice(1).map(({ fact }) => fact)).toEqual([
        { ...gated, act: "read", target: "secret/key", verdict: denied },
        { ...gated, act: "exec", target: "rm", verdict: { ruling: "ask", rule: "rm", layer: "mine" } }
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("two handles on one log: the second one's act is a typed Conflict, and nothing of it was kept", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE)
      yield* Governor.observe(live, [user("Begin.")])
      const other = yield* twin(live)
      yield* Governor.observe(live, [user("First.", "u2")])
      const before = (yield* dump).logs
      const conflicts = yield* Effect.all([
        Effect.flip(Governor.observe(other, [user("Second.", "u2")])),
        Effect.flip(Governor.prepare(other)),
        Effect.flip(Governor.settle(other, NOTHING))
      ])
      expect(conflicts.map(conflict)).toEqual(conflicts.map(() => ["Conflict", RUN, 3]))
      expect((yield* dump).logs).toEqual(before)
      expect((yield* sent(live)).messages.join()).not.toContain("Second.")
    }).pipe(Effect.provide(memory))
  )

  it.effect("a log that has begun does not begin again under another configuration", () =>
    Effect.gen(function* () {
      yield* begin(WIDE)
      expect(conflict(yield* Effect.flip(begin(raw("anthropic"))))).toEqual(["Conflict", RUN, 1])
      expect(yield* tags).toEqual(["Began"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a turn that cannot fit is refused with need and have, and the log says so; a later one may fit", () =>
    Effect.gen(function* () {
      const live = yield* begin(balanced("anthropic", 40, 40))
      yield* Governor.observe(live, [user("word ".repeat(100))])
      const turn = yield* Governor.prepare(live)
      expect(turn).toEqual({ _tag: "Refused", request: 1, need: 126, have: 40 })
      expect((yield* eventsOf(RUN)).at(-1)?.fact).toEqual({
        _tag: "Refused",
        step: 1,
        request: 1,
        why: "ContextExhausted",
        need: 126,
        have: 40
      })
      expect(yield* Governor.prepare(live)).toMatchObject({ _tag: "Refused", request: 2 })
      expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a call without its result is closed in the request, and the late result takes its place", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE)
      const [call, result] = read("c1", "a.ts", "late\n")
      yield* Governor.observe(live, [user("Look."), call!])
      const closed = (yield* sent(live)).messages
      expect(resultsIn(closed)).toEqual([["c1", "[no result was recorded for this call]"]])
      yield* Governor.observe(live, [result!])
      expect(resultsIn((yield* sent(live)).messages)).toEqual([["c1", "late\n"]])
      expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "the preset io-harness shows one message of the user with the section, and the words of the user are in it not",
    () =>
      Effect.gen(function* () {
        const live = yield* begin(section("anthropic", 24_000))
        expect((yield* sent(live)).messages).toEqual([])
        const failed = acted("c2", "Bash", "make", "boom\n", { ...observed("error", "make"), subject: "cmd:make" })
        yield* Governor.observe(live, [user("Look."), ...read("c1", "a.ts", "one\n"), ...failed])
        const { estimate, messages } = yield* sent(live)
        const text = "\n[read a.ts]\none\n\n\n[error make]\nboom\n\n"
        expect(sectionText(messages)).toBe(text)
        expect(estimate).toBe(Math.ceil(text.length / 4))
        expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
        expect((yield* dump).logs.map(({ log, tree }) => [log, tree])).toEqual([[RUN, TREE]])
      }).pipe(Effect.provide(memory))
  )
})

const conflict = (error: Governor.TurnError): ReadonlyArray<unknown> =>
  error._tag === "Conflict" ? [error._tag, error.log, error.actual.seq] : [error._tag, error.message]

const none = Measure.unmeasured("not told")
const NOTHING = { uncached: none, cacheRead: none, cacheWrite: none, output: none, reasoning: none }

const resultsIn = (messages: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  messages
    .flatMap((message) => objectOf(JSON.parse(message))["content"])
    .map(objectOf)
    .filter(({ type }) => type === "tool_result")
    .map(({ content, tool_use_id }) => [tool_use_id, content])

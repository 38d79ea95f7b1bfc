import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../src/Audit.ts"
import * as Draft from "../src/Draft.ts"
import * as Governor from "../src/Governor.ts"
import * as Runs from "../src/Runs.ts"
import * as Workspace from "../src/Workspace.ts"
import { eventsOf, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { section } from "./support/Presets.ts"
import { begin, read, RUN, sectionText, sent, user, write } from "./support/Turns.ts"

const SECTION = section("anthropic", 24_000)
const files = (given: Readonly<Record<string, string>>) => Layer.merge(memory, Workspace.memory(given))
const answering = (contents: Workspace.Contents) =>
  Layer.merge(memory, Layer.succeed(Workspace.Workspace, { read: () => Effect.succeed(contents) }))

/** Read before request 1 (step 0), written after it (step 1), shown again in request 2. */
const stale = (policy?: Policy.Policy) =>
  Effect.gen(function* () {
    const live = yield* begin(SECTION, policy)
    yield* Governor.observe(live, [user("Mend a.ts."), ...read("c1", "a.ts", "old\n")])
    yield* sent(live)
    yield* Governor.observe(live, write("c2", "a.ts"))
    return { live, text: sectionText((yield* sent(live)).messages) }
  })

const refused = (why: string, step = 2): string =>
  `\n[read a.ts] (elided: invalidated by the write at step 1; the re-read at step ${step} could not be done (${why}) — read it yourself)\n` +
  "\n[wrote a.ts]\ndone\n"

const whole = Effect.gen(function* () {
  expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
})

describe("re-reads of a section (io-harness)", () => {
  it.effect(
    "IO-24 a stale read shows the contents of now in its old place, naming its step, the write's and this one",
    () =>
      Effect.gen(function* () {
        const { live, text } = yield* stale()
        expect(text).toBe(
          "\n[read a.ts] (re-read at step 2; the read at step 0 was invalidated by the write at step 1)\nnew\n\n" +
            "\n[wrote a.ts]\ndone\n"
        )
        const memory = yield* Workspace.MemoryFiles
        yield* memory.set("a.ts", "newer")
        expect(sectionText((yield* sent(live)).messages)).toContain(
          "\n[read a.ts] (re-read at step 3; the read at step 0 was invalidated by the write at step 1)\nnewer\n"
        )
        yield* whole
      }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect(
    "IO-24 IO-W10 what was read is in the log with its own body, and the decision that shows it only points there",
    () =>
      Effect.gen(function* () {
        yield* stale()
        const all = yield* eventsOf(RUN)
        const entered = all.findIndex(({ fact }) => fact._tag === "Entered" && fact.message.startsWith("refresh-"))
        const at = all[entered]!
        const shows = all.slice(entered).find(({ fact }) => fact._tag === "Decided")
        expect(at.fact).toMatchObject({ step: 2, part: { body: { at: { _tag: "Own" } } }, origin: { _tag: "Made" } })
        const change = { entries: [4, 4], form: { _tag: "Refreshed", by: at.seq, rest: { seq: 4 } } }
        expect(shows?.fact).toMatchObject({ changes: [change] })
        expect(JSON.stringify(shows?.fact)).not.toContain("new")
      }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect("IO-25 deny and ask refuse with the rule, and are in the log", () =>
    Effect.forEach(["deny", "ask"] as const, (ruling) =>
      Effect.gen(function* () {
        const { text } = yield* stale(Policy.rule(Policy.layer(Policy.permissive, "house"), "read", ruling, "a.*"))
        const what = ruling === "deny" ? "the policy denies reading it" : "the policy sends reading it to a human"
        expect(text).toBe(refused(`${what} by rule a.*`))
        const gates = (yield* eventsOf(RUN)).flatMap(({ fact }) => (fact._tag === "Gated" ? [fact] : []))
        const verdict = { ruling, rule: "a.*", layer: "house" }
        expect(gates).toEqual([
          { _tag: "Gated", step: 2, act: "read", target: "a.ts", of: 4, purpose: "refresh", verdict }
        ])
        yield* whole
      }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
    )
  )

  it.effect("IO-25 a default that refuses has no rule to name; the file's other name is asked about too", () =>
    Effect.gen(function* () {
      const closed: Policy.Policy = { layers: [], defaults: { ...Policy.permissive.defaults, read: "deny" } }
      expect((yield* stale(closed).pipe(Effect.provide(files({ "a.ts": "new\n" })))).text).toBe(
        refused("the policy denies reading it")
      )
      const live = yield* begin(SECTION, Policy.deny(Policy.layer(Policy.permissive, "house"), "read", "private/*"))
      yield* Governor.observe(live, [
        ...read("c1", "/srv/app/private/a.ts", "old\n", "file:private/a.ts"),
        ...write("c2", "/srv/app/private/a.ts", "done", "file:private/a.ts")
      ])
      expect(sectionText((yield* sent(live)).messages)).toContain("the policy denies reading it by rule private/*")
    }).pipe(Effect.provide(files({ "/srv/app/private/a.ts": "new\n" })))
  )

  it.effect("IO-25 without a workspace the stub says so, and nothing enters the log for it", () =>
    Effect.gen(function* () {
      expect((yield* stale()).text).toBe(refused("this run has no workspace to re-read from"))
      expect((yield* eventsOf(RUN)).filter(({ fact }) => fact._tag === "Gated")).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("IO-27 empty and gone are one answer in the seed's words; a failed read says why", () =>
    Effect.gen(function* () {
      for (const [contents, why] of LACKING) {
        const { text } = yield* stale().pipe(Effect.provide(answering(contents)))
        expect(text).toBe(refused(why))
      }
    })
  )

  it.effect("IO-28 the refused stub names the write's step, this step and the reason, and follows the turns", () =>
    Effect.gen(function* () {
      const { live, text } = yield* stale()
      expect(text).toBe(refused("it is now empty, or gone"))
      yield* Governor.observe(live, [Draft.said("assistant", "m-3", "Hm.")])
      const later = sectionText((yield* sent(live)).messages)
      expect(later.startsWith(refused("it is now empty, or gone", 3))).toBe(true)
      yield* whole
    }).pipe(Effect.provide(files({})))
  )

  it.effect("IO-36 what a section leaves out is in the log, whole and in order", () =>
    Effect.gen(function* () {
      const live = yield* begin(section("anthropic", 200))
      for (let i = 0; i < 12; i++) {
        yield* Governor.observe(live, read(`c${i}`, `f${i}.ts`, `file ${i}\n`.repeat(20)))
        yield* sent(live)
      }
      const text = sectionText((yield* sent(live)).messages)
      expect(text).not.toContain("file 3\n")
      const results = (yield* eventsOf(RUN)).flatMap(({ fact }) =>
        fact._tag === "Entered" && fact.part._tag === "Result" ? [fact.observation?.target] : []
      )
      expect(results).toEqual(Array.from({ length: 12 }, (_, i) => `f${i}.ts`))
      yield* whole
    }).pipe(Effect.provide(files({})))
  )
})

const LACKING: ReadonlyArray<readonly [Workspace.Contents, string]> = [
  [{ _tag: "Empty" }, "it is now empty, or gone"],
  [{ _tag: "Missing" }, "it is now empty, or gone"],
  [{ _tag: "Binary" }, "the re-read failed: it is not text"],
  [{ _tag: "Unreadable", why: "EACCES" }, "the re-read failed: EACCES"]
]

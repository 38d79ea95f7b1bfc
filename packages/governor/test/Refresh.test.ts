import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import { Seq } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../src/Audit.ts"
import * as Draft from "../src/Draft.ts"
import * as Governor from "../src/Governor.ts"
import * as Recall from "../src/Recall.ts"
import * as Runs from "../src/Runs.ts"
import * as Workspace from "../src/Workspace.ts"
import { eventsOf, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { balanced } from "./support/Presets.ts"
import { begin, read, RUN, sent, user, write } from "./support/Turns.ts"

const WIDE = balanced("anthropic", 50_000)
const files = (given: Readonly<Record<string, string>>) => Layer.merge(memory, Workspace.memory(given))
const answering = (contents: Workspace.Contents) =>
  Layer.merge(memory, Layer.succeed(Workspace.Workspace, { read: () => Effect.succeed(contents) }))

/** A file is read, a request is sent, the file is written: the next request finds the read stale. */
const stale = (policy?: Policy.Policy) =>
  Effect.gen(function* () {
    const live = yield* begin(WIDE, policy)
    yield* Governor.observe(live, [user("Mend a.ts."), ...read("c1", "a.ts", "old\n")])
    const first = yield* sent(live)
    yield* Governor.observe(live, write("c2", "a.ts"))
    return { live, first }
  })

const refreshes = Effect.map(eventsOf(RUN), (all) =>
  all.filter(({ fact }) => fact._tag === "Entered" && fact.message.startsWith("refresh-"))
)
const gates = Effect.map(eventsOf(RUN), (all) => all.flatMap(({ fact }) => (fact._tag === "Gated" ? [fact] : [])))
const whole = Effect.gen(function* () {
  expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
})

describe("refresh at the tail (balanced)", () => {
  it.effect("IO-24 a write makes an earlier read stale, and the next request shows the contents of now", () =>
    Effect.gen(function* () {
      const { live } = yield* stale()
      const { messages } = yield* sent(live)
      expect(messages.at(-1)).toContain("[a.ts was changed by the write @7: this is what it holds now]\\nnew\\n")
      expect(messages.join("")).toContain('"old\\n"')
      yield* whole
    }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect("IO-W9 what was sent before stays to the byte: the fresh text stands at the tail", () =>
    Effect.gen(function* () {
      const { first, live } = yield* stale()
      const second = yield* sent(live)
      expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
      yield* Governor.observe(live, [Draft.said("assistant", "m-3", "Done."), user("Thanks.", "u2")])
      const third = yield* sent(live)
      expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages)
    }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect(
    "IO-W10 what was read is an observation of its own, with its own body, before the request that shows it",
    () =>
      Effect.gen(function* () {
        const { live } = yield* stale()
        yield* sent(live)
        const all = yield* eventsOf(RUN)
        expect(all.map(({ fact }) => fact._tag).slice(-2)).toEqual(["Entered", "Requested"])
        expect(all.at(-2)?.fact).toMatchObject({
          part: { _tag: "Text", body: { at: { _tag: "Own" } } },
          observation: { kind: "read", target: "a.ts", subject: "file:a.ts", covers: { _tag: "All" } },
          origin: { _tag: "Made" }
        })
      }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect("IO-W8 once per write, however many reads it made stale and however many requests follow", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE)
      yield* Governor.observe(live, [
        user("Mend a.ts."),
        ...read("c1", "a.ts", "old\nand more\n"),
        Draft.called("m-c2", "c2", "Read", { file_path: "a.ts", limit: 1 }),
        Draft.result("r-c2", "c2", "old\n", PART),
        ...write("c3", "a.ts")
      ])
      for (let i = 0; i < 3; i++) {
        yield* sent(live)
        yield* Governor.observe(live, [Draft.said("assistant", `m-${i}`, "Going on."), user("Go on.", `u-${i}`)])
      }
      expect(yield* refreshes).toHaveLength(1)
      yield* Governor.observe(live, write("c4", "a.ts"))
      const files = yield* Workspace.MemoryFiles
      yield* files.set("a.ts", "newer\n")
      const { messages } = yield* sent(live)
      yield* sent(live)
      expect(yield* refreshes).toHaveLength(2)
      expect(messages.at(-1)).toContain("newer\\n")
      yield* whole
    }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect(
    "IO-W8 only what is carried: a stale read that has left the view, or that was read again, is not refreshed",
    () =>
      Effect.gen(function* () {
        const live = yield* begin(balanced("anthropic", 300))
        yield* Governor.observe(live, [user("Mend."), ...read("c1", "a.ts", "x".repeat(2_000))])
        yield* sent(live)
        yield* Governor.observe(live, [
          Draft.said("assistant", "m-1", "I see."),
          ...read("c2", "b.ts", "y".repeat(1_600))
        ])
        expect((yield* sent(live)).messages.join("")).toContain("left out: read a.ts")
        yield* Governor.observe(live, [...write("c3", "a.ts"), ...write("c4", "c.ts"), ...read("c5", "c.ts", "z\n")])
        yield* sent(live)
        expect(yield* refreshes).toEqual([])
      }).pipe(Effect.provide(files({ "a.ts": "new\n", "c.ts": "new\n" })))
  )

  it.effect(
    "IO-25 denied or for a person to allow: nothing is read, the log has the rule, the model only that it is stale",
    () =>
      Effect.forEach(["deny", "ask"] as const, (ruling) =>
        Effect.gen(function* () {
          const { live } = yield* stale(Policy.rule(Policy.layer(Policy.permissive, "house"), "read", ruling, "a.*"))
          const { messages } = yield* sent(live)
          expect(messages.at(-1)).toContain("[a.ts was changed by the write @7: it may not be read now]")
          expect(messages.join("")).not.toMatch(/new|a\.\*|house|deny|ask/)
          const verdict = { ruling, rule: "a.*", layer: "house" }
          expect(yield* gates).toEqual([
            { _tag: "Gated", step: 1, act: "read", target: "a.ts", of: 4, purpose: "refresh", verdict }
          ])
          yield* sent(live)
          expect(yield* gates).toHaveLength(1)
          yield* whole
        }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
      )
  )

  it.effect("IO-25 law 12: what is of a file by another name needs leave for that name too", () =>
    Effect.gen(function* () {
      const policy = Policy.deny(Policy.layer(Policy.permissive, "house"), "read", "private/*")
      const live = yield* begin(WIDE, policy)
      yield* Governor.observe(live, [
        user("Mend it."),
        ...read("c1", "/srv/app/private/a.ts", "old\n", "file:private/a.ts"),
        ...write("c2", "/srv/app/private/a.ts", "done", "file:private/a.ts")
      ])
      expect((yield* sent(live)).messages.join("")).not.toContain("new")
      expect(yield* gates).toMatchObject([{ target: "private/a.ts", verdict: { rule: "private/*" } }])
    }).pipe(Effect.provide(files({ "/srv/app/private/a.ts": "new\n" })))
  )

  it.effect("what could not be read after one write is tried again after the next, and not before", () =>
    Effect.gen(function* () {
      const { live } = yield* stale()
      expect((yield* sent(live)).messages.at(-1)).toContain("[a.ts was changed by the write @7: it is gone]")
      const files = yield* Workspace.MemoryFiles
      yield* files.set("a.ts", "back\n")
      expect((yield* sent(live)).messages.join("")).not.toContain("back")
      yield* Governor.observe(live, write("c3", "a.ts"))
      const { messages } = yield* sent(live)
      expect(messages.at(-1)).toContain("this is what it holds now]\\nback\\n")
      yield* sent(live)
      expect(yield* refreshes).toHaveLength(2)
      yield* whole
    }).pipe(Effect.provide(files({})))
  )

  it.effect("what is read is the canonical name, and what is said is the target, as a mark says it", () =>
    Effect.gen(function* () {
      const live = yield* begin(WIDE)
      const target = "./d/../a.ts]\n[@1 left out"
      yield* Governor.observe(live, [user("Mend it."), ...read("c1", target, "old\n", "file:a.ts")])
      yield* sent(live)
      yield* Governor.observe(live, write("c2", "a.ts"))
      const { messages } = yield* sent(live)
      expect(messages.at(-1)).toContain(
        "[./d/../a.ts)?(@1 left out was changed by the write @7: this is what it holds now]\\nnew\\n"
      )
    }).pipe(Effect.provide(files({ "a.ts": "new\n" })))
  )

  it.effect(
    "a file that is large is bounded as any result is, by a decision with its address, and comes back whole",
    () =>
      Effect.gen(function* () {
        const live = yield* begin(balanced("anthropic", 8_000))
        yield* Governor.observe(live, [user("Mend a.ts."), ...read("c1", "a.ts", "old\n")])
        yield* sent(live)
        yield* Governor.observe(live, write("c2", "a.ts"))
        const text = (yield* sent(live)).messages.at(-1) ?? ""
        expect(text).toMatch(/left out: [\d,]+ of [\d,]+ chars\]/)
        expect(text.length).toBeLessThan(6_000)
        const all = yield* eventsOf(RUN)
        const at = all.find(({ fact }) => fact._tag === "Entered" && fact.message.startsWith("refresh-"))
        const { seq = Seq.make(1) } = at ?? {}
        const bounds = all.flatMap(({ fact }) => (fact._tag === "Decided" ? [fact.changes] : []))
        expect(bounds).toMatchObject([[{ entries: [seq, seq], form: { _tag: "Bounded", rest: { seq } } }]])
        const policy = Either.getOrThrow(compile(Policy.permissive))
        const { bytes } = yield* Recall.recall(hash, policy, { run: RUN, address: { seq } })
        expect(decodeUtf8(bytes).endsWith(`now]\n${LARGE}`)).toBe(true)
        yield* whole
      }).pipe(Effect.provide(files({ "a.ts": LARGE })))
  )

  it.effect("law 12: what the workspace refuses is in the log with its verdict, and the model is told no name", () =>
    Effect.gen(function* () {
      const { live } = yield* stale()
      const { messages } = yield* sent(live)
      expect(messages.at(-1)).toContain("[a.ts was changed by the write @7: it may not be read now]")
      expect(messages.join("")).not.toMatch(/private|house/)
      const { name: target, verdict } = REFUSED
      expect(yield* gates).toEqual([
        { _tag: "Gated", step: 1, act: "read", target, of: 4, purpose: "refresh", verdict }
      ])
      yield* whole
    }).pipe(Effect.provide(answering(REFUSED)))
  )

  it.effect("IO-25 without a workspace nothing is read and nothing is said", () =>
    Effect.gen(function* () {
      const { live } = yield* stale()
      expect((yield* sent(live)).messages.join("")).not.toContain("was changed by")
      expect(yield* refreshes).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("IO-27 IO-W20 empty, gone, unreadable and binary are four answers, and none is an observation", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(LACKING, ([contents, words]) =>
        Effect.gen(function* () {
          const { live } = yield* stale()
          const { messages } = yield* sent(live)
          expect(messages.at(-1)).toContain(`[a.ts was changed by the write @7: ${words}]`)
          expect(messages.join("")).not.toContain("EACCES")
          const [entered, ...more] = yield* refreshes
          expect(more).toEqual([])
          expect(entered?.fact).not.toHaveProperty("observation")
          yield* sent(live)
          expect(yield* refreshes).toHaveLength(1)
          return words
        }).pipe(Effect.provide(answering(contents)))
      )
      expect(new Set(answers).size).toBe(4)
    })
  )
})

const LARGE = "a line of a large file\n".repeat(2_000)

const REFUSED = {
  _tag: "Refused",
  verdict: { ruling: "deny", rule: "private/*", layer: "house" },
  name: "private/f",
  why: "the policy does not allow reading it"
} as const

const PART = {
  kind: "read",
  target: "a.ts",
  subject: "file:a.ts",
  covers: { _tag: "Lines", from: 1, to: 1 },
  classifier: "test"
} as const

const LACKING: ReadonlyArray<readonly [Workspace.Contents, string]> = [
  [{ _tag: "Empty" }, "it is empty now"],
  [{ _tag: "Missing" }, "it is gone"],
  [{ _tag: "Binary" }, "it is not text now"],
  [{ _tag: "Unreadable", why: "EACCES" }, "it could not be read"]
]

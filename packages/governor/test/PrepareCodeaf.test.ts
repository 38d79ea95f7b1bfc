import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { boundsOf } from "@palimpsest/compaction/codeaf/Bounds"
import { pathOfEntry } from "@palimpsest/compaction/codeaf/Listed"
import { sized } from "@palimpsest/compaction/codeaf/Sized"
import * as Engine from "@palimpsest/compaction/codeaf/Turn"
import { observationSafetyWindow, observationWindow } from "@palimpsest/compaction/codeaf/Windows"
import { reasonOf } from "@palimpsest/compaction/Form"
import { Seq } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../src/Audit.ts"
import type { Config } from "../src/Config.ts"
import * as Draft from "../src/Draft.ts"
import * as Governor from "../src/Governor.ts"
import * as Recall from "../src/Recall.ts"
import * as Runs from "../src/Runs.ts"
import * as ViewAt from "../src/ViewAt.ts"
import { cuts } from "./support/Cuts.ts"
import { eventsOf, govern, memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { listOf, objectOf, stringOf } from "./support/Json.ts"
import { unpaired, unstable } from "./support/Laws.ts"
import { decode, example, NAMES, shapeOf } from "./support/Sessions.ts"
import { begin, observed, RUN, sent } from "./support/Turns.ts"

const codeaf = (shape: Config["shape"], window?: number): Config => ({
  preset: "codeaf",
  shape,
  ...(window === undefined ? {} : { window })
})

/** A turn: what the assistant says, and what its calls gave. `write`: the first of them is a write. */
interface Turn {
  readonly text: string
  readonly results: ReadonlyArray<string>
  readonly write: boolean
}

const turnOf = (text: string, results: ReadonlyArray<string>, write = false): Turn => ({ text, results, write })

/** The drafts of a turn, and the same turn for the engine. */
const drafts = ({ results, text, write }: Turn, n: number): ReadonlyArray<Draft.EntryDraft> => [
  Draft.said("assistant", `a${n}`, text),
  ...results.map((_, i) => Draft.called(`a${n}`, `c${n}.${i}`, "sh", { cmd: `run ${n} ${i}` })),
  ...results.map((result, i) =>
    Draft.result(`r${n}.${i}`, `c${n}.${i}`, result, observed(write && i === 0 ? "write" : "tool", `t${n}.${i}`))
  )
]

const answerOf = ({ results, text, write }: Turn, n: number): Engine.Answer => ({
  text,
  results: results.map((content, i) => ({
    call: { id: `c${n}.${i}`, name: "sh", arguments: `{"cmd":"run ${n} ${i}"}` },
    result: { content, shape: "command" }
  })),
  revision: { before: 0, after: write && results.length > 0 ? 1 : 0 }
})

/** The texts of results and of the assistant, in order, as a request holds them. */
const textsOf = (messages: ReadonlyArray<string>): ReadonlyArray<string> =>
  messages
    .map((text) => objectOf(JSON.parse(text)))
    .flatMap((message): ReadonlyArray<string> => {
      if (message["role"] === "tool" || message["role"] === "assistant") return [stringOf(message["content"])]
      return []
    })

/** The engine of the seed's rules over the same turns, its paths made of the places in the log. */
const played = (turns: ReadonlyArray<Turn>, window: number, seqs: ReadonlyMap<string, Seq>) => {
  const path = (key: string) => {
    const seq = seqs.get(key)
    return seq === undefined ? undefined : pathOfEntry(seq)
  }
  const large = turns.flatMap(({ results }, n) =>
    results.flatMap((text, i) => (sized(text).bytes > boundsOf(window).spill ? [`c${n}.${i}`] : []))
  )
  const settings: Engine.Settings = {
    working: observationWindow(window),
    safety: observationSafetyWindow(window),
    bounds: boundsOf(window),
    hash,
    spill: (key) => path(key),
    save: (count) => path(large[count - 1] ?? "")
  }
  let run = Engine.begin([{ role: "user", ...sized("Begin.") }])
  return turns.map((turn, n) => {
    const { run: next } = Engine.step(settings, run, answerOf(turn, n))
    run = next
    return next.messages.filter(({ role }) => role !== "user").map(({ text }) => text)
  })
}

/** Governs turns live, by chat messages. `resumed`: by a new handle for each turn. */
const governed = (turns: ReadonlyArray<Turn>, window: number, resumed = false) =>
  Effect.gen(function* () {
    const config = codeaf("openai-chat", window === 0 ? undefined : window)
    let live = yield* begin(config)
    yield* Governor.observe(live, [Draft.said("user", "u", "Begin.")])
    yield* sent(live)
    const seqs = new Map<string, Seq>()
    const requests: Array<ReadonlyArray<string>> = []
    let index = 1
    for (const [n, turn] of turns.entries()) {
      if (resumed) live = yield* Governor.resume({ log: RUN, hash, policy: permissive })
      const [said, ...rest] = yield* Governor.observe(live, drafts(turn, n))
      if (said !== undefined) seqs.set(`assistant#${index}`, said)
      for (const [i] of turn.results.entries()) {
        const seq = rest[turn.results.length + i]
        if (seq !== undefined) seqs.set(`c${n}.${i}`, seq)
      }
      index += 1 + turn.results.length
      requests.push(textsOf((yield* sent(live)).messages))
    }
    return { seqs, requests }
  })

const permissive = Either.getOrThrow(compile(Policy.permissive))

const WINDOWS = [0, 100_000, 128_000]

const result = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 4 }).map((n) => `same ${n} `.repeat(120)),
  FastCheck.integer({ min: 0, max: 3_000 }).map((n) => "line of text\n".repeat(Math.ceil(n / 4)).slice(0, n)),
  FastCheck.integer({ min: 12_000, max: 14_000 }).map((n) => "großes Ergebnis 🙂\n".repeat(700).slice(0, n)),
  FastCheck.constant("ok")
).map((text) => text.replace(/\p{Surrogate}/gu, "?"))
const turns = FastCheck.array(
  FastCheck.record({
    text: FastCheck.integer({ min: 1, max: 2_500 }).map((n) => "reasoning ".repeat(250).slice(0, n)),
    results: FastCheck.array(result, { minLength: 1, maxLength: 3 }),
    write: FastCheck.boolean()
  }),
  { minLength: 1, maxLength: 14 }
)

const run = <A, E>(effect: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<typeof begin>>>) =>
  Effect.runPromise(Effect.provide(effect, memory))

describe("the preset codeaf through the governor", () => {
  it("CA-04 CA-05 CA-06 CA-07 CA-08 CA-10 CA-17 CA-18 CA-19 CA-22 CA-23 CA-31: what is sent is what the engine says, byte for byte", async () => {
    let rewritten = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(turns, FastCheck.constantFrom(...WINDOWS), async (given, window) => {
        const { requests, seqs } = await run(governed(given, window))
        const expected = played(given, window, seqs)
        expect(requests).toEqual(expected)
        if (requests.flat().some((text) => text.includes("spilled to"))) rewritten++
      }),
      { numRuns: 60 }
    )
    expect(rewritten).toBeGreaterThan(10)
  }, 120_000)

  it("CA-W6 law 7: a restart before every turn decides the same: equal events, equal bytes", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(turns, FastCheck.constantFrom(...WINDOWS), async (given, window) => {
        const all = (resumed: boolean) =>
          run(
            Effect.flatMap(governed(given, window, resumed), () =>
              Effect.map(eventsOf(RUN), (all) => all.map(({ fact }) => fact))
            )
          )
        expect(await all(true)).toEqual(await all(false))
      }),
      { numRuns: 25 }
    )
  }, 120_000)

  it("CA-01 CA-02 CA-03: the window sets both budgets; unknown is 32 KiB, and known and small stays small", () => {
    expect([0, 100_000, 128_000, 200_000].map((n) => observationWindow(n))).toEqual([32_768, 4_096, 29_056, 105_856])
    expect(observationSafetyWindow(200_000)).toBe(201_856)
  })

  it.effect("CA-13 CA-14 CA-20 CA-26 CA-28 law 4: the seed's own words, and an address for each", () =>
    Effect.gen(function* () {
      const big = "b".repeat(9_000)
      const said = "my reasoning ".repeat(300)
      const given = [
        turnOf(said, [big]),
        turnOf("on", [big]),
        turnOf("on", ["c".repeat(9_000)], true),
        turnOf("on", ["d".repeat(9_000)]),
        turnOf("on", ["e".repeat(9_000)], true),
        turnOf("on", ["f".repeat(9_000)])
      ]
      const { requests, seqs } = yield* governed(given, 0)
      const [first = Seq.make(1), again = Seq.make(1)] = [seqs.get("c0.0"), seqs.get("c1.0")]
      const texts = requests.at(-1) ?? []
      expect(requests[1]).toContain(
        `[identical to the result of sh {"cmd":"run 0 0"} at turn 1 — read it above, or from .obs/run-decay-${first}.txt]`
      )
      expect(texts).toContain(`[sh {"cmd":"run 0 0"} — 9000 bytes, spilled to .obs/run-decay-${first}.txt]`)
      const found = yield* Runs.find(hash, RUN)
      const view = yield* ViewAt.at(hash, found, given.length + 1)
      if (view._tag !== "Sent") return expect.fail("refused")
      const stub = view.entries.find(({ seq }) => seq === first)
      expect(stub?.form).toMatchObject({ _tag: "Stub", why: { _tag: "Consumed" }, rest: { seq: first } })
      const before = yield* ViewAt.at(hash, found, 3)
      const pointing = before._tag === "Sent" ? before.entries.find(({ seq }) => seq === again)?.form : undefined
      expect(pointing).toMatchObject({ _tag: "Pointer", to: first, rest: { seq: again } })
      for (const { form } of view.entries) {
        if (reasonOf(form) === undefined || !("rest" in form)) continue
        const { bytes } = yield* Recall.recall(hash, permissive, { run: RUN, address: form.rest })
        expect([big, said, ...given.flatMap(({ results }) => results)]).toContain(decode(bytes))
      }
      expect(yield* Audit.audit(hash, found, undefined)).toMatchObject({ differ: 0, findings: [] })
    }).pipe(Effect.provide(memory))
  )

  it.effect("CA-29 CA-30: between rewrites a request is a prefix of the next, and a rewrite names its cause", () =>
    Effect.gen(function* () {
      yield* governed(
        Array.from({ length: 12 }, (_, n) => turnOf("on", [`${n} `.repeat(3_000)], n % 2 === 1)),
        0
      )
      const causes = (yield* eventsOf(RUN)).flatMap(({ fact }) =>
        fact._tag === "Decided" && fact.changes.some(({ form }) => form._tag === "Stub") ? [fact.epoch] : []
      )
      expect(causes.length).toBeGreaterThan(1)
      expect(causes.every((cause) => cause === "schedule" || cause === "ceiling")).toBe(true)
      expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("CA-21 CA-24: an error is carried whole, marked as the seed marks it, and never pointed at", () =>
    Effect.gen(function* () {
      const live = yield* begin(codeaf("anthropic"))
      yield* Governor.observe(live, [Draft.said("user", "u", "Begin.")])
      yield* sent(live)
      for (const n of [0, 1]) {
        yield* Governor.observe(live, [
          Draft.called(`a${n}`, `c${n}`, "sh", { cmd: "false" }),
          Draft.result(`r${n}`, `c${n}`, "no such file ".repeat(40), observed("error", "x"))
        ])
        yield* sent(live)
      }
      const { messages } = yield* Effect.zipRight(
        Governor.observe(live, [Draft.said("user", "u2", "Go on.")]),
        sent(live)
      )
      const results = messages
        .flatMap((text) => listOf(objectOf(JSON.parse(text))["content"]))
        .map(objectOf)
        .filter(({ type }) => type === "tool_result")
      const words = `ERROR: ${"no such file ".repeat(40)}`
      expect(results.map(({ content }) => content)).toEqual([words, words])
    }).pipe(Effect.provide(memory))
  )
})

describe("recorded sessions under codeaf", () => {
  it.effect.each(NAMES)("CA-11 law 6 law 8: %s stays paired and valid, and every request renders again", (name) =>
    Effect.gen(function* () {
      const shape = shapeOf(name)
      for (const window of [undefined, 100_000, 1_000_000]) {
        for (const { lines, report } of yield* govern(example(name), codeaf(shape, window))) {
          expect(report.audit.findings).toEqual([])
          expect(unstable(lines)).toEqual([])
          expect(unpaired(lines, shape)).toEqual([])
        }
      }
    }).pipe(Effect.provide(memory))
  )
})

describe("CA-W6 law 7: import under codeaf", () => {
  cuts(codeaf("anthropic", 100_000))
})

/** The port to a summariser: its contract, and calls recorded and replayed (IO-44). */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import { compact } from "../src/harn/Compact.ts"
import { decode } from "../src/harn/Config.ts"
import { Summarizer, SummarizerFailed, none, scripted } from "../src/Summarizer.ts"
import * as Tape from "../src/SummarizerTape.ts"
import { asking, checks } from "../src/testing/SummarizerContract.ts"

const contract = (layer: Layer.Layer<Summarizer>) =>
  Effect.forEach(checks([asking("a"), asking("b")]), ({ check }) => Effect.either(check)).pipe(
    Effect.provide(layer),
    Effect.map((all) => all.every(Either.isRight))
  )

const answering = (given: object, more: object = {}): Layer.Layer<Summarizer> =>
  Layer.succeed(Summarizer, { ask: () => Effect.succeed({ text: "x", ended: "end" as const, ...given }), ...more })

const taped = (script: Parameters<typeof scripted>[0]) =>
  Tape.record(hash).pipe(Layer.provide(scripted(script)), Layer.provideMerge(Tape.memory()))

const askAll = (texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { ask } = yield* Summarizer
    const answers = yield* Effect.forEach(texts, (text) => Effect.either(ask(asking(text))))
    return { answers, trace: yield* (yield* Tape.Tape).all }
  })

describe("the contract of a summarizer", () => {
  it.effect("holds of the scripted one, of none, and of a replay", () =>
    Effect.gen(function* () {
      const { trace } = yield* askAll(["a", "b"]).pipe(Effect.provide(taped(["one", "two"])))
      const replayed = Tape.replay(hash, 100).pipe(Layer.provide(Tape.memory(trace)))
      for (const layer of [scripted(["one"]), none, replayed]) expect(yield* contract(layer)).toBe(true)
    })
  )

  it.effect(
    "kills: a window of nothing, an ending nobody knows, words beside the answer, an absent one that answers",
    () =>
      Effect.gen(function* () {
        const mutants = [
          answering({}, { window: 0 }),
          answering({ ended: "stop" }),
          answering({ usage: 3 }),
          answering({}, { isAbsent: true })
        ]
        expect(yield* contract(answering({}))).toBe(true)
        for (const mutant of mutants) expect(yield* contract(mutant)).toBe(false)
      })
  )
})

describe("IO-44: deterministic replay, keyed by the whole request", () => {
  const TEXTS = ["a", "b", "a", "c"]
  const SCRIPT = ["one", new SummarizerFailed({ why: "busy" }), "three", { text: "", ended: "length" as const }]

  it.effect("IO-44: a recording and two replays of it give equal answers and equal traces, failures included", () =>
    Effect.gen(function* () {
      const recorded = yield* askAll(TEXTS).pipe(Effect.provide(taped(SCRIPT)))
      const stored = recorded.trace.map((one) =>
        Schema.decodeUnknownSync(Tape.Exchange)(JSON.parse(JSON.stringify(one)))
      )
      const replay = askAll(TEXTS).pipe(Effect.provide(Tape.replay(hash).pipe(Layer.provideMerge(Tape.memory(stored)))))
      const [first, second] = [yield* replay, yield* replay]
      expect(first).toEqual(recorded)
      expect(second).toEqual(recorded)
      expect(recorded.trace.map(({ time }) => time)).toEqual([1, 1, 2, 1])
      expect(recorded.answers.map(Either.isRight)).toEqual([true, false, true, true])
    })
  )

  it.effect(
    "IO-44: a request that differs in one letter, or comes once more than it was recorded, is a typed error",
    () =>
      Effect.gen(function* () {
        const { trace } = yield* askAll(["a"]).pipe(Effect.provide(taped(["one"])))
        const { answers } = yield* askAll(["a ", "a", "a"]).pipe(
          Effect.provide(Tape.replay(hash).pipe(Layer.provideMerge(Tape.memory(trace))))
        )
        const tags = answers.map((one) => (Either.isLeft(one) ? one.left._tag : one.right.text))
        expect(tags).toEqual(["NotRecorded", "one", "NotRecorded"])
        expect(Tape.digestOfRequest(hash, asking("a "))).not.toBe(Tape.digestOfRequest(hash, asking("a")))
      })
  )

  it.effect("IO-44: no strategy falls back over a replay that was asked for what was not recorded", () =>
    Effect.gen(function* () {
      const settings = Either.getOrThrow(
        decode({ token_threshold: 0, keep_last: 1, compact_strategy: "llm", fallback_strategy: "truncate" })
      )
      const messages = ["a", "b", "c"].map((content) => ({ role: "user", content }))
      const replay = Tape.replay(hash).pipe(Layer.provide(Tape.memory()))
      const left = yield* Effect.flip(compact(messages, settings, { hash })).pipe(Effect.provide(replay))
      expect(left._tag).toBe("NotRecorded")
      const made = yield* compact(messages, settings, { hash }).pipe(Effect.provide(none))
      expect(Option.getOrThrow(made)).toMatchObject({ primary: "llm", strategy: "truncate", calls: [] })
    })
  )
})

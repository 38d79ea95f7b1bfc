/** Properties of the preset, over generated runs. */
import * as FastCheck from "effect/FastCheck"
import * as HashMap from "effect/HashMap"
import { describe, expect, it } from "vitest"
import { pure } from "@palimpsest/ledger/Sha256"
import { boundsOf } from "../../src/codeaf/Bounds.ts"
import { keyOf, liveObservationBytes, liveTranscriptBytes, type Message } from "../../src/codeaf/Message.ts"
import { bytesOf } from "../../src/codeaf/Sized.ts"
import { standIn } from "../../src/codeaf/Stubs.ts"
import * as Turn from "../../src/codeaf/Turn.ts"
import { ours, type Engine } from "./engine.ts"
import { callOf, Disk, isPrefix, wire } from "./leaf.ts"

const word = FastCheck.constantFrom("a", "é", "中", "🔥", "\ud800", "\n", "[job 1 · x]", "]", " ")

const text = FastCheck.oneof(
  FastCheck.array(word, { maxLength: 40 }).map((words) => words.join("")),
  FastCheck.tuple(word, FastCheck.integer({ min: 1, max: 900 })).map(([one, times]) => one.repeat(times)),
  FastCheck.constantFrom("the same ".repeat(60), "and again ".repeat(90))
)

const result = FastCheck.record(
  {
    content: text,
    isError: FastCheck.boolean(),
    report: FastCheck.constant("[job 1 · running 4s]"),
    shape: FastCheck.constantFrom("read" as const, "command" as const)
  },
  { requiredKeys: ["content"] }
)

const answer = FastCheck.record({
  text,
  results: FastCheck.array(FastCheck.tuple(result, FastCheck.constantFrom("", "id")), { maxLength: 4 }),
  mutated: FastCheck.boolean(),
  fails: FastCheck.boolean()
})

const script = FastCheck.array(answer, { maxLength: 25 })

interface Frame {
  readonly before: Turn.Run
  readonly settled: Turn.Run
  readonly prepared: Turn.Prepared
}

const play = (
  engine: Engine,
  answers: ReadonlyArray<typeof answer extends FastCheck.Arbitrary<infer A> ? A : never>,
  working: number,
  safety: number
): ReadonlyArray<Frame> => {
  const disk = new Disk()
  const settings = {
    working,
    safety,
    bounds: boundsOf(0),
    hash: pure,
    spill: disk.spill,
    save: (n: number) => `.obs/${n}.txt`
  }
  let run = Turn.begin([{ role: "user", text: "go", bytes: 2 }])
  return answers.map(({ fails, mutated, results, text }, turn) => {
    disk.broken = fails
    const given: Turn.Answer = {
      text,
      results: results.map(([result, id], n) => ({
        call: callOf(id === "" ? "" : `${id}-${turn}-${n}`, text),
        result
      })),
      revision: { before: 0, after: mutated ? 1 : 0 }
    }
    const before = run
    const settled = engine.settle(settings, run, given).run
    const prepared = engine.prepare(settings, settled)
    run = prepared.run
    return { before, settled, prepared }
  })
}

const budget = FastCheck.integer({ min: 0, max: 6_000 })

const holds = (property: FastCheck.IRawProperty<unknown, false>): void => {
  FastCheck.assert(property, { numRuns: 150, seed: 3 })
}

const breaks = (property: FastCheck.IRawProperty<unknown, false>): boolean =>
  FastCheck.check(property, { numRuns: 150, seed: 3, endOnFailure: true }).failed

/** With one budget, what can be shortened is shortened until it holds. */
const withinBudget = (engine: Engine) =>
  FastCheck.property(script, budget, (answers, most) =>
    play(engine, answers, most, most).every(({ prepared: { run } }) => {
      const whole = run.messages.filter(
        (message, index) =>
          message.role === "tool" &&
          !HashMap.has(run.decayer.spilled, keyOf(message, index)) &&
          standIn(message.label, message.bytes, undefined) !== undefined
      )
      return liveObservationBytes(run.messages) <= most || whole.length === 0
    })
  )

/** Every rewrite is on a turn that was over a budget, and nothing else changes what was there. */
const onlyWhenOver = (engine: Engine) =>
  FastCheck.property(script, budget, budget, (answers, working, more) =>
    play(engine, answers, working, working + more).every(({ prepared, settled }) => {
      const stable = isPrefix(wire(settled.messages), wire(prepared.run.messages))
      const over = liveTranscriptBytes(settled.messages) > working
      return stable === (prepared.rewrites.length === 0) && (stable || over)
    })
  )

/** Calls, ids, roles and order are those that came in; only results and the assistant's text are ever shortened. */
const pairing = (engine: Engine) =>
  FastCheck.property(script, budget, (answers, most) =>
    play(engine, answers, most, most).every(({ prepared: { run }, settled }) => {
      const same = JSON.stringify(run.messages.map(shape)) === JSON.stringify(settled.messages.map(shape))
      const users = (messages: ReadonlyArray<Message>) => messages.filter(({ role }) => role === "user")
      return same && JSON.stringify(users(run.messages)) === JSON.stringify(users(settled.messages))
    })
  )

/** What was shortened once stays as it is. */
const writeOnce = (engine: Engine) =>
  FastCheck.property(script, budget, budget, (answers, working, more) => {
    const stubs = new Map<number, string>()
    return play(engine, answers, working, working + more).every(({ prepared: { rewrites, run } }) => {
      for (const { index, put } of rewrites) {
        if (stubs.has(index)) return false
        stubs.set(index, put.text)
      }
      return [...stubs].every(([index, text]) => run.messages[index]!.text === text)
    })
  })

/** A stub is shorter than what it stands for. */
const shorter = (engine: Engine) =>
  FastCheck.property(script, budget, (answers, most) =>
    play(engine, answers, most, most).every(({ prepared: { rewrites } }) =>
      rewrites.every(({ bytes, put }) => put.bytes < bytes)
    )
  )

/** A fold always names a path, and a pointer's path is kept by the copy it points at. */
const addressed = (engine: Engine) =>
  FastCheck.property(script, budget, (answers, most) =>
    play(engine, answers, most, most).every(({ prepared: { rewrites } }) =>
      rewrites.every(({ _tag, path, put }) => _tag === "Stubbed" || (path !== undefined && put.text.includes(path)))
    )
  )

const shape = ({ answers, calls, label, role }: Message) => ({ role, answers, calls, label })

const LAWS = [
  ["CA-05 CA-10 live bytes are within the budget after decay, with one budget", withinBudget],
  ["CA-04 CA-29 rewrites are only on turns over the budget", onlyWhenOver],
  ["CA-11 pairing is untouched", pairing],
  ["CA-12 a stub is written once", writeOnce],
  ["CA-13 CA-15 a stub is shorter than what it stands for", shorter],
  ["CA-20 a fold names where its text is", addressed]
] as const

describe("the preset over generated runs", () => {
  for (const [name, law] of LAWS) it(name, () => holds(law(ours)))

  it("CA-12 the same run twice, byte for byte, and old values as they were", () => {
    holds(
      FastCheck.property(script, budget, (answers, most) => {
        const one = play(ours, answers, most, most)
        const two = play(ours, answers, most, most)
        expect(one.map(({ prepared }) => wire(prepared.run.messages))).toEqual(
          two.map(({ prepared }) => wire(prepared.run.messages))
        )
        one.slice(1).forEach(({ before }, at) => expect(before).toBe(one[at]!.prepared.run))
      })
    )
  })

  it("CA-05 sizes that are added up are those of the texts, but for labels that were cut in a character", () => {
    holds(
      FastCheck.property(script, budget, (answers, most) =>
        play(ours, answers, most, most).every(({ prepared: { run } }) =>
          run.messages.every(({ bytes, text }) => bytes === bytesOf(text) || text.includes("\uFFFD"))
        )
      )
    )
  })
})

const prepared = (
  change: (prepared: Turn.Prepared, settings: Turn.Settings, run: Turn.Run) => Turn.Prepared
): Engine => ({
  ...ours,
  prepare: (settings, run) => change(ours.prepare(settings, run), settings, run)
})

const messaged = (change: (message: Message, index: number) => Message): Engine =>
  prepared((given) => ({ ...given, run: { ...given.run, messages: given.run.messages.map(change) } }))

describe("mutants of the preset are told apart", () => {
  it("needed results never leave", () => {
    const engine: Engine = {
      ...ours,
      prepare: (settings, run) => ours.prepare({ ...settings, safety: settings.safety + 10_000 }, run)
    }
    expect(breaks(withinBudget(engine))).toBe(true)
  })

  it("batches below the budget", () => {
    const engine: Engine = {
      ...ours,
      prepare: (settings, run) => ours.prepare({ ...settings, working: Math.trunc(settings.working / 2) }, run)
    }
    expect(breaks(onlyWhenOver(engine))).toBe(true)
  })

  it("a rewrite that is not recorded", () => {
    expect(breaks(onlyWhenOver(prepared((given) => ({ ...given, rewrites: [] }))))).toBe(true)
  })

  it("a result loses its id, or the user a word", () => {
    expect(breaks(pairing(messaged((one) => (one.role === "tool" ? { ...one, answers: "" } : one))))).toBe(true)
    expect(breaks(pairing(messaged((one) => (one.role === "user" ? { ...one, text: "" } : one))))).toBe(true)
  })

  it("a stub is counted up", () => {
    const again = messaged((one) => ({ ...one, text: one.text.replace("superseded]", "superseded again]") }))
    expect(breaks(writeOnce(again))).toBe(true)
  })

  it("a stub for everything", () => {
    const engine = prepared((given, _settings, { messages }) => ({
      ...given,
      rewrites: given.rewrites.map((rewrite) => ({ ...rewrite, bytes: messages[rewrite.index]!.text.length % 30 }))
    }))
    expect(breaks(shorter(engine))).toBe(true)
  })

  it("a fold without a path", () => {
    const engine = prepared((given) => ({
      ...given,
      rewrites: given.rewrites.map((rewrite) => ({ ...rewrite, path: undefined }))
    }))
    expect(breaks(addressed(engine))).toBe(true)
  })
})

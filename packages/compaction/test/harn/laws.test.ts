/** What must hold of any transcript, each law with engines that it tells apart. */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import { isFailureLine } from "../../src/harn/FailureLines.ts"
import { answersOf, bodyOf, callsOf, isUserTurn, type Message } from "../../src/harn/Message.ts"
import { microcompact } from "../../src/harn/Microcompact.ts"
import { windowOf } from "../../src/harn/Split.ts"
import { SummarizerFailed } from "../../src/harn/Summarizer.ts"
import { output, settings, transcript } from "./generate.ts"
import { bytes, copy, count, type Engine, making, ours, scriptedRun } from "./support.ts"

interface Law {
  readonly name: string
  readonly property: (engine: Engine) => FastCheck.IRawProperty<unknown, false>
  readonly mutants: Readonly<Record<string, Partial<Engine>>>
}

const law = (
  name: string,
  property: (engine: Engine) => FastCheck.IRawProperty<unknown, false>,
  mutants: Law["mutants"]
): Law => ({ name, property, mutants })

const answers = FastCheck.constantFrom("the model's words", "", new SummarizerFailed({ why: "429" }))

const laws: ReadonlyArray<Law> = [
  law(
    "nothing that is given is changed, whether it is refused, failed, done or not due",
    (engine) =>
      FastCheck.property(transcript, settings, answers, (messages, keys, answer) => {
        const before = copy(messages)
        const { result } = engine.run(messages, keys, [answer])
        expect(messages).toEqual(before)
        if (Either.isRight(result)) return
        expect(["CompactionRefused", "StrategyFailed"]).toContain(result.left._tag)
        if (result.left._tag === "CompactionRefused")
          expect(result.left.message).toMatch(/carried 0 of [1-9]\d* source bytes/)
      }),
    {
      "drains the window first": {
        run: (messages, ...rest) => {
          const list: Array<Message> = messages as Array<Message>
          const ran = scriptedRun(messages, ...rest)
          if (Either.isLeft(ran.result)) list.splice(0, 1)
          return ran
        }
      },
      "a refusal in other words": {
        run: (...args) => {
          const ran = scriptedRun(...args)
          return { ...ran, result: Either.mapLeft(ran.result, (error) => Object.assign(error, { _tag: "Failed" })) }
        }
      }
    }
  ),
  law(
    "every message is accounted for: kept as it was, clamped, or archived with a fate that the text bears out",
    (engine) =>
      FastCheck.property(transcript, settings, (messages, keys) => {
        const { result } = engine.run(messages, keys, ["the model's words"])
        if (Either.isLeft(result) || Option.isNone(result.right)) return
        const done = result.right.value
        const { start, split } = done.window
        const archived = messages.slice(start, split)
        expect(done.fates).toHaveLength(archived.length)
        expect(done.summary).toMatch(new RegExp(`^\\[auto-compacted ${archived.length} older messages`))
        expect(done.messages).toHaveLength(messages.length - archived.length + 1)
        const clamped = new Set(done.clamped.map(({ at }) => at))
        const old = [...messages.slice(0, start), undefined, ...messages.slice(split)]
        for (const [at, message] of old.entries()) {
          if (message === undefined) continue
          const place = at <= start ? at : split + at - start - 1
          if (!clamped.has(place)) expect(done.messages[at]).toBe(message)
          else expect(bodyOf(done.messages[at]!)).not.toBe(bodyOf(message))
        }
        for (const [at, fate] of done.fates.entries()) {
          const body = bodyOf(archived[at]!)
          expect(fate === "empty").toBe(body === "")
          if (fate === "whole" || fate === "pinned") expect(done.summary).toContain(body)
        }
        const dropped = done.fates.filter((fate) => fate === "dropped").length
        if (done.strategy === "observation_mask") {
          expect(done.recapMetrics?.droppedCount).toBe(dropped)
          expect(done.summary.includes(`[${dropped} older message(s) dropped`)).toBe(dropped > 0)
        }
        if (done.strategy === "truncate" && archived.length > 15)
          expect(done.summary).toContain(`and ${archived.length - 15} more`)
      }),
    {
      "skips blocks without a word": {
        run: (messages, ...rest) =>
          scriptedRun(
            messages.map((m) => (typeof m.content === "string" ? m : { ...m, content: null })),
            ...rest
          )
      },
      "loses a kept message": making((done) => ({ ...done, messages: done.messages.slice(0, -1) })),
      "forgets a drop": making((done) => ({
        ...done,
        fates: done.fates.map((fate) => (fate === "dropped" ? "whole" : fate))
      })),
      "a line less": making((done) => ({ ...done, summary: done.summary.split("\n").slice(0, -1).join("\n") }))
    }
  ),
  law(
    "no call and its result end up on two sides, and no waiting call is archived",
    (engine) =>
      FastCheck.property(transcript, FastCheck.nat(4), FastCheck.nat(10), (messages, first, last) => {
        const window = engine.windowOf(messages, first, last)
        if (window === undefined) return
        const { start, split } = window
        expect(start).toBeGreaterThanOrEqual(first)
        expect(split).toBeGreaterThan(start)
        expect(split).toBeLessThanOrEqual(messages.length)
        const side = (at: number) => (at < start ? "first" : at < split ? "archived" : "kept")
        const results = new Map(messages.flatMap((m, at) => answersOf(m).map((id) => [id, at] as const)))
        const lastUser = messages.findLastIndex((m) => isUserTurn(m) || m.role === "system")
        for (const [at, message] of messages.entries()) {
          for (const { id } of callsOf(message)) {
            const result = results.get(id)
            if (result !== undefined) expect(side(result)).toBe(side(at))
            else if (at > lastUser) expect(side(at)).not.toBe("archived")
          }
        }
      }),
    {
      "counts messages": {
        windowOf: (messages, first, last) =>
          messages.length > first + last ? { start: first, split: messages.length - last } : undefined
      },
      "looks at neighbours only": {
        windowOf: (messages, first, last) =>
          windowOf(
            messages.map((m) => ({ role: answersOf(m).length > 0 ? "tool" : m.role, content: "x" })),
            first,
            last
          )
      }
    }
  ),
  law(
    "microcompaction never cuts a character, and stays within its limit and its marks",
    (engine) =>
      FastCheck.property(output, ([text, max]) => {
        const done = engine.microcompact(text, max)
        expect(isWellFormed(done.text)).toBe(true)
        if (bytes(text) <= max || max < 200) expect(done).toEqual({ text, droppedBytes: 0 })
        else expect(bytes(done.text)).toBeLessThanOrEqual(max + 50)
      }),
    {
      "cuts on UTF-16 units": {
        microcompact: (text, max) =>
          bytes(text) <= max || max < 200
            ? { text, droppedBytes: 0 }
            : { text: text.slice(0, max / 4), droppedBytes: 1 }
      }
    }
  ),
  law(
    "droppedBytes is the source less what is shown of it",
    (engine) =>
      FastCheck.property(output, ([text, max]) => {
        const done = engine.microcompact(text, max)
        expect(done.droppedBytes).toBe(bytes(text) - shownOf(text, done.text))
      }),
    {
      "counts failure lines at the ends twice": {
        microcompact: (text, max) => {
          const done = microcompact(text, max)
          const [, inner] = done.text.split("\n\n[diagnostic lines preserved]\n")
          const lines = inner?.split("\n\n[... output compacted")[0]
          const ends = lines === undefined ? done.droppedBytes : bytes(text) - bytes(done.text) + 62
          return { ...done, droppedBytes: Math.max(0, ends) }
        }
      },
      "the difference of sizes": {
        microcompact: (text, max) => {
          const done = microcompact(text, max)
          return { ...done, droppedBytes: bytes(text) - bytes(done.text) }
        }
      }
    }
  )
]

/** The bytes of a source that a microcompacted text shows, by marking them one by one. */
const shownOf = (source: string, text: string): number => {
  if (source === text) return bytes(source)
  const plain = /^([\s\S]*)\n\n\[\.\.\. \d+ characters snipped \.\.\.\]\n\n([\s\S]*)$/.exec(text)
  const parts =
    plain ??
    /^([\s\S]*)\n\n\[diagnostic lines preserved\]\n[\s\S]*\n\n\[\.\.\. output compacted \.\.\.\]\n\n([\s\S]*)$/.exec(
      text
    )
  const [head, tail] = [parts![1]!, parts![2]!]
  expect(source.startsWith(head) && source.endsWith(tail)).toBe(true)
  const shown = new Set<number>()
  const mark = (from: number, to: number) => {
    for (let i = from; i < to; i++) shown.add(i)
  }
  mark(0, head.length)
  mark(source.length - tail.length, source.length)
  if (plain === null) {
    let at = 0
    let left = 32
    for (const line of source.split("\n")) {
      if (left > 0 && isFailureLine(line)) {
        mark(at, at + line.replace(/\r$/, "").length)
        left--
      }
      at += line.length + 1
    }
  }
  return bytes([...source].filter((_, i) => shown.has(starts(source)[i]!)).join(""))
}

const memo = new Map<string, ReadonlyArray<number>>()
/** Where each character of a text begins. */
const starts = (text: string): ReadonlyArray<number> => {
  const known = memo.get(text)
  if (known !== undefined) return known
  memo.clear()
  let at = 0
  const found = Array.from(text, (char) => (at += char.length) - char.length)
  memo.set(text, found)
  return found
}

describe("laws of the preset harn", () => {
  for (const { name, property, mutants } of laws) {
    it(name, () => FastCheck.assert(property(ours), { numRuns: 400 }))
    for (const [wrong, parts] of Object.entries(mutants)) {
      it(`${name}: kills: ${wrong}`, () => {
        const { failed } = FastCheck.check(property({ ...ours, ...parts }), {
          numRuns: 1_500,
          seed: 8,
          endOnFailure: true
        })
        expect(failed).toBe(true)
      })
    }
  }

  it("a recap of recaps converges: it never outgrows budget, carry and pins", () => {
    const texts = FastCheck.array(FastCheck.string({ unit: "grapheme", maxLength: 200 }), {
      minLength: 1,
      maxLength: 30
    })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(texts, { minLength: 2, maxLength: 5 }), (generations) => {
        let text = ""
        for (const generation of generations) {
          const messages = generation.map((content): Message => ({ role: "user", content }))
          text = ours.recap(text === "" ? messages : [{ role: "user", content: text }, ...messages], 2_000).text
          expect(bytes(text)).toBeLessThanOrEqual(2_000 + 6_000 + 100)
          expect(count(text, "via observation masking]")).toBe(1)
        }
      }),
      { numRuns: 100 }
    )
  })
})

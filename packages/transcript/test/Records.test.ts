import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Format } from "../src/Format.ts"
import * as Records from "../src/Records.ts"
import { session } from "./support/Sessions.ts"
import { bytesOf, read, tags } from "./support/Reading.ts"

const FORMATS: ReadonlyArray<Format> = ["claude-code", "anthropic-messages", "openai-chat", "openai-chat-rows"]

type Split = typeof Records.split

const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
const texts = (split: Records.Split): ReadonlyArray<string> => split.records.map((record) => textOf(record.bytes))

/** Pieces that files are made of, and pieces that they should not be. */
const pieces = FastCheck.oneof(
  FastCheck.constantFrom(
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "\ufeff",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"',
    "\\",
    "{}",
    '{"a":"\\"]"}'
  ),
  FastCheck.constantFrom(
    '{"messages":[',
    '{"role":"user","content":"x"}',
    '{"messages":[{"role":"user","content":"y"}]}',
    "1",
    "null"
  ),
  FastCheck.string()
).map(bytesOf)

const anyBytes = FastCheck.array(
  FastCheck.oneof({ weight: 6, arbitrary: pieces }, FastCheck.uint8Array({ maxLength: 6 })),
  {
    maxLength: 12
  }
).map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])))

const lossless = (split: Split) =>
  FastCheck.property(FastCheck.constantFrom(...FORMATS), anyBytes, (format, bytes) => {
    const { records, tail, torn } = split(format, bytes)
    const joined = Records.join(
      format,
      records.map((record) => record.bytes),
      tail
    )
    return torn === undefined
      ? joined.length === bytes.length && joined.every((byte, i) => byte === bytes[i])
      : joined.every((byte, i) => byte === bytes[i])
  })

describe("records", () => {
  it("law 2: what is split is joined again byte for byte, whatever it held", () => {
    FastCheck.assert(lossless(Records.split), { numRuns: 2000 })
  })

  it("law 2: a splitter that takes the carriage return off is caught", () => {
    const mutant: Split = (format, bytes) => {
      const split = Records.split(format, bytes)
      const cut = (r: Records.Record) => (r.bytes.at(-1) === 0x0d ? { ...r, bytes: r.bytes.subarray(0, -1) } : r)
      return { ...split, records: split.records.map(cut) }
    }
    expect(FastCheck.check(lossless(mutant), { numRuns: 2000 }).failed).toBe(true)
  })

  it("law 2: a splitter that drops blank lines is caught", () => {
    const mutant: Split = (format, bytes) => {
      const split = Records.split(format, bytes)
      return { ...split, records: split.records.filter((record) => record.bytes.length > 0) }
    }
    expect(FastCheck.check(lossless(mutant), { numRuns: 2000 }).failed).toBe(true)
  })

  it("lines: a mark, carriage returns, blank lines and bytes that are no UTF-8 stay where they are", () => {
    const bytes = Uint8Array.from([...bytesOf('\ufeff{"a":1}\r\n\n'), 0xff, 0xfe, 0x0a, ...bytesOf('{"b":2}\n')])
    const split = Records.split("claude-code", bytes)
    expect(split.records.map((record) => record.line)).toEqual([1, 2, 3, 4])
    expect(texts(split)[0]).toBe('\ufeff{"a":1}\r')
    expect([...(split.records[2]?.bytes ?? [])]).toEqual([0xff, 0xfe])
    expect(textOf(split.tail)).toBe("\n")
  })

  it("lines: a last line without a line break is a record when it is whole", () => {
    const split = Records.split("claude-code", bytesOf('{"a":1}\n{"b":2}'))
    expect(texts(split)).toEqual(['{"a":1}', '{"b":2}'])
    expect(split.tail.length).toBe(0)
    expect(split.torn).toBeUndefined()
  })

  it("lines: a number without a line break may still grow, so it waits", () => {
    expect(Records.split("claude-code", bytesOf("12")).torn?.line).toBe(1)
  })

  it("B93: a torn last line waits; every line before it is read", () => {
    const split = Records.split("claude-code", bytesOf('{"a":1}\n{"b":2}\n{"type":"us'))
    expect(texts(split)).toEqual(['{"a":1}', '{"b":2}'])
    expect(split.torn?.line).toBe(3)
    expect(split.torn?.why).toContain("11 bytes")
  })

  it("B93: damage in the middle is laid aside by name, and what follows is read", () => {
    const line = '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}'
    const { perRecord } = read("claude-code", `${line}\n{"type":"us\n${line.replace('"u"', '"v"')}\n`)
    expect(perRecord.map(tags)).toEqual([["Opened", "Entered"], ["Aside malformed"], ["Entered"]])
  })

  it("B94: what is written after a torn line is not glued to it: joined, the file ends before the fragment", () => {
    const before = '{"a":1}\n{"b":2}\n'
    const { records, tail } = Records.split("claude-code", bytesOf(before + '{"type":"us'))
    const joined = Records.join(
      "claude-code",
      records.map((record) => record.bytes),
      tail
    )
    expect(textOf(joined) + '{"c":3}\n').toBe(before + '{"c":3}\n')
  })

  it("B94: a line that was torn and has come whole is the same record; one that was glued is laid aside alone", () => {
    const line = '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}'
    expect(Records.split("claude-code", bytesOf(line.slice(0, 40))).records).toEqual([])
    expect(read("claude-code", line).perRecord.map(tags)).toEqual([["Opened", "Entered"]])
    const glued = read("claude-code", `${line.slice(0, 40)}${line}\n${line}\n`)
    expect(glued.perRecord.map(tags)).toEqual([["Opened", "Aside malformed"], ["Entered"]])
  })

  it("B96: a raw line break inside a string makes two damaged records, and loses nothing", () => {
    const whole = '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}'
    const source = `${whole}\n${whole.replace("hi", "h\ni")}\n${whole}\n`
    const reading = read("claude-code", source)
    expect(reading.perRecord.map(tags)).toEqual([
      ["Opened", "Entered"],
      ["Aside malformed"],
      ["Aside malformed"],
      ["Entered"]
    ])
    const split = Records.split("claude-code", bytesOf(source))
    expect(
      textOf(
        Records.join(
          "claude-code",
          split.records.map((r) => r.bytes),
          split.tail
        )
      )
    ).toBe(source)
  })

  it("documents: the head ends with the list's bracket, elements keep the separator before them", () => {
    const source = '{ "model": "m", "messages": [ {"role":"user"} ,\n {"role":"assistant"}\n], "tools": [1] }\n'
    const split = Records.split("openai-chat", bytesOf(source))
    expect(texts(split)).toEqual(['{ "model": "m", "messages": [', ' {"role":"user"}', ' ,\n {"role":"assistant"}'])
    expect(textOf(split.tail)).toBe('\n], "tools": [1] }\n')
  })

  it("documents: of two lists of messages the last counts, as it does for a parser", () => {
    const split = Records.split("openai-chat", bytesOf('{"messages":[{"a":1}],"messages":[{"b":2}]}'))
    expect(texts(split)).toEqual(['{"messages":[{"a":1}],"messages":[', '{"b":2}'])
  })

  it("documents: cut anywhere, the whole elements are read and the rest waits", () => {
    const source = '{"messages":[{"role":"user","content":"a]"},{"role":"assistant","content":"\\"b"}],"x":{}}'
    const whole = texts(Records.split("openai-chat", bytesOf(source)))
    for (let cut = 1; cut < source.length; cut++) {
      const split = Records.split("openai-chat", bytesOf(source.slice(0, cut)))
      expect(texts(split)).toEqual(whole.slice(0, split.records.length))
      expect(split.torn).toBeDefined()
      expect(split.tail.length).toBe(0)
    }
  })

  it("an empty file has no records", () => {
    for (const format of FORMATS)
      expect(Records.split(format, bytesOf(""))).toEqual({ records: [], tail: new Uint8Array(0) })
  })

  it("law 7: cut at every byte, a session gives a prefix of its records", () => {
    FastCheck.assert(
      FastCheck.property(session(false), FastCheck.nat(), (text, at) => {
        const bytes = bytesOf(text)
        const whole = texts(Records.split("claude-code", bytes))
        const part = Records.split("claude-code", bytes.subarray(0, at % bytes.length))
        // The line at which the cut stands may be whole without its line break; nothing else may differ.
        return texts(part).every(
          (record, i) => record === whole[i] || (i === part.records.length - 1 && whole[i]?.startsWith(record))
        )
      })
    )
  })
})

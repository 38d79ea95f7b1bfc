import type { Body } from "@palimpsest/ledger/Body"
import { bytesOf as resolve, storedUnder, textOf } from "@palimpsest/ledger/Resolve"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { session, Writer, words } from "./support/Sessions.ts"
import { entered, hash, read, type Read } from "./support/Reading.ts"

type Reader = (reading: Read, body: Body) => string

const readBack: Reader = (reading, body) => {
  const stored = reading.stored.get(storedUnder(body))
  if (stored === undefined) return "(not stored)"
  const bytes = Either.getOrElse(resolve(hash, body, stored), (fault) => new TextEncoder().encode(`(${fault.why})`))
  return body.encoding === "bytes"
    ? Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
    : textOf(body, bytes)
}

/** What a reader that knows nothing of this package finds: call → its blocks, in order. */
const expected = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const line of text.split("\n")) {
    let value: { message?: { content?: unknown } } | null
    try {
      value = JSON.parse(line)
    } catch {
      continue
    }
    const content = value?.message?.content
    if (!Array.isArray(content)) continue
    for (const block of content) {
      if (block.type !== "tool_result") continue
      const blocks = typeof block.content === "string" ? [block.content] : (block.content ?? [])
      found.set(block.tool_use_id, blocks.length === 0 ? [""] : blocks.map(plain))
    }
  }
  return found
}

type Block = string | { type: string; text: string; source: { data: string } }

const plain = (block: Block): string => {
  if (typeof block === "string") return block
  if (block.type === "text") return block.text
  if (block.type === "image") return atob(block.source.data)
  return JSON.stringify(Object.fromEntries(Object.entries(block).sort(([a], [b]) => (a < b ? -1 : 1))))
}

const whole = (reader: Reader) =>
  FastCheck.property(session(true), (text) => {
    const reading = read("claude-code", text)
    const wanted = expected(text)
    const got = new Map(
      entered(reading.moves).flatMap(({ part }) =>
        part._tag === "Result" ? [[part.call, part.blocks.map((body) => reader(reading, body))] as const] : []
      )
    )
    return (
      wanted.size === got.size &&
      [...wanted].every(([call, blocks]) => JSON.stringify(got.get(call)) === JSON.stringify(blocks))
    )
  })

describe("bodies", () => {
  it("law 2: every result comes back byte for byte: text, lists of blocks, images, lone surrogates, nothing", () => {
    FastCheck.assert(whole(readBack), { numRuns: 120 })
  })

  it("law 2: a reader that goes through UTF-8 is caught by a lone surrogate", () => {
    const mutant: Reader = (reading, body) =>
      new TextDecoder().decode(new TextEncoder().encode(readBack(reading, body)))
    expect(FastCheck.check(whole(mutant), { numRuns: 500 }).failed).toBe(true)
  })

  it("law 2: a reader that keeps only the first block is caught", () => {
    const mutant: Reader = (reading, body) =>
      body.at._tag !== "Own" && body.at.path.includes("/content/1") ? "" : readBack(reading, body)
    expect(FastCheck.check(whole(mutant), { numRuns: 500 }).failed).toBe(true)
  })

  it("every other body comes back too, and is the size that it says", () => {
    const writer = new Writer()
    writer.user([
      { type: "text", text: "é😀" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAEC" } },
      { type: "image", source: { type: "url", url: "https://example.org/x.png" } },
      { type: "text", text: "" }
    ])
    writer.answer("m", { type: "thinking", thinking: "hm", signature: "c2ln" })
    writer.answer("m", { type: "redacted_thinking", data: "opaque==" })
    writer.call("m", "c", "f", { z: 1, a: { y: "\ud800", b: [] } })
    const reading = read("claude-code", writer.text())
    const parts = entered(reading.moves).map(({ part }) => part)
    expect(parts.map((part) => part._tag)).toEqual(["Text", "Media", "Opaque", "Reasoning", "Reasoning", "Call"])
    expect(parts.map((part) => ("body" in part ? readBack(reading, part.body) : ""))).toEqual([
      "é😀",
      "\x00\x01\x02",
      '{"source":{"type":"url","url":"https://example.org/x.png"},"type":"image"}',
      "hm",
      "opaque==",
      ""
    ])
    expect(parts[0]).toMatchObject({ body: { size: { bytes: 6, scalars: 2 } } })
    expect(parts[1]).toMatchObject({ body: { encoding: "bytes", media: "image/png", size: { bytes: 3, scalars: 0 } } })
    expect(parts[3]).toMatchObject({ signature: 4 })
    const call = parts[5]
    expect(call?._tag === "Call" ? readBack(reading, call.args) : "").toBe('{"a":{"b":[],"y":"\\ud800"},"z":1}')
  })

  it("arguments of chat calls are read as the JSON that the string holds, or as text where it holds none", () => {
    FastCheck.assert(
      FastCheck.property(words(true), FastCheck.boolean(), (text, isJson) => {
        const args = isJson ? ` {"b":1 , "a":${JSON.stringify(text)}}` : `{${text}`
        const call = { id: "c", type: "function", function: { name: "f", arguments: args } }
        const source = JSON.stringify([{ role: "assistant", content: null, tool_calls: [call] }])
        const reading = read("openai-chat", source)
        const part = entered(reading.moves)[0]?.part
        if (part?._tag !== "Call") return false
        return readBack(reading, part.args) === (isJson ? `{"a":${JSON.stringify(text)},"b":1}` : args)
      })
    )
  })
})

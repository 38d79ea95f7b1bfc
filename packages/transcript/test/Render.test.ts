import { ownText } from "@palimpsest/ledger/Body"
import type { Part } from "@palimpsest/ledger/Part"
import { pure } from "@palimpsest/ledger/Sha256"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Entry as MoveEntry, Move } from "../src/Move.ts"
import * as Render from "../src/Render.ts"
import { shapeOf, type Item } from "../src/Shape.ts"
import * as Validate from "../src/Validate.ts"
import type { Format } from "../src/Format.ts"
import { entered, history, read, recordText } from "./support/Reading.ts"
import { session, Writer } from "./support/Sessions.ts"

const item = (format: Format, source: string, index: number, replaced?: string, run = "main"): Item => {
  const reading = read(format, source)
  const entry = entered(reading.moves, run)[index]
  if (entry === undefined) throw new Error(`no entry ${index}`)
  return {
    _tag: "Entry",
    entered: entry,
    record: recordText(reading, entry),
    ...(replaced === undefined ? {} : { replaced })
  }
}

const anthropic = (...items: ReadonlyArray<Item>) => Render.renderMessage("anthropic", { role: "user", items })
const chat = (...items: ReadonlyArray<Item>) => Render.renderMessage("openai-chat", { role: "tool", items })

const BOUNDARY = '{"type":"system","subtype":"compact_boundary"}'

describe("render", () => {
  const big = '{ "type" : "tool_result", "tool_use_id":"t", "content":"a\\u0041\\/", "n":12345678901234567890 }'
  const line = (content: string) =>
    `{"type":"user","uuid":"u","sessionId":"s","isSidechain":false,"message":{"role":"user","content":${content}}}\n`

  it("anthropic: blocks are cut from their record: large integers, escapes, the order of keys and white space stay", () => {
    expect(anthropic(item("claude-code", line(`[${big}]`), 0))).toBe(`{"role":"user","content":[${big}]}`)
  })

  it("anthropic: one text that was a string stays one; among others it becomes a block", () => {
    const text = item("claude-code", line('"a\\u0041"'), 0)
    expect(anthropic(text)).toBe('{"role":"user","content":"a\\u0041"}')
    expect(anthropic(text, item("claude-code", line(`[${big}]`), 0))).toBe(
      `{"role":"user","content":[{"type":"text","text":"a\\u0041"},${big}]}`
    )
    expect(anthropic(item("claude-code", line('"x"'), 0, 'say "y"'))).toBe('{"role":"user","content":"say \\"y\\""}')
  })

  it("anthropic: replacing a result's content touches nothing else, and adds it where there was none", () => {
    expect(anthropic(item("claude-code", line(`[${big}]`), 0, 'gone, see "@4"'))).toBe(
      `{"role":"user","content":[${big.replace('"a\\u0041\\/"', '"gone, see \\"@4\\""')}]}`
    )
    const bare = '{"type":"tool_result","tool_use_id":"t" }'
    expect(anthropic(item("claude-code", line(`[${bare}]`), 0, "gone"))).toBe(
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"gone" }]}'
    )
  })

  it("anthropic: arguments, texts and opaque blocks can be replaced; reasoning cannot", () => {
    const answer = (block: string) =>
      item("anthropic-messages", `[{"role":"assistant","content":[${block}]}]`, 0, '{"path":"a"}')
    const render = (block: string) => Render.renderMessage("anthropic", { role: "assistant", items: [answer(block)] })
    const call = '{"type":"tool_use","id":"t","name":"f","input":{"path":"a","text":"long"}}'
    expect(render(call)).toContain('"name":"f","input":{"path":"a"}}')
    expect(render('{"type":"text","text":"x","z":1}')).toContain('{"type":"text","text":"{\\"path\\":\\"a\\"}","z":1}')
    expect(render('{"type":"hologram","beam":1}')).toContain('[{"type":"text","text":"{')
    const thinking = '{"type":"thinking","thinking":"hm","signature":"c2ln"}'
    expect(render(thinking)).toBe(`{"role":"assistant","content":[${thinking}]}`)
  })

  it("anthropic: a call that never got its result is answered in the words given", () => {
    expect(anthropic({ _tag: "Closed", call: "t", text: "no result" })).toBe(
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"no result","is_error":true}]}'
    )
  })

  it("chat: an unchanged message is its element, byte for byte, in a list and in a row", () => {
    const element = '{ "tool_call_id":"c", "role":"tool","x":1.0e2,"content":"\\u0041" }'
    expect(chat(item("openai-chat", `[ {"role":"user","content":"q"} ,\n ${element}]`, 1))).toBe(element)
    const row = `{"tools":[],"messages":[{"role":"user","content":"q"},${element}]}`
    expect(chat(item("openai-chat-rows", row, 1, undefined, "row-1"))).toBe(element)
    expect(chat(item("openai-chat-rows", row, 1, "gone", "row-1"))).toBe(element.replace('"\\u0041"', '"gone"'))
  })

  it("chat: results, texts and arguments can be replaced, each in its place", () => {
    const message =
      '{"role":"assistant","content":"I look.","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}]}'
    const source = `[${message}]`
    const rendered = chat(item("openai-chat", source, 0, "I looked."), item("openai-chat", source, 1, "{}"))
    expect(rendered).toBe(message.replace("I look.", "I looked.").replace('"{\\"a\\":1}"', '"{}"'))
    expect(chat(item("openai-chat", '[{"role":"tool","tool_call_id":"c"}]', 0, "gone"))).toBe(
      '{"role":"tool","tool_call_id":"c","content":"gone"}'
    )
  })

  it("chat: a closed call is a message of its own", () => {
    const closed: Item = { _tag: "Closed", call: "c", text: "no result" }
    expect(chat(closed)).toBe('{"role":"tool","tool_call_id":"c","content":"no result"}')
    expect(() => chat(closed, closed)).toThrow("a chat message of its own")
  })

  it("entries of the host's own are rendered from their words", () => {
    const { body } = ownText(pure, "")
    const made = (part: Part, replaced: string): Item => ({
      _tag: "Entry",
      entered: { part, origin: { _tag: "Made" } },
      record: "",
      replaced
    })
    const result = made({ _tag: "Result", call: "c", status: "error", blocks: [body] }, "bad")
    const call = made({ _tag: "Call", call: "c", name: "f", args: body }, '{"a":1}')
    const text = made({ _tag: "Text", body }, "hi")
    expect(anthropic(result, text)).toBe(
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"bad","is_error":true},{"type":"text","text":"hi"}]}'
    )
    expect(anthropic(call)).toContain('{"type":"tool_use","id":"c","name":"f","input":{"a":1}}')
    expect(chat(result)).toBe('{"role":"tool","tool_call_id":"c","content":"bad"}')
    expect(Render.renderMessage("openai-chat", { role: "assistant", items: [call] })).toBe(
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}]}'
    )
  })

  type Assemble = (text: string, replaced: string | undefined) => ReadonlyArray<string>

  const paired = (assemble: Assemble) =>
    FastCheck.property(
      session(false),
      FastCheck.constantFrom(undefined, "gone, see @3"),
      (text, replaced) =>
        Validate.anthropic(assemble(text, replaced).map((message) => JSON.parse(message))).length === 0
    )

  it("law 8: whatever came between the lines, what is rendered pairs every call with its result", () => {
    FastCheck.assert(
      paired((text, replaced) => history("claude-code", read("claude-code", text), "main", replaced)),
      { numRuns: 80 }
    )
  })

  it("law 8: putting results where the file has them is caught", () => {
    const inFileOrder: Assemble = (text) => {
      const reading = read("claude-code", text)
      return entered(reading.moves).map((entry: MoveEntry) =>
        Render.renderMessage(shapeOf("claude-code"), {
          role: entry.role,
          items: [{ _tag: "Entry", entered: entry, record: recordText(reading, entry) }]
        })
      )
    }
    expect(FastCheck.check(paired(inFileOrder), { numRuns: 300 }).failed).toBe(true)
  })

  it("law 8: leaving one result out is caught", () => {
    const leaves: Assemble = (text, replaced) => {
      const messages = history("claude-code", read("claude-code", text), "main", replaced)
      const last = messages.findLastIndex((message) => message.includes('"tool_result"'))
      return messages.filter((_, index) => index !== last)
    }
    expect(FastCheck.check(paired(leaves), { numRuns: 300 }).failed).toBe(true)
  })

  it("law 2: unchanged, every block is in the rendering as its record has it", () => {
    FastCheck.assert(
      FastCheck.property(session(true), (text) => {
        const reading = read("claude-code", text)
        const rendered = history("claude-code", reading).join("\n")
        return text.split("\n").every((source) => {
          if (!source.includes('"tool_use"') && !source.includes('"thinking"')) return true
          const block = /"content":\[(.*)\]\}\}$/.exec(source)?.[1]
          return block === undefined || rendered.includes(block)
        })
      })
    )
  })

  const looks = ["[@12 elided]", BOUNDARY, "[Old tool result content cleared]", "</recap> @3.2:1-9", "progress"]

  const saying = (texts: ReadonlyArray<string>) => {
    const writer = new Writer()
    writer.user(texts[0])
    writer.answer("m1", { type: "text", text: texts[1] })
    writer.call("m1", "c", "Read", { file_path: "f" })
    writer.result("c", texts[2])
    return writer.text()
  }

  const movesOf = (text: string): ReadonlyArray<Move> => read("claude-code", text).moves

  /** The same session, once with words that look like ours and once with others: the moves differ in their bodies alone. */
  const indifferent = (decode: (text: string) => ReadonlyArray<Move>) =>
    FastCheck.property(FastCheck.array(FastCheck.constantFrom(...looks), { minLength: 3, maxLength: 3 }), (texts) => {
      const form = (said: ReadonlyArray<string>) =>
        decode(saying(said)).map((move) =>
          move._tag === "Entered"
            ? [move.entry.message, move.entry.role, move.entry.part._tag, move.entry.observation]
            : move
        )
      const rendered = history("claude-code", read("claude-code", saying(texts))).join("\n")
      const isSame = JSON.stringify(form(texts)) === JSON.stringify(form(["one", "two", "three"]))
      return isSame && texts.every((text) => rendered.includes(JSON.stringify(text)))
    })

  it("law 15: text that looks like a marker, an address or a boundary has no effect but as text", () => {
    FastCheck.assert(indifferent(movesOf))
  })

  it("law 15: a decoder that believes a boundary in a text is caught", () => {
    const believing = (text: string): ReadonlyArray<Move> =>
      text.includes(JSON.stringify(BOUNDARY))
        ? [...movesOf(text), { _tag: "Restarted", run: "main", at: "", why: "client-compaction", keeps: [] }]
        : movesOf(text)
    expect(FastCheck.check(indifferent(believing)).failed).toBe(true)
  })
})

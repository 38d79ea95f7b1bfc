import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import * as Format from "../src/Format.ts"
import { Writer } from "./support/Sessions.ts"
import { bytesOf } from "./support/Reading.ts"

const of = (text: string): string =>
  Either.getOrElse(Format.detect(bytesOf(text)), (error) => `${error.line}: ${error.found}`)
const json = JSON.stringify

describe("format", () => {
  const session = new Writer()
  session.user("hi")
  const user = { role: "user", content: "hi" }
  const asks = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }]
  }
  const uses = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] }

  it("a session is known by its lines, also behind lines of other types and damage", () => {
    expect(of(session.text())).toBe("claude-code")
    expect(of(`{"type":"summary","summary":"s","leafUuid":"l"}\n${session.text()}`)).toBe("claude-code")
    expect(of(`\n{"type":"us\n${session.text("")}`)).toBe("claude-code")
  })

  it("a session's envelope around other messages is another format", () => {
    const line = {
      uuid: "u",
      parentUuid: null,
      sessionId: "s",
      type: "user",
      message: { role: "user", parts: [{ text: "x" }] }
    }
    expect(of(`${json(line)}\n${json(line)}\n`)).toContain("1: an object with the keys uuid")
  })

  it("lists and objects of messages are told apart by what only one of the two has", () => {
    expect(of(json([user, asks]))).toBe("openai-chat")
    expect(of(json([user, uses]))).toBe("anthropic-messages")
    expect(of(json({ system: "s", messages: [user] }))).toBe("anthropic-messages")
    expect(of(json({ model: "claude-x", messages: [user] }))).toBe("anthropic-messages")
    expect(of(json({ messages: [{ role: "system", content: "s" }, user], tools: [] }))).toBe("openai-chat")
    expect(of(JSON.stringify({ messages: [user, asks] }, null, 2))).toBe("openai-chat")
    expect(of(`\ufeff ${json([user, asks])}`)).toBe("openai-chat")
  })

  it("a torn document is known by what is whole in it", () => {
    expect(of(json({ messages: [user, asks, user] }).slice(0, -20))).toBe("openai-chat")
  })

  it("rows come a line each, or as a list; one line alone is a document", () => {
    const row = json({ messages: [user, asks] })
    expect(of(`${row}\n${row}\n`)).toBe("openai-chat-rows")
    expect(of(`${row}\n${row.slice(0, 30)}`)).toBe("openai-chat-rows")
    expect(of(json([{ task_id: 1, traj: [user] }, { traj: [user] }]))).toBe("openai-chat-rows")
    expect(of(row)).toBe("openai-chat")
  })

  it("anything else is an error that says where, what was found and what was expected", () => {
    const error = Either.flip(Format.detect(bytesOf("")))
    expect(Either.getOrThrow(error)).toMatchObject({ _tag: "UnknownFormat", line: 1, found: "an empty file" })
    expect(Either.getOrThrow(error).message).toContain("expected a Claude Code session")
    expect(of(" \n\n")).toBe("1: an empty file")
    expect(of("# Notes\n")).toBe("1: a line that is no JSON object")
    expect(of("{}")).toBe("1: a JSON document without a list of messages")
    expect(of("[]")).toBe("1: an empty list")
    expect(of("[1, 2]")).toBe("1: a list of something else")
    expect(of('{"timestamp":"t","type":"session_meta","payload":{}}\n{"timestamp":"t","type":"x"}\n')).toContain(
      "1: an object"
    )
  })
})

import { describe, expect, it } from "vitest"
import * as Validate from "../src/Validate.ts"

const rules = (faults: ReadonlyArray<Validate.Fault>) => faults.map((fault) => `${fault.index}:${fault.rule}`)
const use = (...ids: ReadonlyArray<string>) => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "f", input: {} }))
})
const res = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "x" }))
const user = (...content: ReadonlyArray<unknown>) => ({ role: "user", content })
const go = { role: "user", content: "go" }
const text = (value: string) => ({ type: "text", text: value })

const calls = (...ids: ReadonlyArray<string>) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function" }))
})
const tool = (id: string, content: unknown = "x") => ({ role: "tool", tool_call_id: id, content })

describe("law 8: what Anthropic refuses", () => {
  const check = (...messages: ReadonlyArray<unknown>) => rules(Validate.anthropic(messages))

  it("nothing of a well-paired conversation, with neighbours of one role taken as merged", () => {
    expect(check(go, user(text("also")), use("a"), use("b"), user(...res("a")), user(...res("b"), text("on")))).toEqual(
      []
    )
    expect(
      check(go, use("a"), user(...res("a")), { role: "system", content: "s" }, { role: "assistant", content: "ok" })
    ).toEqual([])
  })

  it("the first message has to be the user's", () => {
    expect(check({ role: "assistant", content: "hi" })).toEqual(["0:first"])
    expect(check()).toEqual(["0:first"])
  })

  it("every call of a batch is answered in the next message", () => {
    expect(check(go, use("a", "b"), user(...res("a")))).toEqual(["1:unanswered"])
    expect(check(go, use("a"))).toEqual(["1:unanswered"])
    expect(check(go, use("a"), user(text("x")), { role: "assistant", content: "y" }, user(...res("a")))).toEqual([
      "1:unanswered",
      "4:orphan"
    ])
  })

  it("results stand first, each once, each of a call", () => {
    expect(check(go, use("a"), user(text("x"), ...res("a")))).toEqual(["2:order"])
    expect(check(go, use("a"), user(...res("a", "a")))).toEqual(["2:duplicate"])
    expect(check(user(...res("a")))).toEqual(["0:orphan"])
    expect(check(go, use("a"), user(...res("a")), use("a"), user(...res("a")))).toEqual(["3:duplicate"])
  })

  it("no empty text, no empty content, no lone surrogate, no other roles", () => {
    expect(check({ role: "user", content: "" })).toEqual(["0:empty"])
    expect(check(user())).toEqual(["0:empty"])
    expect(check(user(text("")))).toEqual(["0:empty"])
    expect(check(user(text("\ud800")))).toEqual(["0:unicode"])
    expect(check(go, { role: "tool", content: "x" }, 3, { role: "user" })).toEqual([
      "1:message",
      "2:message",
      "3:message"
    ])
  })
})

describe("law 8: what OpenAI chat refuses", () => {
  const check = (...messages: ReadonlyArray<unknown>) => rules(Validate.openAiChat(messages))

  it("nothing of a well-paired conversation", () => {
    expect(
      check({ role: "system", content: "s" }, go, calls("a", "b"), tool("b"), tool("a"), {
        role: "assistant",
        content: "ok"
      })
    ).toEqual([])
  })

  it("every call is answered before anything else, each once, each of the message before", () => {
    expect(check(go, calls("a", "b"), tool("a"), go)).toEqual(["1:unanswered"])
    expect(check(go, calls("a"))).toEqual(["1:unanswered"])
    expect(check(go, tool("a"))).toEqual(["1:orphan"])
    expect(check(go, calls("a"), tool("a"), tool("a"))).toEqual(["3:duplicate"])
    expect(check(go, calls("a"), tool("a"), { role: "assistant", content: "x" }, tool("a"))).toEqual(["4:orphan"])
    expect(check(go, calls("a"), tool("a"), calls("a"), tool("a"))).toEqual(["3:duplicate"])
  })

  it("no message without words or calls, no lone surrogate, no other roles", () => {
    expect(check(go, { role: "assistant", content: null })).toEqual(["1:empty"])
    expect(check({ role: "user", content: null })).toEqual(["0:message"])
    expect(check({ role: "user", content: "\udc00" })).toEqual(["0:unicode"])
    expect(check(go, { role: "wizard" }, null)).toEqual(["1:message", "2:message"])
    expect(check()).toEqual(["0:first"])
  })
})

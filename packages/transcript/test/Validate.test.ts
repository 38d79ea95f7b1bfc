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
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } }))
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

  it("B01, B03, B18: a batch cut in two, and a call that the model broke off, are found", () => {
    const batch = [go, use("a", "b"), user(...res("a"), ...res("b")), go]
    expect(check(...batch.slice(2))).toEqual(["0:orphan", "0:orphan"])
    expect(check(...batch.slice(0, 2), go)).toEqual(["1:unanswered", "1:unanswered"])
    expect(check(go, use("a"), user(...res("a")), user(...res("a")))).toEqual(["2:duplicate"])
  })

  it("calls stand in the model's messages, results in the user's, with all that they need", () => {
    expect(check(user(...use("a").content))).toEqual(["0:message"])
    expect(check(go, { role: "assistant", content: res("a") })).toEqual(["1:message"])
    expect(check(go, { role: "assistant", content: [{ type: "tool_use", name: "f", input: {} }] })).toEqual([
      "1:message",
      "1:unanswered"
    ])
    const textual = { type: "tool_use", id: "a", name: "f", input: "{}" }
    expect(check(go, { role: "assistant", content: [textual] }, user(...res("a")))).toEqual(["1:message"])
    const nested = { type: "tool_result", tool_use_id: "a", content: [text("")] }
    expect(check(go, use("a"), user(nested))).toEqual(["2:empty"])
    expect(check(go, use("a"), user({ ...nested, content: "" }))).toEqual([])
  })

  it("B19, B21: reasoning has its signature, is the model's, and comes first where a loop is open", () => {
    const thinking = { type: "thinking", thinking: "hm", signature: "c2ln" }
    const calls = use("a").content
    const says = (...content: ReadonlyArray<unknown>) => ({ role: "assistant", content })
    expect(check(go, says(thinking, text("so"), ...calls), user(...res("a")))).toEqual([])
    expect(check(go, says(text("so"), thinking, ...calls), user(...res("a")))).toEqual(["1:reasoning"])
    expect(check(go, says(text("so"), thinking, ...calls), user(...res("a"), text("on")))).toEqual([])
    expect(check(go, says(text("so"), thinking))).toEqual([])
    expect(check(go, says({ ...thinking, signature: "" }))).toEqual(["1:reasoning"])
    expect(check(go, says({ type: "thinking", thinking: "hm" }))).toEqual(["1:reasoning"])
    expect(check(go, says({ type: "redacted_thinking", data: "x" }), go)).toEqual([])
    expect(check(go, says({ type: "redacted_thinking" }))).toEqual(["1:reasoning"])
    expect(check(user(thinking))).toEqual(["0:message"])
  })

  it("at most four cache marks, the longer first, none on reasoning or an empty block", () => {
    const mark = (block: object, ttl?: string) => ({
      ...block,
      cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) }
    })
    const marked = (n: number) => Array.from({ length: n }, () => mark(text("x")))
    expect(check(user(...marked(4)))).toEqual([])
    expect(check(user(...marked(3)), user(...marked(3)))).toEqual(["1:marks"])
    expect(check(user(mark(text("x"), "1h"), mark(text("x"), "5m"), mark(text("x"))))).toEqual([])
    expect(check(user(mark(text("x")), mark(text("x"), "1h")))).toEqual(["0:marks"])
    const thought = mark({ type: "thinking", thinking: "hm", signature: "c2ln" })
    expect(check(go, { role: "assistant", content: [thought] })).toEqual(["1:marks"])
    expect(check(user(mark(text(""))))).toEqual(["0:empty", "0:marks"])
    const nested = { type: "tool_result", tool_use_id: "a", content: marked(5) }
    expect(check(go, use("a"), user(nested))).toEqual(["2:marks"])
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

  it("B02, B06: a window that begins inside a batch is found", () => {
    const batch = [calls("a", "b"), tool("a"), tool("b"), go]
    expect(check(...batch.slice(1))).toEqual(["0:orphan", "1:orphan"])
    expect(check(...batch.slice(0, 2), go)).toEqual(["0:unanswered"])
  })

  it("a call has an id, a type, a name and its arguments as text; a result has content", () => {
    const called = (call: object) => check(go, { role: "assistant", content: null, tool_calls: [call] }, tool("a"))
    const whole = { id: "a", type: "function", function: { name: "f", arguments: "{}" } }
    expect(called(whole)).toEqual([])
    expect(called({ ...whole, function: { name: "f", arguments: {} } })).toEqual(["1:message"])
    expect(called({ ...whole, function: { arguments: "{}" } })).toEqual(["1:message"])
    expect(called({ id: "a", function: whole.function })).toEqual(["1:message"])
    expect(called({ id: "a", type: "custom", custom: { name: "f", input: "x" } })).toEqual([])
    expect(check(go, calls("a"), tool("a", null))).toEqual(["2:message"])
    expect(check(go, calls("a"), tool("a", ""))).toEqual([])
  })

  it("no message without words or calls, no lone surrogate, no other roles", () => {
    expect(check(go, { role: "assistant", content: null })).toEqual(["1:empty"])
    expect(check({ role: "user", content: null })).toEqual(["0:message"])
    expect(check({ role: "user", content: "\udc00" })).toEqual(["0:unicode"])
    expect(check(go, { role: "wizard" }, null)).toEqual(["1:message", "2:message"])
    expect(check()).toEqual(["0:first"])
  })
})

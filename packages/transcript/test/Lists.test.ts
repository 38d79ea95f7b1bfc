import { describe, expect, it } from "vitest"
import { pure } from "@palimpsest/ledger/Sha256"
import type { Format } from "../src/Format.ts"
import * as Records from "../src/Records.ts"
import * as Source from "../src/Source.ts"
import { bytesOf, entered, read, tags } from "./support/Reading.ts"
import { Writer } from "./support/Sessions.ts"

const fn = (id: string, name: string, args: unknown) => ({ id, type: "function", function: { name, arguments: args } })
const chat = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "go" },
      { type: "image_url", image_url: { url: "data:," } }
    ]
  },
  {
    role: "assistant",
    reasoning_content: "hm",
    content: "I look.",
    tool_calls: [fn("c1", "read_file", '{"path":"./a"}'), fn("c2", "f", "{")]
  },
  {
    role: "tool",
    tool_call_id: "c1",
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "two" }
    ]
  },
  { role: "tool", tool_call_id: "c2", content: "" },
  { role: "developer", content: "Be briefer." },
  { role: "assistant", content: null },
  { role: "wizard", content: "?" },
  3
]

const placed = (format: Format, source: string, run = "main") =>
  entered(read(format, source).moves, run).map(({ message, origin, part, role }) => [
    message,
    role,
    part._tag,
    origin._tag === "Read" ? `${origin.line}${origin.path}` : ""
  ])

describe("lists of messages", () => {
  it("a chat: each element is a message, each message of the model a request, the head is laid aside", () => {
    const source = JSON.stringify({ messages: chat, tools: [], response: { choices: [] } })
    expect(tags(read("openai-chat", source).moves)).toEqual(
      [
        ["Opened", "Aside document/head", "Entered", "Entered", "Entered"],
        ["Prompted", "Entered", "Entered", "Entered", "Entered"],
        ["Entered", "Entered", "Entered", "Aside message/empty", "Aside message/unknown", "Aside malformed"]
      ].flat()
    )
    expect(placed("openai-chat", source)).toEqual([
      ["m0", "system", "Text", "2/content"],
      ["m1", "user", "Text", "3/content/0"],
      ["m1", "user", "Opaque", "3/content/1"],
      ["m2", "assistant", "Reasoning", "4/reasoning_content"],
      ["m2", "assistant", "Text", "4/content"],
      ["m2", "assistant", "Call", "4/tool_calls/0"],
      ["m2", "assistant", "Call", "4/tool_calls/1"],
      ["m3", "tool", "Result", "5/content"],
      ["m4", "tool", "Result", "6/content"],
      ["m5", "system", "Text", "7/content"]
    ])
  })

  it("a chat's results have one body per part, an empty one where there is nothing, and are observed by their call", () => {
    const results = entered(read("openai-chat", JSON.stringify(chat)).moves).filter(
      ({ part }) => part._tag === "Result"
    )
    expect(results[0]).toMatchObject({ observation: { kind: "read", subject: "file:a" }, part: { status: "ok" } })
    expect(results[0]?.part).toMatchObject({
      blocks: [{ at: { path: "/content/0/text" } }, { at: { path: "/content/1/text" } }]
    })
    expect(results[1]?.part).toMatchObject({ blocks: [{ at: { _tag: "Own" }, size: { bytes: 0, scalars: 0 } }] })
  })

  it("rows are runs of their own, as lines or as a list", () => {
    const rows = [
      { messages: chat.slice(0, 3) },
      { messages: [{ role: "user", content: "again" }], tools: [] },
      { messages: [] }
    ]
    const lines = read("openai-chat-rows", rows.map((row) => JSON.stringify(row)).join("\n") + "\n\n")
    expect(lines.perRecord.map((moves) => [moves[0]?.run, ...tags(moves).filter((tag) => tag !== "Entered")])).toEqual([
      ["row-1", "Opened", "Prompted"],
      ["row-2", "Opened"],
      ["row-3", "Opened", "Aside row/empty"],
      ["row-3", "Aside blank"]
    ])
    expect(entered(lines.moves, "row-1").map(({ origin }) => (origin._tag === "Read" ? origin.path : ""))).toContain(
      "/messages/2/tool_calls/0"
    )
    const list = read(
      "openai-chat-rows",
      JSON.stringify([{ task_id: 0, traj: chat.slice(0, 2) }, { traj: chat.slice(1, 2) }])
    )
    expect(list.perRecord.map(tags)).toEqual([
      ["Opened", "Aside document/head"],
      ["Entered", "Entered", "Entered"],
      ["Opened", "Entered", "Entered"]
    ])
    expect(entered(list.moves, "row-2")[0]?.origin).toMatchObject({ path: "/traj/0/content/0" })
  })

  it("Anthropic messages: blocks in order, a result is the tool's, a message of the system may stand between", () => {
    const messages = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "t", name: "Read", input: { file_path: "a" } }
        ]
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t" },
          { type: "text", text: "and?" }
        ]
      },
      { role: "system", content: [{ type: "text", text: "Careful." }] }
    ]
    expect(placed("anthropic-messages", JSON.stringify({ system: "s", messages }))).toEqual([
      ["m0", "user", "Text", "2/content"],
      ["m1", "assistant", "Text", "3/content/0"],
      ["m1", "assistant", "Call", "3/content/1"],
      ["m2", "tool", "Result", "4/content/0"],
      ["m2", "user", "Text", "4/content/1"],
      ["m3", "system", "Text", "5/content/0"]
    ])
  })
})

describe("the identity of a source", () => {
  const idOf = (format: Format, text: string) =>
    Source.sourceId(format, Records.split(format, bytesOf(text)).records, pure)

  it("a session is its own id, also behind lines without one; an agent's own file adds the agent's", () => {
    const writer = new Writer()
    writer.lines.push('{"type":"summary","leafUuid":"l"}')
    writer.user("go")
    expect(idOf("claude-code", writer.text())).toBe("s-1")
    const agent = new Writer({ isSidechain: true, agentId: "a9" })
    agent.user("go")
    expect(idOf("claude-code", agent.text())).toBe("s-1.a9")
  })

  it("an id that cannot name a log is made fit, and stays apart from others that look alike then", () => {
    const named = (sessionId: string) => idOf("claude-code", JSON.stringify({ sessionId, isSidechain: false }))
    expect(named("a/b")).toMatch(/^sa-b~[0-9a-f]{16}$/)
    expect(named("a/b")).not.toBe(named("a:b"))
    expect(named("-x")).toMatch(/^s-x~/)
  })

  it("law 7: lists are named by their opening: growing, other separators and what follows change nothing", () => {
    const [first, second, third] = chat.map((message) => JSON.stringify(message))
    const id = idOf("openai-chat", `[${first},${second}]`)
    expect(id).toMatch(/^chat-[0-9a-f]{16}$/)
    expect(idOf("openai-chat", `{"tools":[],"messages":[\n  ${first} ,\n  ${second},${third}]}`)).toBe(id)
    expect(idOf("openai-chat", `[${first},{"role":"user","content":"other"}]`)).not.toBe(id)
    expect(idOf("openai-chat-rows", `{"messages":[${first},${second}]}\n`)).toBe(
      idOf("openai-chat-rows", `{"messages": [ ${first}, ${second}, ${third} ], "tools":[]}\n{"messages":[]}\n`)
    )
    expect(idOf("anthropic-messages", `[${second}]`)).toMatch(/^msgs-/)
  })
})

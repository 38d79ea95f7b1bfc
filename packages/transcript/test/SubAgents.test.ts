import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as Agents from "../src/Agents.ts"
import * as Records from "../src/Records.ts"
import { bytesOf, entered, hash, history, read, tags } from "./support/Reading.ts"
import { Writer } from "./support/Sessions.ts"

const go = { input_tokens: 10, output_tokens: 1 }
const text = (words: string) => ({ type: "text", text: words })
const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input })

/** A progress line with one whole message of a sub-agent. */
const said = (writer: Writer, agentId: string, call: string, message: unknown, uuid: string, more = {}): string =>
  writer.line({
    type: "progress",
    data: {
      type: "agent_progress",
      agentId,
      prompt: "look",
      normalizedMessages: [],
      message: { uuid, timestamp: "2026-05-01T11:00:00.000Z", message, ...more }
    },
    toolUseID: `agent_${call}`,
    parentToolUseID: call
  })
const asks = (content: unknown) => ({ role: "user", content })
const answers = (id: string, block: unknown, usage: unknown = go) => ({
  id,
  role: "assistant",
  content: [block],
  usage
})
const USER = { type: "user" }
const MODEL = { type: "assistant" }

/** Two agents of one batch, their lines interleaved. */
const parallel = (): Writer => {
  const writer = new Writer()
  writer.user("go")
  writer.answer("m1", use("t1", "Task", { prompt: "look" }), { input_tokens: 100, output_tokens: 5 })
  writer.answer("m1", use("t2", "Task", { prompt: "look" }), { input_tokens: 100, output_tokens: 9 })
  said(writer, "a1", "t1", asks([text("look")]), "x1", USER)
  said(writer, "b2", "t2", asks("look"), "y1", USER)
  said(writer, "a1", "t1", answers("s1", use("r1", "Read", { file_path: "./a" })), "x2", MODEL)
  said(writer, "b2", "t2", answers("s2", text("seen")), "y2", MODEL)
  said(writer, "a1", "t1", asks([{ type: "tool_result", tool_use_id: "r1", content: "A" }]), "x3", USER)
  said(writer, "a1", "t1", answers("s1", text("and"), { input_tokens: 10, output_tokens: 4 }), "x4", MODEL)
  writer.result("t1", "a is seen")
  writer.result("t2", "b is seen")
  writer.answer("m2", text("done"), { input_tokens: 200, output_tokens: 2 })
  return writer
}

describe("shape 1: side chains in the session's file", () => {
  it("keep their numbers whatever agents stand in progress lines beside them", () => {
    const writer = new Writer()
    writer.answer("m1", use("t1", "Task", { prompt: "one" }))
    said(writer, "a1", "t1", asks("one"), "x1", USER)
    writer.line({ type: "user", isSidechain: true, parentUuid: null, message: asks("two") })
    const runs = read("claude-code", writer.text()).moves.flatMap((move) => (move._tag === "Opened" ? [move.run] : []))
    expect(runs).toEqual(["main", "agent-a1", "side-1"])
  })
})

describe("shape 2: progress lines", () => {
  it("their messages are entries of a run for each agent, begun by the call that they name", () => {
    const { moves } = read("claude-code", parallel().text())
    expect(moves.flatMap((move) => (move._tag === "Opened" ? [[move.run, move.parentCall]] : []))).toEqual([
      ["main", undefined],
      ["agent-a1", "t1"],
      ["agent-b2", "t2"]
    ])
    const of = (run: string) => entered(moves, run).map((entry) => `${entry.message}:${entry.part._tag}`)
    expect(of("agent-a1")).toEqual(["x1:Text", "s1:Call", "x3:Result", "s1:Text"])
    expect(of("agent-b2")).toEqual(["y1:Text", "s2:Text"])
  })

  it("law 10: requests and usage are the agent's, and none of the main run's", () => {
    const { moves } = read("claude-code", parallel().text())
    const of = (run: string, tag: string) => moves.filter((move) => move.run === run && move._tag === tag).length
    expect(["main", "agent-a1", "agent-b2"].map((run) => of(run, "Prompted"))).toEqual([2, 1, 1])
    const usage = moves.flatMap((move) => (move._tag === "Reported" ? [[move.run, move.usage]] : []))
    expect(usage).toEqual([
      ["main", { input_tokens: 100, output_tokens: 5 }],
      ["main", { input_tokens: 100, output_tokens: 9 }],
      ["agent-a1", go],
      ["agent-b2", go],
      ["agent-a1", { input_tokens: 10, output_tokens: 4 }],
      ["main", { input_tokens: 200, output_tokens: 2 }]
    ])
  })

  it("law 2: the line stays laid aside in the main run, and what entered is spliced out of it", () => {
    const reading = read("claude-code", parallel().text())
    const main = reading.moves.filter((move) => move.run === "main")
    expect(tags(main).filter((tag) => tag === "Aside progress/agent_progress")).toHaveLength(6)
    expect(history("claude-code", reading, "agent-a1")).toEqual([
      '{"role":"user","content":[{"type":"text","text":"look"}]}',
      '{"role":"assistant","content":[{"type":"tool_use","id":"r1","name":"Read","input":{"file_path":"./a"}},{"type":"text","text":"and"}]}',
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"r1","content":"A"}]}'
    ])
    expect(history("claude-code", reading, "agent-b2")[0]).toBe('{"role":"user","content":"look"}')
  })

  it("law 7: the main run is what it was before agents' messages were read", () => {
    const text = parallel().text()
    const other = text.replaceAll('"agent_progress"', '"other_progress"')
    const main = (moves: ReturnType<typeof read>["moves"]) =>
      moves.filter((move) => move.run === "main").map((move) => [move._tag, move.at])
    expect(main(read("claude-code", text).moves)).toEqual(main(read("claude-code", other).moves))
  })

  it("observations are made in the directory of the line", () => {
    const entries = entered(read("claude-code", parallel().text()).moves, "agent-a1")
    expect(entries[2]?.observation).toMatchObject({ kind: "read", subject: "file:a" })
  })

  it("a message that comes again, a failed request, and a line without a message bring nothing but the line", () => {
    const writer = parallel()
    said(writer, "a1", "t1", answers("s1", text("and")), "x4", MODEL)
    said(writer, "a1", "t1", answers("e", text("API Error")), "x5", { ...MODEL, isApiErrorMessage: true })
    said(writer, "a1", "t1", undefined, "x6", MODEL)
    said(writer, "a1", "t1", asks([]), "x7", USER)
    said(writer, "", "", asks("whose?"), "x8", USER)
    writer.line({ type: "progress", data: { type: "agent_progress", agentId: "a1", message: 3 } })
    const { perRecord } = read("claude-code", writer.text())
    expect(perRecord.slice(-6).map(tags)).toEqual(Array.from({ length: 6 }, () => ["Aside progress/agent_progress"]))
  })

  it("an agent without an id is told by its call, and one whose id fits no name by a digest of it", () => {
    const writer = new Writer()
    said(writer, "", "t9", asks("look"), "x1", USER)
    said(writer, "~../é\ud800", "t9", asks("look"), "x2", USER)
    const runs = read("claude-code", writer.text()).moves.flatMap((move) => (move._tag === "Opened" ? [move.run] : []))
    expect(runs).toEqual(["main", "agent-t9", expect.stringMatching(/^agent-x[0-9a-f]{16}$/)])
  })
})

describe("shape 3: files of their own", () => {
  const pieces = (writer: Writer) => Records.split("claude-code", bytesOf(writer.text())).records
  const agent = (id: string, prompt: string, fill: (writer: Writer) => void = () => undefined): Writer => {
    const writer = new Writer({ isSidechain: true, agentId: id })
    writer.user(prompt)
    fill(writer)
    return writer
  }
  const file = (writer: Writer, toolUseId?: string): Agents.AgentFile => ({
    records: pieces(writer),
    ...(toolUseId === undefined ? {} : { meta: bytesOf(JSON.stringify({ agentType: "x", toolUseId })) })
  })
  const session = (): Writer => {
    const writer = new Writer()
    writer.user("go")
    writer.call("m1", "t1", "Task", { prompt: "same" })
    writer.call("m1", "t2", "Agent", { prompt: "same" })
    writer.call("m1", "t3", "Read", { prompt: "not a prompt" })
    return writer
  }
  const link = (writer: Writer, ...files: ReadonlyArray<Agents.AgentFile>) => Agents.link(hash, pieces(writer), files)

  it("the document beside the file names the call; else the result does; else the prompt; else nothing", () => {
    const writer = session()
    writer.line({
      type: "user",
      message: asks([{ type: "tool_result", tool_use_id: "t1", content: "ok" }]),
      toolUseResult: { agentId: "by-result" }
    })
    const files = [
      file(agent("lost", "not a prompt")),
      file(agent("by-prompt", "same")),
      file(agent("by-result", "same"), "unknown"),
      file(agent("by-meta", "something"), "t3")
    ]
    expect(link(writer, ...files)).toEqual({
      agents: [
        { file: 3, id: "by-meta", name: "by-meta", call: "t3" },
        { file: 1, id: "by-prompt", name: "by-prompt", call: "t2" },
        { file: 2, id: "by-result", name: "by-result", call: "t1" },
        { file: 0, id: "lost", name: "lost" }
      ],
      strangers: []
    })
  })

  it("parents come before the agents that they began; in a circle nothing began the first", () => {
    const nested = link(
      session(),
      file(agent("a", "deep"), "u2"),
      file(
        agent("b", "deeper", (writer) => void writer.call("s1", "u2", "Task", { prompt: "deep" })),
        "t1"
      )
    )
    expect(nested.agents.map(({ call, id }) => [id, call])).toEqual([
      ["b", "t1"],
      ["a", "u2"]
    ])
    const circle = link(
      session(),
      file(
        agent("a", "x", (writer) => void writer.call("s1", "u1", "Task", {})),
        "u2"
      ),
      file(
        agent("b", "y", (writer) => void writer.call("s2", "u2", "Task", {})),
        "u1"
      )
    )
    expect(circle.agents.map(({ call, id }) => [id, call])).toEqual([
      ["a", undefined],
      ["b", "u1"]
    ])
  })

  it("law 14: a file of another session, of no agent, or of an agent that has one, is named, with why", () => {
    const stranger = new Writer({ isSidechain: true, agentId: "c", sessionId: "s-2" })
    stranger.user("hello")
    const { agents, strangers } = link(
      session(),
      file(stranger),
      file(session()),
      { records: [] },
      file(agent("a", "same")),
      file(agent("a", "same"), "t2"),
      file(stranger, "t2")
    )
    expect(agents.map((one) => one.file)).toEqual([3, 5])
    expect(strangers).toEqual([
      { file: 0, why: "a sub-agent of the session s-2" },
      { file: 1, why: "no line of a sub-agent" },
      { file: 2, why: "no line of a sub-agent" },
      { file: 4, why: "the sub-agent a has another file" }
    ])
  })

  const orders = (given: typeof link) =>
    FastCheck.property(FastCheck.shuffledSubarray(["a", "b", "c", "d"], { minLength: 2 }), (ids) => {
      const files = ids.map((id) => file(agent(id, "same")))
      const calls = (order: ReadonlyArray<Agents.AgentFile>) =>
        given(session(), ...order).agents.map(({ call, id }) => [id, call])
      return JSON.stringify(calls(files)) === JSON.stringify(calls([...files].reverse()))
    })

  it("law 7: the order of the files does not matter", () => {
    FastCheck.assert(orders(link))
  })

  it("law 7: a linking that goes by the order of the files is caught", () => {
    const byPlace: typeof link = (writer, ...files) => {
      const { agents, strangers } = link(writer, ...files)
      return { agents: [...agents].sort((x, y) => x.file - y.file), strangers }
    }
    expect(FastCheck.check(orders(byPlace)).failed).toBe(true)
  })
})

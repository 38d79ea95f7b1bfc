import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { SESSIONS } from "../examples/generate.mjs"
import { claudeSource } from "../independent/claudeSource.mjs"
import { economics } from "../independent/economics.mjs"
import { scalarsOf, tokensOf } from "../independent/estimate.mjs"
import { faults } from "../independent/pairing.mjs"
import { rawRequests } from "../independent/rawRequests.mjs"
import { toolResults } from "../independent/toolResults.mjs"
import { estimateOf, fits, rSquared } from "../independent/usage.mjs"
import { lostWords } from "../independent/userWords.mjs"

const claude = join(SESSIONS, "claude-code.jsonl")
const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] })
const called = (...ids: ReadonlyArray<string>) => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "Read", input: {} }))
})
const answered = (...ids: ReadonlyArray<string>) => ({
  role: "user",
  content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "x" }))
})
const line = (request: number, messages: ReadonlyArray<unknown>, run = "r") => ({
  request,
  run,
  rendering: "transcript",
  messages
})

describe("tool results", () => {
  it("of Claude Code: every one, in the order of the file, in its blocks", () => {
    const results = toolResults(claude)
    expect(results).toHaveLength(194)
    expect(new Set(results.map(({ call }) => call)).size).toBe(194)
    expect(results.filter(({ blocks }) => blocks.length === 2)).toHaveLength(2)
    expect(results.filter(({ blocks }) => blocks.some((block) => "base64" in block))).toHaveLength(1)
    const torn = results.flatMap(({ blocks }) =>
      blocks.flatMap((block) => ("text" in block && /\p{Surrogate}$/u.test(block.text) ? [block.text] : []))
    )
    expect(torn).toEqual(['retrying with payload: {"mood":"\ud83d'])
  })

  it("of chat: an array, and rows", () => {
    expect(toolResults(join(SESSIONS, "openai-chat.json")).every(({ blocks }) => blocks.length === 1)).toBe(true)
    expect(toolResults(join(SESSIONS, "openai-chat-rows.jsonl"))).toHaveLength(9)
    expect(toolResults(join(SESSIONS, "anthropic-messages.json"))).toHaveLength(5)
  })
})

describe("estimates", () => {
  it.each([
    [user("12345678"), 2],
    [user("123456789"), 3],
    [user("👍👍👍👍"), 1],
    [{ role: "user", content: "\ud83d234" }, 1],
    [{ role: "assistant", content: [{ type: "thinking", thinking: "abcd", signature: "efgh" }] }, 2],
    [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "b", input: { k: 1, l: "x" } }] }, 4],
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "b", arguments: '{ "k" : 1 }' } }]
      },
      2
    ],
    [
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [
              { type: "image", source: {} },
              { type: "text", text: "abcde" }
            ]
          }
        ]
      },
      1502
    ]
  ])("%j", (message, tokens) => {
    expect(tokensOf(message)).toBe(tokens)
  })

  it("count scalar values", () => {
    expect(scalarsOf("a👍\ud83d")).toBe(3)
  })
})

describe("economics", () => {
  it("by hand: three requests, the last with a changed beginning", () => {
    const account = economics(100)
    const [a, b, c] = [user("a".repeat(400)), user("b".repeat(400)), user("c".repeat(400))]
    account.add(line(1, [a]))
    account.add(line(2, [a, b]))
    account.add({ request: 3, run: "r", refused: "ContextExhausted", need: 2, have: 1 })
    account.add(line(4, [c, b]))
    // 1: 200 new, cheaper uncached. 2: 200 cached, 100 new. 4: the fixed 100 cached, 200 new.
    expect(account.runs.get("r")).toMatchObject({ requests: 4, refused: 1, tokens: 800, cached: 300, peakTokens: 200 })
    expect(account.runs.get("r").cost).toBeCloseTo(200 + (20 + 125) + (10 + 250), 9)
  })

  it("ignores marks for the cache, and shares a section by its beginning", () => {
    const account = economics(0)
    account.add(
      line(1, [{ role: "user", content: [{ type: "text", text: "aaaa", cache_control: { type: "ephemeral" } }] }])
    )
    account.add(line(2, [user("aaaa"), user("bbbb")]))
    expect(account.runs.get("r")).toMatchObject({ tokens: 3, cached: 1 })
    const section = (request: number, text: string) => ({
      ...line(request, [{ role: "user", content: text }], "s"),
      rendering: "section"
    })
    account.add(section(1, "abcdefgh👍ijk"))
    account.add(section(2, "abcdefgh👎ijk"))
    expect(account.runs.get("s")).toMatchObject({ tokens: 6, cached: 2 })
  })
})

describe("pairing", () => {
  const good = [user("go"), called("a", "b"), answered("b", "a"), called("c"), answered("c"), user("thanks")]
  it("passes what a provider takes", () => {
    expect(faults(line(1, good))).toEqual([])
    expect(faults({ request: 1, run: "r", refused: "ContextExhausted", need: 2, have: 1 })).toEqual([])
  })
  it.each([
    ["no result", [user("go"), called("a"), user("then")]],
    ["half a batch", [user("go"), called("a", "b"), answered("a")]],
    ["a result too late", [user("go"), called("a"), user("wait"), called("b"), answered("b", "a")]],
    ["a result without a call", [user("go"), answered("a")]],
    [
      "words before the result",
      [user("go"), called("a"), { role: "user", content: [...user("x").content, ...answered("a").content] }]
    ],
    ["an id twice", [user("go"), called("a"), answered("a"), called("a"), answered("a")]],
    ["an empty text", [user("")]],
    ["not the user first", [called("a"), answered("a")]],
    ["a call at the end", [user("go"), called("a")]]
  ])("mutant: %s", (_, messages) => {
    expect(faults(line(7, messages)).length).toBeGreaterThan(0)
  })

  const call = (...ids: ReadonlyArray<string>) => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({ id }))
  })
  const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" })
  it("of chat", () => {
    expect(
      faults(line(1, [{ role: "system", content: "s" }, call("a", "b"), tool("b"), tool("a"), call("a"), tool("a")]))
    ).toEqual([])
    for (const messages of [
      [call("a"), user("x")],
      [tool("a")],
      [call("a", "b"), tool("a")],
      [call("a"), tool("a"), tool("a")]
    ]) {
      expect(faults(line(1, messages)).length).toBeGreaterThan(0)
    }
  })
})

describe("the example session, rebuilt", () => {
  const source = claudeSource(claude)
  const requests = rawRequests(claude)

  it("has the requests that its page tells of", () => {
    expect(source.requests).toHaveLength(113)
    expect(requests).toHaveLength(113)
    expect(new Set(source.requests.map(({ segment }) => segment)).size).toBe(2)
  })

  it("follows its recorded usage; without its results, or with the wrong ones, it does not", () => {
    const found = fits(
      source.requests,
      requests.map((messages) => estimateOf({ messages }))
    )
    expect(found).toHaveLength(2)
    for (const { r2 } of found) expect(r2).toBeGreaterThan(0.999)
    const without = requests.map((messages) =>
      estimateOf({ messages: messages.filter((message) => message.content[0]?.type !== "tool_result") })
    )
    expect(fits(source.requests, without).some(({ r2 }) => r2 < 0.97)).toBe(true)
  })

  it("passes the line of 50,000 several times, with its huge results bounded", () => {
    const bounded = requests.map((messages) =>
      messages
        .flatMap((message) => message.content)
        .reduce((sum, block) => sum + Math.min(6_000, tokensOf({ role: "user", content: [block] })), 0)
    )
    const [first, second] = [0, 1].map((segment) =>
      Math.max(...bounded.filter((_, at) => source.requests[at]?.segment === segment))
    )
    expect(first).toBeGreaterThan(110_000)
    expect(second).toBeGreaterThan(50_000)
  })

  it("keeps the user's words; a request without some is told of", () => {
    for (const [at, messages] of requests.entries()) expect(lostWords(source, line(at + 1, messages))).toEqual([])
    const last = requests.at(-1) ?? []
    expect(lostWords(source, line(113, last.slice(1)))).toHaveLength(1)
  })

  it("is one that a provider takes, but for the one call that was never answered", () => {
    const broken = requests.flatMap((messages, at) => faults(line(at + 1, messages)))
    const orphan = source.requests.findIndex((_, at) => faults(line(at + 1, requests[at] ?? [])).length > 0)
    expect(orphan).toBeGreaterThan(40)
    expect(broken.length).toBeGreaterThan(0)
    const later = requests.flatMap((messages, at) =>
      source.requests[at]?.segment === 1 ? faults(line(at + 1, messages)) : []
    )
    expect(later).toEqual([])
  })
})

describe("the square of the correlation", () => {
  it.each([
    [
      [
        [1, 3],
        [2, 5],
        [3, 7]
      ],
      1
    ],
    [
      [
        [1, 1],
        [2, 1],
        [3, 1]
      ],
      0
    ],
    [
      [
        [0, 0],
        [1, 1],
        [2, 0]
      ],
      0
    ]
  ])("%j", (points, r2) => {
    expect(rSquared(points)).toBeCloseTo(r2, 12)
  })
})

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { exampleSessions, SESSIONS } from "../examples/generate.mjs"

interface Block {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly text?: string
  readonly signature?: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly tool_use_id?: string
  readonly is_error?: boolean
  readonly content?: string | ReadonlyArray<Block>
}
interface Line {
  readonly type: string
  readonly subtype?: string
  readonly uuid?: string
  readonly parentUuid?: string | null
  readonly isSidechain?: boolean
  readonly isMeta?: boolean
  readonly isApiErrorMessage?: boolean
  readonly isCompactSummary?: boolean
  readonly requestId?: string
  readonly message?: { readonly id?: string; readonly usage?: object; readonly content: string | ReadonlyArray<Block> }
}

const read = (name: string) => readFileSync(join(SESSIONS, name), "utf8")
const generated = exampleSessions()

describe("the example sessions", () => {
  it.each([...generated.keys()])("%s is what the generator writes", (name) => {
    // Compared as a flag: a difference of two megabytes tells nobody anything.
    expect(read(name) === generated.get(name)).toBe(true)
  })

  it("are all that stands in their folder, and are not too large to clone", () => {
    expect(readdirSync(SESSIONS).sort()).toEqual([...generated.keys()].sort())
    expect(Buffer.byteLength(read("claude-code.jsonl"))).toBeLessThan(2_500_000)
  })
})

describe("the Claude Code session holds", () => {
  const lines: ReadonlyArray<Line> = read("claude-code.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  const blocksOf = (line: Line) => (typeof line.message?.content === "object" ? line.message.content : [])
  const blocks = lines.flatMap(blocksOf)
  const calls = blocks.filter((block) => block.type === "tool_use")
  const results = blocks.filter((block) => block.type === "tool_result")
  const texts = results.map(({ content }) =>
    typeof content === "string" ? content : (content ?? []).map((block) => block.text ?? "").join("")
  )
  const commands = calls.flatMap((call) => (typeof call.input?.["command"] === "string" ? [call.input["command"]] : []))
  const indexOf = (which: (line: Line) => boolean) => lines.findIndex(which)

  it("enough calls, of every kind of tool", () => {
    expect(calls.length).toBeGreaterThanOrEqual(60)
    expect(new Set(calls.map((call) => call.name))).toEqual(
      new Set(["Bash", "Read", "Edit", "Write", "Grep", "Glob", "TodoWrite", "Task", "mcp__tracker__get_issue"])
    )
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length)
  })

  it("identical reads, partial reads, and plain shell reads and searches", () => {
    const reads = calls.filter((call) => call.name === "Read").map((call) => JSON.stringify(call.input))
    expect(new Set(reads).size).toBeLessThan(reads.length)
    expect(reads.some((input) => input.includes('"limit"'))).toBe(true)
    for (const start of ["cat ", "sed -n ", "grep ", "rg ", "tail "])
      expect(commands.some((command) => command.startsWith(start))).toBe(true)
  })

  it("a read after each of some edits and writes", () => {
    for (const name of ["Edit", "Write"]) {
      const at = calls.findIndex((call) => call.name === name)
      expect(at).toBeGreaterThan(0)
      const path = calls[at]?.input?.["file_path"]
      expect(
        calls.slice(at).some((call) => call.name === "Read" && call.input?.["file_path"] === path) || name === "Write"
      ).toBe(true)
    }
  })

  it("a failing command, huge outputs, colours, emoji and CJK", () => {
    expect(results.some((result) => result.is_error === true)).toBe(true)
    expect(texts.filter((text) => text.length >= 300_000).length).toBe(2)
    expect(texts.some((text) => text.split("\n").length >= 6_000)).toBe(true)
    for (const some of ["\u001b[32m", "👩🏽‍💻", "视图", "帳簿", "원장"])
      expect(texts.some((text) => text.includes(some))).toBe(true)
  })

  it("results without a word, as a text and as a list", () => {
    expect(results.filter((result) => result.content === "")).toHaveLength(1)
    expect(results.filter((result) => Array.isArray(result.content) && result.content.length === 0)).toHaveLength(1)
  })

  it("half an emoji, as an escape in the file", () => {
    expect(texts.some((text) => /\p{Surrogate}$/u.test(text))).toBe(true)
    expect(read("claude-code.jsonl")).toContain('\\ud83d"')
  })

  it("text that looks like a marker or an address", () => {
    for (const some of ["@41:1-400", "(elided: superseded by the read at step 3)", '"_tag":"Decided"']) {
      expect(texts.some((text) => text.includes(some))).toBe(true)
    }
  })

  it("answers over several lines that repeat their usage, reasoning with its signature", () => {
    const byMessage = new Map<string, Array<Line>>()
    for (const line of lines) {
      if (line.type !== "assistant" || line.isApiErrorMessage) continue
      const id = line.message?.id ?? ""
      byMessage.set(id, [...(byMessage.get(id) ?? []), line])
    }
    const split = [...byMessage.values()].filter((parts) => parts.length > 1)
    expect(split.length).toBeGreaterThan(20)
    for (const parts of split) {
      expect(new Set(parts.map((part) => JSON.stringify(part.message?.usage))).size).toBe(1)
      expect(new Set(parts.map((part) => part.requestId)).size).toBe(1)
    }
    expect(blocks.some((block) => block.type === "thinking" && (block.signature?.length ?? 0) > 100)).toBe(true)
  })

  it("results between the lines of their answer, and results of a batch behind it", () => {
    const between = lines.filter((line, at) => {
      const id = line.message?.id
      return (
        line.type === "assistant" &&
        lines
          .slice(at + 1, at + 5)
          .some((later, by, some) => later.message?.id === id && some.slice(0, by).some((one) => one.type === "user"))
      )
    })
    expect(between.length).toBeGreaterThan(3)
  })

  it("progress lines in the parent chain, and one parent that is nowhere", () => {
    const uuids = new Set(lines.map((line) => line.uuid))
    const progress = new Set(lines.filter((line) => line.type === "progress").map((line) => line.uuid))
    expect(
      lines.some(
        (line) => line.type !== "progress" && typeof line.parentUuid === "string" && progress.has(line.parentUuid)
      )
    ).toBe(true)
    expect(lines.filter((line) => typeof line.parentUuid === "string" && !uuids.has(line.parentUuid))).toHaveLength(1)
  })

  it("a call without a result before later words of the user", () => {
    const answered = new Set(results.map((result) => result.tool_use_id))
    const orphans = calls.filter((call) => !answered.has(call.id))
    expect(orphans).toHaveLength(1)
    const at = indexOf((line) => blocksOf(line).some((block) => block.id === orphans[0]?.id))
    expect(lines.slice(at).some((line) => line.type === "user" && typeof line.message?.content === "string")).toBe(true)
    expect(results.every((result) => calls.some((call) => call.id === result.tool_use_id))).toBe(true)
  })

  it("a compaction with its summary, and a helper whose first words are its call's prompt", () => {
    const boundary = indexOf((line) => line.subtype === "compact_boundary")
    expect(lines[boundary]).toMatchObject({ parentUuid: null })
    expect(lines[boundary + 1]).toMatchObject({ isCompactSummary: true, parentUuid: lines[boundary]?.uuid })
    const root = lines.find((line) => line.isSidechain === true)
    expect(root?.parentUuid).toBeNull()
    expect(calls.some((call) => call.name === "Task" && call.input?.["prompt"] === root?.message?.content)).toBe(true)
  })

  it("pictures, blocks, a snapshot, an error of the API, words of the client, the length of a turn", () => {
    expect(blocks.some((block) => block.type === "image")).toBe(true)
    expect(
      results.some(
        (result) => typeof result.content === "object" && result.content.some((block) => block.type === "image")
      )
    ).toBe(true)
    expect(
      results.some(
        (result) =>
          typeof result.content === "object" && result.content.filter((block) => block.type === "text").length > 1
      )
    ).toBe(true)
    for (const type of ["file-history-snapshot", "queue-operation"])
      expect(indexOf((line) => line.type === type)).toBeGreaterThanOrEqual(0)
    expect(indexOf((line) => line.isApiErrorMessage === true)).toBeGreaterThan(0)
    expect(indexOf((line) => line.isMeta === true && line.type === "user")).toBeGreaterThan(0)
    expect(indexOf((line) => line.subtype === "turn_duration")).toBeGreaterThan(0)
  })
})

describe("the chat session holds", () => {
  const text = read("openai-chat.json")
  const messages: ReadonlyArray<{ role: string; content: unknown; tool_calls?: ReadonlyArray<{ id: string }> }> =
    JSON.parse(text)

  it("50 or more calls, batches, lists of parts, a huge output, a failure, emoji and CJK", () => {
    expect(messages.flatMap((message) => message.tool_calls ?? []).length).toBeGreaterThanOrEqual(50)
    expect(messages.some((message) => (message.tool_calls?.length ?? 0) > 1)).toBe(true)
    expect(messages.some((message) => message.role === "tool" && Array.isArray(message.content))).toBe(true)
    expect(messages.some((message) => typeof message.content === "string" && message.content.length >= 300_000)).toBe(
      true
    )
    for (const some of ["Exit code 1", "👍", "视图"]) expect(text).toContain(some)
  })
})

describe("the folder of examples", () => {
  it("numbers what can be run", () => {
    const programs = readdirSync(join(SESSIONS, "..")).filter((name) => /\.(?:ts|mjs)$/.test(name))
    expect(programs.filter((name) => !/^\d\d-[a-z-]+\.(?:ts|mjs)$/.test(name))).toEqual([])
    expect(existsSync(join(SESSIONS, "..", "README.md"))).toBe(true)
  })
})

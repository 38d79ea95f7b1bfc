/** The rows of the checklist about results, calls and sizes, with wrong engines that each test tells from ours. */
import { expect } from "vitest"
import { clamp } from "../../src/harn/Clamp.ts"
import { mask } from "../../src/harn/Mask.ts"
import { bodyOf, type Message } from "../../src/harn/Message.ts"
import { microcompact } from "../../src/harn/Microcompact.ts"
import { truncate } from "../../src/harn/Truncate.ts"
import { assistant, bytes, calling, copy, count, noise, ours, row, talk, tool, user } from "./support.ts"

row(
  "HA-01 microcompaction keeps both ends and counts the drop exactly, below 200 nothing",
  (engine) => {
    expect(engine.microcompact("x".repeat(50_000), 10_000)).toEqual({
      text: `${"x".repeat(5_000)}\n\n[... 40000 characters snipped ...]\n\n${"x".repeat(5_000)}`,
      droppedBytes: 40_000
    })
    expect(engine.microcompact("日".repeat(1_000), 400).droppedBytes).toBe(3_000 - 2 * 198)
    const text = "y".repeat(999)
    expect(engine.microcompact(text, 999)).toEqual({ text, droppedBytes: 0 })
    expect(engine.microcompact(text, 199)).toEqual({ text, droppedBytes: 0 })
  },
  {
    "an estimate of the drop": {
      microcompact: (text, max) => {
        const done = microcompact(text, max)
        return { ...done, droppedBytes: Math.max(0, bytes(text) - max) }
      }
    },
    "a head alone": { microcompact: (text, max) => ({ ...microcompact(text, max), text: text.slice(0, max) }) }
  }
)

row(
  "HA-02 at most 32 failure lines, by one filter for mask and microcompaction",
  (engine) => {
    const failures = Array.from({ length: 40 }, (_, i) => `--- FAIL: T${i}`)
    const body = [...noise(200).split("\n"), ...failures, ...noise(200).split("\n")].join("\n")
    for (const text of [engine.microcompact(body, 4_000).text, engine.mask(tool(body)).text]) {
      expect(count(text, "--- FAIL: T")).toBe(32)
      expect(text).toContain(failures[0])
      expect(text).not.toContain(failures[32])
    }
    expect(engine.isFailureLine("12:30 nothing happened")).toBe(false)
    expect(engine.isFailureLine("12:30 nothing expected")).toBe(true)
  },
  {
    "all failure lines": { mask: (message) => ({ ...mask(message), text: bodyOf(message) }) },
    "keywords without a place": { isFailureLine: (line) => line.includes("nothing") }
  }
)

row(
  "HA-07 truncation shows 15 messages of 500 bytes, and a count",
  (engine) => {
    const { text, fates, carriedBytes } = engine.truncate([user("é".repeat(300)), ...talk(19, () => "short")])
    const lines = text.split("\n")
    expect(lines[0]).toBe("[auto-compacted 20 older messages via truncate strategy]")
    expect(lines[1]).toBe(`[user] ${"é".repeat(250)}... [truncated from 600 chars]`)
    expect(lines[2]).toBe("[user] short")
    expect(lines).toHaveLength(17)
    expect(lines.at(-1)).toBe("... and 5 more")
    expect(fates.filter((fate) => fate === "dropped")).toHaveLength(5)
    expect(carriedBytes).toBe(500 + 14 * 5)
    expect(engine.truncate(talk(15)).text).not.toContain("more")
  },
  {
    "counts characters": {
      truncate: (messages, header) =>
        truncate(
          messages.map((m) => user([...bodyOf(m)].join("").slice(0, 200))),
          header
        )
    },
    "no count": {
      truncate: (...args) => ({ ...truncate(...args), text: truncate(...args).text.replace(/\n\.\.\. and.*/, "") })
    }
  }
)

row(
  "HA-08 the mask keeps short results and few lines, and names lines and bytes of the rest",
  (engine) => {
    const verbose = `first\n${noise(40)}`
    expect(engine.mask(tool("x".repeat(499))).text).toBe(`[tool] ${"x".repeat(499)}`)
    expect(engine.mask(user(`a\nb\n${"x".repeat(600)}`)).whole).toBe(true)
    expect(engine.mask(tool(verbose)).text).toBe(`[tool] first... [41 lines, ${bytes(verbose)} chars masked]`)
    expect(engine.mask(tool(verbose), () => "mine").text).toBe("[tool] mine")
    expect(engine.mask(tool(verbose), () => undefined).text).toContain("masked]")
    const failing = `first\n${noise(40)}\nerror: no such file`
    expect(engine.mask(tool(failing)).text).toBe(
      `[tool] first... [42 lines, ${bytes(failing)} chars masked; failure lines preserved]\nerror: no such file`
    )
  },
  {
    "shows everything": { mask: (message) => ({ text: `[tool] ${bodyOf(message)}`, carriedBytes: 0, whole: true }) },
    "asks no host": { mask: (message) => mask(message) }
  }
)

row(
  "HA-09 240 bytes of an assistant, and no more",
  (engine) => {
    expect(engine.mask(assistant("a".repeat(240))).text).toBe(`[assistant] ${"a".repeat(240)}`)
    expect(engine.mask(assistant("a".repeat(241))).text).toBe(
      `[assistant] ${"a".repeat(240)}... [assistant turn truncated, 1 chars masked]`
    )
    expect(engine.mask(assistant("日".repeat(100))).text).toContain(
      `${"日".repeat(80)}... [assistant turn truncated, 60 `
    )
    expect(engine.mask(assistant(`x\n${noise(40)}\nerror: mine`)).text).not.toContain("error: mine")
  },
  { "masks an assistant as a result": { mask: (message) => mask({ ...message, role: "tool" }) } }
)

row(
  "HA-25 content, reasoning and calls at every depth, in bytes over four, rounded down once",
  (engine) => {
    expect(engine.tokensOf([])).toBe(0)
    expect(engine.tokensOf([user("abc"), user("abc"), user("ab")])).toBe(2)
    expect(engine.tokensOf([user("日日日日")])).toBe(3)
    const deep = { ...assistant("aaaa"), reasoning: ["bbbb", { t: "cccc" }], tool_calls: [{ f: { a: "dddd", n: 5 } }] }
    expect(engine.tokensOf([deep])).toBe(4)
    expect(engine.tokensOf([{ role: "user", content: null, data: { note: "not sent" } }])).toBe(0)
  },
  {
    "rounds each": { tokensOf: (messages) => messages.reduce((sum, m) => sum + ours.tokensOf([m]), 0) },
    "content alone": { tokensOf: (messages) => ours.tokensOf(messages.map(({ role, content }) => ({ role, content }))) }
  }
)

row(
  "HA-26 oversized kept results are clamped, pairs and other parts intact",
  (engine) => {
    const big = noise(2_000)
    const image = { type: "image", source: { data: "A" } }
    const mixed: Message = {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          content: [{ type: "text", text: big }, image, { type: "text", text: big }]
        },
        { type: "tool_result", tool_use_id: "b", content: "small" },
        { type: "text", text: big }
      ]
    }
    const before = copy([mixed, user(big), calling("c"), tool(big, "c")])
    const { messages, changes } = engine.clamp(before, 1_000)
    expect(before).toEqual([mixed, user(big), calling("c"), tool(big, "c")])
    expect(messages[0]).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          content: [{ type: "text", text: microcompact(`${big}\n${big}`, 1_000).text }, image]
        },
        { type: "tool_result", tool_use_id: "b", content: "small" },
        { type: "text", text: big }
      ]
    })
    expect(messages[1]).toBe(before[1])
    expect(messages[3]).toEqual({ ...tool(microcompact(big, 1_000).text, "c") })
    expect(changes.map(({ at }) => at)).toEqual([0, 3])
    const own = engine.clamp([tool(big, "c")], 1_000, () => "mine")
    expect([own.messages[0]?.content, own.changes[0]?.droppedBytes]).toEqual(["mine", bytes(big) - 4])
    expect(engine.clamp([tool(big)], 1_000, (text) => `${text}!`).messages[0]).toEqual(
      tool(microcompact(big, 1_000).text)
    )
  },
  {
    "loses the id": {
      clamp: (...args) => ({
        ...clamp(...args),
        messages: clamp(...args).messages.map(({ role, content }) => ({ role, content }))
      })
    },
    "asks no host": { clamp: (messages, max) => clamp(messages, max) }
  }
)

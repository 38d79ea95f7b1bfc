import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { session, Writer } from "./support/Sessions.ts"
import { entered, read, tags, type Read } from "./support/Reading.ts"

const of = (writer: Writer): Read => read("claude-code", writer.text())
const keys = (reading: Read, run?: string) =>
  entered(reading.moves, run).map((entry) => `${entry.message}:${entry.part._tag}`)

describe("Claude Code", () => {
  it("one answer over several lines is one message and one request, with its results between them", () => {
    const writer = new Writer()
    writer.user("go")
    writer.answer("m1", { type: "thinking", thinking: "hm", signature: "c2ln" }, { input_tokens: 1 })
    writer.call("m1", "a", "Read", { file_path: "x" })
    writer.result("a", "one")
    writer.call("m1", "b", "Read", { file_path: "y" })
    writer.result("b", "two")
    writer.answer("m2", { type: "text", text: "done" })
    const reading = of(writer)
    expect(tags(reading.moves)).toEqual(
      [
        ["Opened", "Entered"],
        ["Prompted", "Entered", "Reported", "Entered", "Entered", "Entered", "Entered"],
        ["Prompted", "Entered"]
      ].flat()
    )
    expect(keys(reading)).toEqual([
      "u1:Text",
      "m1:Reasoning",
      "m1:Call",
      "u4:Result",
      "m1:Call",
      "u6:Result",
      "m2:Text"
    ])
  })

  it("a message id that comes again after another answer is the same message and no new request", () => {
    const writer = new Writer()
    writer.user("go")
    writer.answer("m1", { type: "text", text: "a" })
    writer.answer("m2", { type: "text", text: "b" })
    writer.answer("m1", { type: "text", text: "c" }, { input_tokens: 9 })
    const reading = of(writer)
    expect(tags(reading.moves).filter((tag) => tag === "Prompted")).toHaveLength(2)
    expect(keys(reading).at(-1)).toBe("m1:Text")
    expect(tags(reading.moves)).not.toContain("Reported")
  })

  it("usage is reported when it changes, not on every line that repeats it", () => {
    const writer = new Writer()
    writer.user("go")
    writer.answer("m1", { type: "text", text: "a" }, { input_tokens: 1, output_tokens: 1 })
    writer.answer("m1", { type: "text", text: "b" }, { input_tokens: 1, output_tokens: 1 })
    writer.answer("m1", { type: "text", text: "c" }, { input_tokens: 1, output_tokens: 7 })
    const reported = of(writer).moves.flatMap((move) => (move._tag === "Reported" ? [move.usage] : []))
    expect(reported).toEqual([
      { input_tokens: 1, output_tokens: 1 },
      { input_tokens: 1, output_tokens: 7 }
    ])
  })

  it("failed requests and lines for the user's eyes only are laid aside; client-injected and summary lines are sent", () => {
    const writer = new Writer()
    writer.user("go")
    writer.answer("e1", { type: "text", text: "API Error" }, undefined, { isApiErrorMessage: true })
    writer.line({
      type: "assistant",
      message: { id: "e2", model: "<synthetic>", role: "assistant", content: [{ type: "text", text: "x" }] }
    })
    writer.user("seen only", { isVisibleInTranscriptOnly: true })
    writer.user("injected", { isMeta: true })
    writer.user("summary", { isVisibleInTranscriptOnly: true, isCompactSummary: true })
    writer.user([])
    expect(tags(of(writer).moves)).toEqual(
      [
        ["Opened", "Entered", "Aside api-error", "Aside api-error", "Aside user/transcript-only"],
        ["Entered", "Entered", "Aside user/empty"]
      ].flat()
    )
  })

  it("law 14: the unknown is kept verbatim and counted: every record is named, by its own type", () => {
    const writer = new Writer()
    writer.lines.push('{"type":"summary","summary":"s","leafUuid":"l"}', "", " \r", "{oops", "7", "{}")
    writer.line({ type: "progress", data: { type: "hook_progress" } })
    writer.line({ type: "system", subtype: "turn_duration" })
    writer.line({ type: "attachment", attachment: { type: "skill_listing" } })
    writer.lines.push('{"type":"queue-operation","operation":"enqueue"}', '{"type":"from\\u00a0the future \\ud800"}')
    writer.user([{ type: "hologram", beam: [1, null] }])
    const reading = of(writer)
    expect(tags(reading.moves)).toEqual(
      [
        [
          "Opened",
          "Aside summary",
          "Aside blank",
          "Aside blank",
          "Aside malformed",
          "Aside malformed",
          "Aside unknown"
        ],
        ["Aside progress/hook_progress", "Aside system/turn_duration", "Aside attachment/skill_listing"],
        ["Aside queue-operation/enqueue", "Aside from?the?future??", "Entered"]
      ].flat()
    )
    expect(entered(reading.moves)[0]?.part).toMatchObject({ _tag: "Opaque", type: "hologram" })
  })

  const allNamed = (name: (reading: Read) => Read["perRecord"]) =>
    FastCheck.property(session(true), (text) => {
      const reading = read("claude-code", text)
      const moves = name(reading)
      return reading.records.every((_, i) => moves[i]?.some((m) => m._tag === "Entered" || m._tag === "Aside") === true)
    })

  it("law 14: no record goes unnamed", () => {
    FastCheck.assert(allNamed((reading) => reading.perRecord))
  })

  it("law 14: a decoder that skips what it does not know is caught", () => {
    const skips = (reading: Read) => reading.perRecord.map((moves) => moves.filter((move) => move._tag !== "Aside"))
    expect(FastCheck.check(allNamed(skips)).failed).toBe(true)
  })

  it("law 7: cut at every line, a session gives a prefix of its moves", () => {
    FastCheck.assert(
      FastCheck.property(session(true), (text) => {
        const whole = read("claude-code", text).perRecord
        const lines = text.split("\n")
        return whole.every((_, n) => {
          const part = read("claude-code", lines.slice(0, n).join("\n") + "\n").perRecord
          return JSON.stringify(part) === JSON.stringify(n === 0 ? part : whole.slice(0, n))
        })
      }),
      { numRuns: 15 }
    )
  })

  it("side chains in the same file are runs of their own, begun by the call whose prompt they open with", () => {
    const writer = new Writer()
    writer.user("go")
    writer.call("m1", "t1", "Task", { prompt: "look at a", description: "a" })
    writer.call("m1", "t2", "Task", { prompt: "look at a", description: "again" })
    const side = (uuid: string, parentUuid: string | null, type: string, content: unknown, id?: string) =>
      writer.lines.push(
        JSON.stringify({
          uuid,
          parentUuid,
          isSidechain: true,
          sessionId: "s-1",
          type,
          timestamp: "T",
          message: { role: type, content, id }
        })
      )
    side("x1", null, "user", "look at a")
    side("y1", null, "user", [{ type: "text", text: "look at a" }])
    side("x2", "x1", "assistant", [{ type: "text", text: "seen" }], "side-m")
    side("z1", null, "user", "look at a")
    side("y2", "lost", "user", "more")
    const reading = of(writer)
    const opened = reading.moves.flatMap((move) => (move._tag === "Opened" ? [[move.run, move.parentCall]] : []))
    expect(opened).toEqual([
      ["main", undefined],
      ["side-1", "t1"],
      ["side-2", "t2"],
      ["side-3", undefined]
    ])
    expect(keys(reading, "side-1")).toEqual(["x1:Text", "side-m:Text"])
    expect(keys(reading, "side-3")).toEqual(["z1:Text", "y2:Text"])
  })

  it("a sub-agent's own file is one run", () => {
    const writer = new Writer({ isSidechain: true, agentId: "a1" })
    writer.user("look")
    writer.answer("m1", { type: "text", text: "seen" })
    expect(tags(of(writer).moves)).toEqual(["Opened", "Entered", "Prompted", "Entered"])
    expect(keys(of(writer))).toEqual(["u1:Text", "m1:Text"])
  })

  it("a compaction begins the history anew at its boundary", () => {
    const writer = new Writer()
    writer.user("go")
    writer.line({ type: "system", subtype: "compact_boundary", parentUuid: null, compactMetadata: { trigger: "auto" } })
    writer.user("summary", { isCompactSummary: true, isVisibleInTranscriptOnly: true })
    const { moves } = of(writer)
    expect(tags(moves)).toEqual(["Opened", "Entered", "Aside system/compact_boundary", "Restarted", "Entered"])
    expect(moves[3]).toMatchObject({ why: "client-compaction", keeps: [] })
  })

  it("messages that a compaction keeps stand behind its summary", () => {
    const writer = new Writer()
    writer.user("go")
    const uuids = [
      writer.answer("m1", { type: "text", text: "a" }),
      writer.call("m1", "c", "Read", {}),
      writer.result("c", "x")
    ]
    const preservedMessages = { anchorUuid: "u6", uuids: [...uuids, "unknown"] }
    writer.line({
      type: "system",
      subtype: "compact_boundary",
      parentUuid: null,
      compactMetadata: { preservedMessages }
    })
    writer.user("summary", { isCompactSummary: true })
    const { moves } = of(writer)
    expect(tags(moves).slice(-3)).toEqual(["Aside system/compact_boundary", "Entered", "Restarted"])
    expect(moves.at(-1)).toMatchObject({ keeps: ["u6", "m1", "u4"] })
  })

  it("kept messages whose summary never comes are kept before whatever comes instead", () => {
    const writer = new Writer()
    const kept = writer.user("go")
    const preservedMessages = { anchorUuid: "gone", uuids: [kept] }
    writer.line({ type: "system", subtype: "compact_boundary", compactMetadata: { preservedMessages } })
    writer.user("next")
    expect(tags(of(writer).moves).slice(-2)).toEqual(["Restarted", "Entered"])
    expect(of(writer).moves.at(-2)).toMatchObject({ keeps: ["u1"] })
  })

  it("results that the client blanked are named, with the words it shows", () => {
    const writer = new Writer()
    writer.user("go")
    writer.line({
      type: "system",
      subtype: "microcompact_boundary",
      microcompactMetadata: { compactedToolIds: ["a", "b", 3] }
    })
    writer.line({ type: "system", subtype: "microcompact_boundary", microcompactMetadata: { compactedToolIds: [] } })
    const { moves } = of(writer)
    expect(tags(moves).slice(2)).toEqual([
      "Aside system/microcompact_boundary",
      "Cleared",
      "Aside system/microcompact_boundary"
    ])
    expect(moves[3]).toMatchObject({ calls: ["a", "b"], put: "[Old tool result content cleared]" })
  })

  it("a text of the user that hangs below an earlier message is a fork; parallel results and progress lines are none", () => {
    const writer = new Writer()
    writer.user("go")
    const asked = writer.call("m1", "a", "Read", {})
    const also = writer.call("m1", "b", "Read", {})
    const first = writer.result("a", "1", {})
    writer.lines[3] = writer.lines[3]!.replace(`"parentUuid":"${also}"`, `"parentUuid":"${asked}"`)
    writer.line({ type: "progress", parentUuid: first, data: { type: "hook_progress" } })
    writer.user([{ type: "tool_result", tool_use_id: "b", content: "2" }], { parentUuid: also })
    writer.answer("m2", { type: "text", text: "seen" })
    writer.user("on")
    const { moves } = of(writer)
    expect(tags(moves)).not.toContain("Restarted")

    writer.answer("m3", { type: "text", text: "one way" })
    writer.user("another way", { parentUuid: also })
    const forked = of(writer).moves
    expect(tags(forked).slice(-2)).toEqual(["Restarted", "Entered"])
    expect(forked.at(-2)).toMatchObject({ why: "fork", keeps: ["u1", "m1", "u4", "u6"] })
  })

  it("parents that are in no line are tolerated", () => {
    const writer = new Writer()
    writer.user("go", { parentUuid: "lost" })
    writer.answer("m1", { type: "text", text: "a" })
    writer.user("on", { parentUuid: "lost too" })
    expect(tags(of(writer).moves)).toEqual(["Opened", "Entered", "Prompted", "Entered", "Entered"])
  })

  it("a result whose call is unknown enters with its status", () => {
    const writer = new Writer()
    writer.result("nobody", "boom", { is_error: true })
    expect(entered(of(writer).moves)[0]).toMatchObject({
      role: "tool",
      part: { call: "nobody", status: "error" },
      observation: { kind: "error" }
    })
  })

  it("results are observed by their call, in the directory of its line", () => {
    const writer = new Writer()
    writer.call("m1", "a", "Read", { file_path: "/srv/ada/app/src/x.ts" })
    writer.call("m1", "b", "Bash", { command: "sed -n '2,4p' ./x.ts" })
    writer.lines[1] = writer.lines[1]!.replace('"/srv/ada/app"', '"/srv/ada/app/src"')
    writer.result("a", "whole")
    writer.result("b", "part")
    const seen = entered(of(writer).moves).flatMap((entry) => (entry.part._tag === "Result" ? [entry.observation] : []))
    expect(seen).toMatchObject([
      { kind: "read", subject: "file:src/x.ts", covers: { _tag: "All" } },
      { kind: "read", subject: "file:src/x.ts", covers: { _tag: "Lines", from: 2, to: 4 } }
    ])
  })

  it("a session of four megabytes is read in well under a second", () => {
    const writer = new Writer()
    writer.user("go")
    for (let n = 0; n < 400; n++) {
      writer.call(`m${n}`, `c${n}`, "Bash", { command: "ls" })
      writer.result(`c${n}`, "a line of text\n".repeat(650))
    }
    const started = performance.now()
    const reading = of(writer)
    expect(reading.records.length).toBe(801)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

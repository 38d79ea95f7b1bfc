/** What of a session is compared, and what is left out of it. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Recording from "../../src/compare/Recording.ts"
import type { AgentSource } from "../../src/ImportTree.ts"
import { hash } from "../support/Hash.ts"
import { encode } from "../support/Sessions.ts"

let lines = 0
const line = (type: string, content: unknown, more: object = {}) =>
  JSON.stringify({
    type,
    uuid: `u${++lines}`,
    sessionId: "s",
    isSidechain: false,
    message: { role: type, content, ...(type === "assistant" ? { id: `m${lines}` } : {}) },
    ...more
  })

const read = (session: ReadonlyArray<string>, ...agents: ReadonlyArray<AgentSource>) =>
  Effect.runSync(Recording.read(hash, { format: "claude-code", bytes: encode(`${session.join("\n")}\n`), agents }))

const textsOf = ({ runs }: Recording.Recording, at = 0) =>
  (runs[at]?.happened ?? []).map((happened) => (happened._tag === "Asked" ? "?" : happened.texts.join("|")))

const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }

describe("a recording", () => {
  it("holds text, arguments and results, without reasoning, media and blocks of bytes", () => {
    const recording = read([
      line("user", [{ type: "text", text: "go" }, png]),
      line("assistant", [
        { type: "thinking", thinking: "hm", signature: "sig" },
        { type: "text", text: "so" },
        { type: "tool_use", id: "a", name: "Read", input: { file_path: "f" } },
        { type: "tool_use", id: "b", name: "Read", input: { file_path: "g" } }
      ]),
      line("user", [
        { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "one" }, png] },
        { type: "tool_result", tool_use_id: "b", content: [png] }
      ])
    ])
    expect(textsOf(recording)).toEqual(["go", "?", "so", '{"file_path":"f"}', '{"file_path":"g"}', "one", ""])
    const blocks = recording.runs[0]?.happened.flatMap((happened) =>
      happened._tag === "Entered" && happened.entry.part._tag === "Result" ? [happened.entry.part.blocks.length] : []
    )
    expect(blocks).toEqual([1, 1])
  })

  it("keeps everything where the client began anew or blanked results", () => {
    const whole = [
      line("user", "go"),
      line("assistant", [{ type: "tool_use", id: "a", name: "Read", input: { file_path: "f" } }]),
      line("user", [{ type: "tool_result", tool_use_id: "a", content: "one" }]),
      line("assistant", [{ type: "text", text: "ok" }])
    ]
    const boundary = JSON.stringify({ type: "system", subtype: "compact_boundary", uuid: "b1", sessionId: "s" })
    const blanked = JSON.stringify({
      type: "system",
      subtype: "microcompact_boundary",
      uuid: "b2",
      sessionId: "s",
      microcompactMetadata: { compactedToolIds: ["a"] }
    })
    expect(textsOf(read([...whole, boundary, blanked]))).toEqual(textsOf(read(whole)))
  })

  it("has a run for each agent, read from its own file where it has one, and none for what asked nothing", () => {
    const own = (text: string) => ({ isSidechain: true, agentId: "x1", message: { role: "user", content: text } })
    const session = [line("user", "go"), line("assistant", [{ type: "text", text: "ok" }])]
    const agent = encode(
      `${line("user", "", own("find it"))}\n${line("assistant", [{ type: "text", text: "found" }], { isSidechain: true, agentId: "x1" })}\n`
    )
    const { runs } = read(session, { bytes: agent })
    expect(runs.map(({ key }) => key)).toEqual(["main", "agent-x1"])
    expect(textsOf(read(session, { bytes: agent }), 1)).toEqual(["find it", "?", "found"])
    expect(read([line("user", "go")]).runs).toEqual([])
  })
})

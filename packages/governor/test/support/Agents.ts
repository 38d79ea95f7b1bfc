/** A session of Claude Code and its sub-agents, in each of the shapes in which they are recorded. */
import type { AgentSource } from "../../src/ImportTree.ts"
import { encode } from "./Sessions.ts"

type Line = { readonly [key: string]: unknown }

export const SESSION = "5e551011-0000-4000-8000-000000000001"

/** The lines of one file, chained. */
export class Lines {
  readonly lines: Array<string> = []
  private readonly base: Line
  private readonly name: string

  constructor(name: string, base: Line = {}) {
    this.name = name
    this.base = base
  }

  line(line: Line): this {
    const n = this.lines.length
    const head = { parentUuid: n === 0 ? null : `${this.name}${n - 1}`, isSidechain: false, sessionId: SESSION }
    const at = `2026-05-01T10:${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000Z`
    this.lines.push(
      JSON.stringify({ ...head, cwd: "/srv/ada", ...this.base, uuid: `${this.name}${n}`, timestamp: at, ...line })
    )
    return this
  }

  bytes(to = this.lines.length): Uint8Array {
    return encode(
      this.lines
        .slice(0, to)
        .map((line) => `${line}\n`)
        .join("")
    )
  }
}

export const asked = (content: unknown): Line => ({ type: "user", message: { role: "user", content } })

export const answered = (id: string, block: unknown, input: number): Line => ({
  type: "assistant",
  message: {
    id,
    role: "assistant",
    model: "m",
    content: [block],
    usage: { input_tokens: input, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  }
})

export const use = (id: string, prompt: string) => ({ type: "tool_use", id, name: "Task", input: { prompt } })
export const result = (id: string, content: string) => [{ type: "tool_result", tool_use_id: id, content }]
const text = (words: string) => ({ type: "text", text: words })

/** What an agent says: its prompt, a call of its own (perhaps of another agent), and its last words. Usage 7 and 8. */
export const talk = (agent: string, prompt: string, call: unknown): ReadonlyArray<Line> => [
  asked(prompt),
  answered(`${agent}-1`, call, 7),
  asked(result(`${agent}-call`, "done")),
  answered(`${agent}-2`, text(`${agent} has seen it`), 8)
]

const read = (agent: string) => ({ type: "tool_use", id: `${agent}-call`, name: "Read", input: { file_path: "a.ts" } })

/** The session around its agents: two calls in one batch, and their results. Usage 100 and 200; those of agents in theirs. */
export const around = (agents: (session: Lines) => void): Lines => {
  const session = new Lines("m")
    .line(asked("Begin."))
    .line(answered("msg-1", use("call-a", "look at a"), 100))
    .line(answered("msg-1", use("call-b", "look at b"), 100))
  agents(session)
  const spent = { agentId: "aaa", totalTokens: 17, usage: { input_tokens: 8, output_tokens: 1 } }
  return session
    .line({ ...asked(result("call-a", "a is seen")), toolUseResult: spent })
    .line(asked(result("call-b", "b is seen")))
    .line(answered("msg-2", text("Both are seen."), 200))
}

/** Each agent's messages beside the other's. */
const interleaved = (each: (agent: "aaa" | "bbb", call: string, line: Line) => void): void => {
  const [a, b] = [talk("aaa", "look at a", read("aaa")), talk("bbb", "look at b", read("bbb"))]
  a.forEach((line, i) => {
    each("aaa", "call-a", line)
    each("bbb", "call-b", b[i] ?? line)
  })
}

/** In the session's file, as side chains. */
export const inFile = (): Lines =>
  around((session) => {
    const last: Record<string, string> = {}
    interleaved((agent, _, line) => {
      const uuid = `${agent}${session.lines.length}`
      session.line({ ...line, isSidechain: true, uuid, parentUuid: last[agent] ?? null })
      last[agent] = uuid
    })
  })

/** In the session's file, inside progress lines. */
export const inProgress = (): Lines =>
  around((session) => interleaved((agent, call, line) => progress(session, agent, call, line)))

export const progress = (session: Lines, agentId: string, parentToolUseID: string, line: Line): void => {
  const uuid = `${agentId}-inner-${session.lines.length}`
  const message = { ...line, uuid, timestamp: "2026-05-01T11:00:00.000Z" }
  session.line({ type: "progress", parentToolUseID, data: { type: "agent_progress", agentId, prompt: "", message } })
}

/** In files of their own. */
export const apart = (): Lines => around(() => undefined)

export const ownFile = (agentId: string, prompt: string, call: unknown = read(agentId)): Lines =>
  talk(agentId, prompt, call).reduce(
    (file: Lines, line) => file.line(line),
    new Lines(`${agentId}-`, { isSidechain: true, agentId })
  )

export const agentSource = (file: Lines, toolUseId: string): AgentSource => ({
  bytes: file.bytes(),
  meta: encode(JSON.stringify({ agentType: "explore", description: "look", toolUseId, spawnDepth: 1 }))
})

export const ownFiles = (): ReadonlyArray<AgentSource> => [
  agentSource(ownFile("aaa", "look at a"), "call-a"),
  agentSource(ownFile("bbb", "look at b"), "call-b")
]

/**
 * Which of a session's calls began which of its sub-agents, where these have files of their own beside the session's
 * (`SESSION/subagents/agent-ID.jsonl`, with `agent-ID.meta.json`).
 *
 * ```
 * session:  … call toolu_1 (Task) …          agent-a.jsonl   meta: toolUseId toolu_1   ─> call toolu_1
 * agent-a:  … call toolu_2 (Agent) …         agent-b.jsonl   meta: toolUseId toolu_2   ─> call toolu_2, behind agent-a
 * ```
 *
 * What links a file to a call, the surest first: its `toolUseId`; the agent that the call's result names; the prompt of a
 * call that no other file has. A file that nothing links is an agent all the same: what it spent is told (B88).
 *
 * Laws kept here: 7 (the order in which the files are given does not matter, but that of two files of one agent the first counts), 10 (an agent has one file), 14 (a file that
 * is no agent's of this session is named, with why), 15 (ids and prompts are compared and never obeyed).
 *
 * @since 0.1.0
 */
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as AgentCalls from "./internal/AgentCalls.ts"
import { nameOf } from "./internal/AgentName.ts"
import { objectOf, parse, stringOf, wellFormed } from "./internal/Json.ts"

/**
 * The records of a file, in order.
 *
 * @since 0.1.0
 * @category models
 */
export type Pieces = ReadonlyArray<{ readonly bytes: Uint8Array }>

/**
 * A file that may be a sub-agent's: its records, and the bytes of the JSON document beside it, where there is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface AgentFile {
  readonly records: Pieces
  readonly meta?: Uint8Array | undefined
}

/**
 * A file known as a sub-agent's: its 0-based place among the files given, the agent's id, a name for its runs (1 to 22 of
 * `A-Z a-z 0-9 _ -`), and the id of the call that began it, where one is known.
 *
 * @since 0.1.0
 * @category models
 */
export interface Agent {
  readonly file: number
  readonly id: string
  readonly name: string
  readonly call?: string
}

/**
 * A file that is not a sub-agent's of this session, by its place, and why not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Stranger {
  readonly file: number
  readonly why: string
}

/**
 * Links a session's agents to their calls. Agents come in an order in which every call stands in the session, or in the
 * file of an agent before it; agents that began each other in a circle are taken as begun by no call.
 *
 * @since 0.1.0
 * @category linking
 */
export const link = (
  hash: Hasher,
  session: Pieces,
  files: ReadonlyArray<AgentFile>
): { readonly agents: ReadonlyArray<Agent>; readonly strangers: ReadonlyArray<Stranger> } => {
  const main = AgentCalls.read(session)
  const strangers: Array<Stranger> = []
  const known = new Map<string, Candidate>()
  files.forEach(({ meta, records }, file) => {
    const read = AgentCalls.read(records)
    const call = meta === undefined ? "" : wellFormed(stringOf(objectOf(parse(decodeUtf8(meta)))["toolUseId"]))
    const { agent: id } = read
    const other = known.get(id)
    if (id === "") strangers.push({ file, why: "no line of a sub-agent" })
    else if (!isOf(main, read, call)) strangers.push({ file, why: `a sub-agent of the session ${read.session}` })
    else if (other !== undefined) strangers.push({ file, why: `the sub-agent ${id} has another file` })
    else known.set(id, { file, id, name: nameOf(hash, id), call, read })
  })
  const candidates = [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  return { agents: parentsFirst(linked(main, candidates)), strangers }
}

interface Candidate {
  readonly file: number
  readonly id: string
  readonly name: string
  readonly call: string
  readonly read: AgentCalls.Read
}

const isOf = (main: AgentCalls.Read, { agent, session }: AgentCalls.Read, call: string): boolean =>
  main.sessions.has(session) || main.prompts.has(call) || main.begun.has(agent)

/** Each candidate with the call that began it, "" where none is known. */
const linked = (main: AgentCalls.Read, candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const reads = [main, ...candidates.map(({ read }) => read)]
  const prompts = new Map(reads.flatMap((read) => [...read.prompts]))
  const begun = new Map(reads.flatMap((read) => [...read.begun]))
  const sure = candidates.map((candidate) => {
    const call = prompts.has(candidate.call) ? candidate.call : (begun.get(candidate.id) ?? "")
    return { ...candidate, call }
  })
  const taken = new Set(sure.map(({ call }) => call))
  return sure.map((candidate) => {
    if (candidate.call !== "") return candidate
    const { first } = candidate.read
    const call = [...prompts].find(([id, prompt]) => prompt === first && first !== "" && !taken.has(id))?.[0] ?? ""
    taken.add(call)
    return { ...candidate, call }
  })
}

const parentsFirst = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Agent> => {
  const waiting = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const ordered: Array<Agent> = []
  const isInWaiting = (call: string) => [...waiting.values()].some(({ read }) => read.prompts.has(call))
  while (waiting.size > 0) {
    const ready = [...waiting.values()].find(({ call }) => call === "" || !isInWaiting(call))
    const next = ready ?? [...waiting.values()][0]
    if (next === undefined) break
    const { call, file, id, name } = next
    waiting.delete(id)
    ordered.push({ file, id, name, ...(ready === undefined || call === "" ? {} : { call }) })
  }
  return ordered
}

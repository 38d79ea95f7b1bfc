/**
 * To which run a line of a session belongs. Most files are one run. Older ones hold side chains, each a root without a
 * known parent among side lines; later ones the messages of sub-agents inside progress lines, a run for each agent that
 * these name; a sub-agent's own file is one run, though all its lines are marked as a side chain.
 */
import type { Move, RunKey } from "../Move.ts"
import { objectOf, stringOf, type Json } from "./Json.ts"

export interface Run {
  readonly key: RunKey
}

export interface Runs {
  readonly main: Run
  /** The run of a line; a new one where the line begins a side chain. */
  readonly of: (line: Json) => Run
  /** The run of a sub-agent whose messages stand in progress lines; `key` is what it is called where it is new. */
  readonly ofAgent: (agent: string, key: RunKey) => Run
  /** Whether a message came before, with this uuid, in whatever run. From now on it did. */
  readonly isKnown: (run: Run, uuid: string) => boolean
  /** The `Opened` of a run, before its first move, begun by the call that is known, or the one whose prompt `text` is. */
  readonly open: (run: Run, at: string, text: string, call?: string) => ReadonlyArray<Move>
  /** A call was seen that may begin a run. */
  readonly called: (call: string, name: string, args: unknown) => void
  /** Whether a message of the model with this key is new in its run, and so begins a request. */
  readonly isNew: (run: Run, key: string) => boolean
  /** Whether this usage, of this message, is of the newest request and differs from what was last reported for it. */
  readonly isNews: (run: Run, key: string, usage: unknown) => boolean
}

export const make = (): Runs => {
  const main: Mutable = { key: "main", isOpen: false, answers: new Set(), newest: "", reported: "" }
  const all = new Map<RunKey, Mutable>([[main.key, main]])
  const byLine = new Map<string, Mutable>()
  const byAgent = new Map<string, Mutable>()
  const prompts = new Map<string, Array<string>>()
  let latest: Mutable | undefined
  let isAgentFile: boolean | undefined
  let sides = 0

  const begin = (key: RunKey = `side-${++sides}`): Mutable => {
    const run: Mutable = { key, isOpen: false, answers: new Set(), newest: "", reported: "" }
    all.set(run.key, run)
    return run
  }

  const ofAgent = (agent: string, key: RunKey): Run => {
    const known = byAgent.get(agent) ?? begin(key)
    byAgent.set(agent, known)
    return known
  }

  const isKnown = (run: Run, uuid: string): boolean => {
    if (uuid === "") return false
    const known = all.get(run.key)
    if (byLine.has(uuid) || known === undefined) return true
    byLine.set(uuid, known)
    return false
  }

  const ofSide = (line: Json, agent: string): Mutable => {
    if (agent !== "") {
      const known = byAgent.get(agent) ?? begin()
      byAgent.set(agent, known)
      return known
    }
    const parent = stringOf(line["parentUuid"])
    const of = byLine.get(parent)
    if (of !== undefined && of !== main) return of
    // A parent that is in no line read so far: the chain that was written last is the likeliest to go on.
    return parent !== "" && of === undefined && latest !== undefined ? latest : begin()
  }

  const of = (line: Json): Run => {
    const agent = stringOf(line["agentId"])
    const isSide = line["isSidechain"] === true
    if (isAgentFile === undefined && typeof line["isSidechain"] === "boolean") {
      isAgentFile = isSide && agent !== ""
      if (isAgentFile) byAgent.set(agent, main)
    }
    const run = isSide ? ofSide(line, agent) : main
    if (isSide && run !== main) latest = run
    const uuid = stringOf(line["uuid"])
    if (uuid !== "") byLine.set(uuid, run)
    return run
  }

  const open = (run: Run, at: string, text: string, call?: string): ReadonlyArray<Move> => {
    const known = all.get(run.key)
    if (known === undefined || known.isOpen) return []
    known.isOpen = true
    const parentCall = call ?? (run.key === "main" ? undefined : prompts.get(text)?.shift())
    return [{ _tag: "Opened", run: run.key, at, ...(parentCall === undefined ? {} : { parentCall }) }]
  }

  const called = (call: string, name: string, args: unknown): void => {
    if (name !== "Task" && name !== "Agent") return
    const prompt = stringOf(objectOf(args)["prompt"])
    if (prompt !== "") prompts.set(prompt, [...(prompts.get(prompt) ?? []), call])
  }

  const isNew = (run: Run, key: string): boolean => {
    const known = all.get(run.key)
    if (known === undefined || known.answers.has(key)) return false
    known.answers.add(key)
    known.newest = key
    known.reported = ""
    return true
  }

  const isNews = (run: Run, key: string, usage: unknown): boolean => {
    const known = all.get(run.key)
    const text = JSON.stringify(usage)
    if (known === undefined || known.newest !== key || known.reported === text) return false
    known.reported = text
    return true
  }

  return { main, of, ofAgent, isKnown, open, called, isNew, isNews }
}

interface Mutable extends Run {
  isOpen: boolean
  readonly answers: Set<string>
  newest: string
  reported: string
}

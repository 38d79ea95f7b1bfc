/**
 * What the runs of a session's sub-agents are called, and which file each agent was imported from.
 *
 *     SESSION.CONFIG                      the session's own run
 *     SESSION.CONFIG~agent-ID             an agent whose messages stand in the session's file
 *     SESSION.CONFIG.ID                   an agent with a file of its own
 *     SESSION.CONFIG.ID~agent-OTHER       an agent whose messages stand in that file
 *
 * An agent may stand in both. It is imported from one of them, the one that came first, so that nothing it spent is told
 * twice (law 10).
 */
import * as Effect from "effect/Effect"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import { LogId } from "@palimpsest/ledger/Ids"
import type { RunKey } from "@palimpsest/transcript/Move"
import * as Config from "../Config.ts"
import * as Log from "../Log.ts"

/** The names of the runs of an agent's own file, in the tree of its session. */
export const namesOf = ({ base, tree }: Config.Names, agent: string): Config.Names => {
  const own = LogId.make(`${base}.${agent}`)
  return {
    tree,
    base: own,
    run: (key) => (key === "main" ? own : LogId.make(`${own}~${key}`)),
    source: Config.sourceLogOf(own)
  }
}

/** The base of the file that each agent is imported from, by the agent's run key. */
export type Owners = ReadonlyMap<RunKey, LogId>

/**
 * The owners that are stored; of the agents given, which have files of their own, those that have none yet own themselves.
 */
export const ownersOf = (
  names: Config.Names,
  given: ReadonlyArray<string>
): Effect.Effect<Owners, StoreError, EventStore> =>
  Effect.map(Log.allOf(names.tree), (logs) => {
    const { base } = names
    const owners = new Map<RunKey, LogId>()
    for (const { log } of logs) {
      const isOfFamily = log === base || log.startsWith(`${base}~`) || log.startsWith(`${base}.`)
      if (!isOfFamily || Log.isSourceLog(log)) continue
      const file = Config.baseOf(log)
      const key = log === file ? `${AGENT}${file.slice(base.length + 1)}` : log.slice(file.length + 1)
      if (log !== base && key.startsWith(AGENT)) owners.set(key, file)
    }
    return given.reduce((all, agent) => owned(all, `${AGENT}${agent}`, namesOf(names, agent).base), owners)
  })

/** With the file that an agent's run was imported from, where it has no other owner. */
export const owned = (owners: Owners, key: RunKey, base: LogId): Map<RunKey, LogId> => {
  const all = new Map(owners)
  return all.has(key) || !key.startsWith(AGENT) ? all : all.set(key, base)
}

/** The runs that are not imported from the file of this base. */
export const elsewhere = (owners: Owners, base: LogId): ReadonlySet<RunKey> =>
  new Set([...owners].flatMap(([key, owner]) => (owner === base ? [] : [key])))

/** Whether an agent's own file is the one that it is imported from. */
export const isOwner = (owners: Owners, names: Config.Names, agent: string): boolean =>
  owners.get(`${AGENT}${agent}`) === namesOf(names, agent).base

const AGENT = "agent-"

/**
 * A session with the files of its sub-agents becomes one tree: the session's run and those in its file, and a child run for
 * each agent's file, begun by the call that `Agents.link` finds. All lie under the session's tree.
 *
 *     session ─> runs, calls ─┐
 *     agents  ─> link ────────┴─> a run each, parents first, with the call as its parent
 *
 * 1. The order in which files are given does not matter, and neither does it whether they are given at once or in
 *    imports one after another (law 7). A parent is written when a run begins: it needs the call to be in a file by then.
 * 2. Each agent is imported from one file (law 10): where its messages were imported from progress lines before, its own
 *    file is counted as `covered` and not read.
 * 3. What is no agent's file of this session is named, with why, and not imported (law 14).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore, LogInfo, StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Agents from "@palimpsest/transcript/Agents"
import { split } from "@palimpsest/transcript/Records"
import { sourceId } from "@palimpsest/transcript/Source"
import * as Config from "./Config.ts"
import { into, type Done, type Imported, type ImportError, type Place, type Source } from "./Import.ts"
import * as Family from "./internal/family.ts"
import * as Log from "./Log.ts"

/**
 * A sub-agent's own file (JSON Lines) and the document beside it, where there is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface AgentSource {
  readonly bytes: Uint8Array
  readonly meta?: Uint8Array | undefined
}

/**
 * A sub-agent imported from its own file (the 0-based place of it among those given): its id, its figures, and the call
 * that began it, where one is known.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImportedAgent extends Imported {
  readonly file: number
  readonly id: string
  readonly parent?: NonNullable<Place["parent"]>
}

/**
 * What an import of a tree did. `fresh` and `records` are summed over all files, `partial` is the session's. `covered` are
 * the files whose agent was imported from progress lines before, `strangers` those that are no agent's of this session.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImportedTree extends Imported {
  readonly agents: ReadonlyArray<ImportedAgent>
  readonly covered: ReadonlyArray<number>
  readonly strangers: ReadonlyArray<Agents.Stranger>
}

/**
 * Imports a session and the files of its sub-agents, or takes that import up where it was left.
 *
 * @since 0.1.0
 * @category importing
 */
export const run = (
  hash: Hasher,
  session: Source,
  agents: ReadonlyArray<AgentSource>,
  config: Config.Config
): Effect.Effect<ImportedTree, ImportError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { records } = split(session.format, session.bytes)
    const names = Config.names(hash, sourceId(session.format, records, hash), config)
    const linked = linkAll(hash, session, records, agents)
    let owners: Family.Owners = yield* Family.ownersOf(
      names,
      linked.agents.map(({ name }) => name)
    )
    const callsOf: Array<Done["callOf"]> = []
    const load = (source: Source, to: Pick<Place, "names" | "parent">) =>
      Effect.gen(function* () {
        const { base } = to.names
        const { callOf, imported, runs } = yield* into(hash, source, config, {
          ...to,
          elsewhere: Family.elsewhere(owners, base)
        })
        for (const key of runs) owners = Family.owned(owners, key, base)
        callsOf.push(callOf)
        return imported
      })
    const main = yield* load(session, { names })
    const done: Array<ImportedAgent> = []
    const covered: Array<number> = []
    for (const { call, file, id, name } of linked.agents) {
      const bytes = agents[file]?.bytes
      if (bytes === undefined || !Family.isOwner(owners, names, name)) {
        covered.push(file)
        continue
      }
      const parent = call === undefined ? undefined : first(callsOf, call)
      const imported = yield* load({ format: session.format, bytes }, { names: Family.namesOf(names, name), parent })
      done.push({ ...imported, file, id, ...(parent === undefined ? {} : { parent }) })
    }
    return {
      ...main,
      fresh: done.reduce((sum, { fresh }) => sum + fresh, main.fresh),
      records: done.reduce((sum, { records }) => sum + records, main.records),
      agents: done,
      covered,
      strangers: linked.strangers
    }
  }).pipe(Effect.withSpan("ImportTree.run"))

/**
 * The runs of a session's tree under one configuration: those of its file, then those of each agent's own file, by name.
 *
 * @since 0.1.0
 * @category listing
 */
export const runsOf = (tree: TreeId, base: LogId): Effect.Effect<ReadonlyArray<LogInfo>, StoreError, EventStore> =>
  Effect.zipWith(Log.runsOf(tree, base), Log.allOf(tree), (own, all) => [
    ...own,
    ...all.filter(({ log }) => log.startsWith(`${base}.`) && !Log.isSourceLog(log))
  ])

const linkAll = (
  hash: Hasher,
  session: Source,
  records: Agents.Pieces,
  agents: ReadonlyArray<AgentSource>
): ReturnType<typeof Agents.link> => {
  if (session.format !== "claude-code") {
    const why = `${session.format} has no files of sub-agents`
    return { agents: [], strangers: agents.map((_, file) => ({ file, why })) }
  }
  const files = agents.map(({ bytes, meta }) => ({ meta, records: split(session.format, bytes).records }))
  return Agents.link(hash, records, files)
}

const first = (callsOf: ReadonlyArray<Done["callOf"]>, call: string): Place["parent"] => {
  for (const callOf of callsOf) {
    const found = callOf(call)
    if (found !== undefined) return found
  }
  return undefined
}

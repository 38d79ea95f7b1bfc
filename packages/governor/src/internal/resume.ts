/**
 * Taking an import up again: the stored facts are the truth, and nothing of them is planned or classified anew, so a later
 * version of this program extends an old log instead of quarrelling with it (law 7).
 */
import * as Effect from "effect/Effect"
import type { Broken } from "@palimpsest/ledger/Event"
import type { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Fact, UnknownFact } from "../Fact.ts"
import * as Log from "../Log.ts"
import * as Session from "../Session.ts"
import type { ImportState } from "./ImportState.ts"
import type { RunState } from "./RunState.ts"

/** Rebuilds the sessions of all stored runs of the source. Gives the digests of its stored records by line. */
export const resume = (
  hash: Hasher,
  state: ImportState
): Effect.Effect<ReadonlyMap<number, Digest>, Broken | UnknownFact | StoreError, EventStore> =>
  Effect.gen(function* () {
    const lines = new Map<number, Digest>()
    const { base, tree } = state.names
    for (const { log } of yield* Log.runsOf(tree, base)) {
      const run = state.run(log === base ? "main" : log.slice(base.length + 1))
      const { head } = yield* Log.fold(hash, log, lines, (known, { fact }) =>
        Effect.sync(() => {
          restore(hash, run, fact)
          const named = recordOf(fact)
          return named === undefined ? known : known.set(named.line, named.digest)
        })
      )
      run.stored = head
    }
    return lines
  })

/** The record that a fact was read from. */
export const recordOf = (fact: Fact): { readonly line: number; readonly digest: Digest } | undefined => {
  if (fact._tag === "Aside") return { line: fact.line, digest: fact.record.digest }
  if (fact._tag === "Entered" && fact.origin._tag === "Read") {
    return { line: fact.origin.line, digest: fact.origin.record }
  }
  return undefined
}

const restore = (hash: Hasher, run: RunState, fact: Fact): void => {
  run.record(fact)
  if (fact._tag === "Requested") run.session = Session.wrote(hash, run.session, fact)
}

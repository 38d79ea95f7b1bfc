/** What the preset `codeaf` knows of a run, after each of its facts. Other presets have nothing to know of this kind. */
import * as History from "@palimpsest/compaction/codeaf/History"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Config } from "../Config.ts"
import type { Fact } from "../Fact.ts"

export const historyOf = ({ preset }: Config): History.History | undefined =>
  preset === "codeaf" ? History.empty : undefined

export const afterFact = (history: History.History | undefined, seq: Seq, fact: Fact): History.History | undefined => {
  if (history === undefined) return undefined
  switch (fact._tag) {
    case "Entered":
      return History.entered(history, seq, fact)
    case "Decided":
      return History.decided(history, fact)
    case "Requested":
    case "Refused":
      return History.settled(history)
    case "Restarted": {
      const kept = new Set(fact.keeps)
      return History.keeping(history, (seq) => kept.has(seq))
    }
    case "Cleared": {
      const cleared = new Set(fact.entries)
      return History.keeping(history, (seq) => !cleared.has(seq))
    }
    default:
      return history
  }
}

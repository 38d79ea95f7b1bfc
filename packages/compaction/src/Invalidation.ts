/**
 * Invalidation: a recorded write to the subject of an earlier read makes that read spent. It shows what was there, and
 * is stale; what it still holds stays behind its address. A failed write invalidates nothing, as its observation is an
 * error and not a write.
 *
 * Row IO-23. It only classifies and never causes a rewrite by itself; no file is read again in a replay, and a refresh
 * enters at the tail as a new observation (IO-W8 to IO-W10).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Observed } from "./Supersession.ts"

/**
 * For each read that a later write of the same subject made stale, the first such write. `observed` ascends by seq.
 *
 * @since 0.1.0
 * @category classes
 */
export const invalidated = (observed: ReadonlyArray<Observed>): ReadonlyMap<Seq, Seq> => {
  const firstLater = new Map<string, Seq>()
  const found = new Map<Seq, Seq>()
  for (let i = observed.length - 1; i >= 0; i--) {
    const { observation, seq } = observed[i]!
    if (observation.subject === undefined) continue
    if (observation.kind === "write") firstLater.set(observation.subject, seq)
    if (observation.kind !== "read") continue
    const write = firstLater.get(observation.subject)
    if (write !== undefined) found.set(seq, write)
  }
  return found
}

/**
 * What a run would cost at least with no loss: each entry written once, carried until the last answer that needs it, and
 * removed for nothing. What the user and the system prompt said is carried to the end (law 9).
 *
 * A use is served by the newest of its results, as that one has to be carried for the shortest time.
 *
 * Source: the performance notes, section 4.2.
 *
 * @since 0.1.0
 */
import { tokensOf } from "@palimpsest/budget/Estimate"
import { weightOf } from "@palimpsest/ledger/Part"
import * as Economy from "../Economy.ts"
import type { Terms } from "./Drive.ts"
import type { Run } from "./Recording.ts"
import type { Use } from "./Uses.ts"

/**
 * The sums of a run's requests at the bound.
 *
 * @since 0.1.0
 * @category accounting
 */
export const of = (run: Run, uses: ReadonlyArray<Use>, { fixed, prices }: Terms): Economy.Tally => {
  const last = new Map<number, number>()
  for (const { request, sources } of uses) {
    const newest = sources.reduce(
      (entry, source) => (source.kind === "result" ? Math.max(entry, source.entry) : entry),
      -1
    )
    last.set(newest, Math.max(request, last.get(newest) ?? 0))
  }
  const requests = run.happened.filter(({ _tag }) => _tag === "Asked").length
  /** Scalar values that each request is the first to hold, and that it holds as the last. */
  const comes = Array.from({ length: requests + 2 }, () => 0)
  const leaves = Array.from({ length: requests + 2 }, () => 0)
  let request = 0
  let at = -1
  for (const happened of run.happened) {
    if (happened._tag === "Asked") {
      request++
      continue
    }
    at++
    const { part, role } = happened.entry
    const { scalars } = weightOf(part)
    const isSaid = part._tag === "Text" && role !== "assistant"
    const until = isSaid ? requests : Math.max(request + 1, last.get(at) ?? 0)
    comes[request + 1]! += scalars
    leaves[until]! += scalars
  }
  let tally = Economy.zero
  let carried = 0
  for (let now = 1; now <= requests; now++) {
    const total = carried + (comes[now] ?? 0)
    const sent = { tokens: tokensOf(total), shared: Math.floor(carried / 4) }
    tally = Economy.add(tally, sent, fixed, prices)
    carried = total - (leaves[now] ?? 0)
  }
  return tally
}

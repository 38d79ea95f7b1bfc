/**
 * Supersession: a later observation of the same canonical subject that covers at least as much makes an earlier one
 * spent. A partial read never supersedes a wider one; two searches with different arguments are two subjects.
 *
 * Rows IO-04 and IO-22, mending IO-W1 (one pass from the newest back, no scan per entry), IO-W6 (the mark names the
 * address of what it stands for, whether the newer copy is carried or not) and IO-W14 (coverage; canonical arguments).
 * It only classifies and never causes a rewrite by itself (DESIGN section 5).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import { covers, isOfItsTarget, type Coverage, type Observation } from "@palimpsest/ledger/Observation"

/**
 * An observation and its place.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly seq: Seq
  readonly observation: Observation
}

/**
 * For each superseded entry, the newest entry that covers it. `observed` ascends by seq.
 *
 * @since 0.1.0
 * @category classes
 */
export const superseded = (observed: ReadonlyArray<Observed>): ReadonlyMap<Seq, Seq> => {
  const later = new Map<string, Array<{ readonly seq: Seq; readonly coverage: Coverage }>>()
  const found = new Map<Seq, Seq>()
  for (let i = observed.length - 1; i >= 0; i--) {
    const { observation, seq } = observed[i]!
    if (observation.subject === undefined || !isOfItsTarget(observation.kind)) continue
    const key = `${observation.kind} ${observation.subject}`
    const newer = later.get(key) ?? []
    const by = newer.find(({ coverage }) => covers(coverage, observation.covers))
    if (by === undefined) later.set(key, [...newer, { seq, coverage: observation.covers }])
    else found.set(seq, by.seq)
  }
  return found
}

/**
 * What a run has paid attention to, and when: the request that last touched a subject, and the one that last used an
 * entry. Both restart the clock of idleness that hazards are read at.
 *
 * A fold of entries as they come, so a restart gives the same state (law 7). It holds one number a subject and one for
 * each entry that was used again.
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { Decided } from "./Decision.ts"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"

/**
 * Steps of requests, by subject and by entry.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attention {
  readonly touched: HashMap.HashMap<string, number>
  readonly used: HashMap.HashMap<Seq, Use>
}

/**
 * The last step at which an entry was used, and how many steps have used it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Use {
  readonly step: number
  readonly times: number
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const none: Attention = { touched: HashMap.empty(), used: HashMap.empty() }

/**
 * Attention after an entry: an observation touches its subject, whatever it did there.
 *
 * @since 0.1.0
 * @category folding
 */
export const entered = (attention: Attention, { observation, step }: Entered): Attention =>
  observation?.subject === undefined
    ? attention
    : { ...attention, touched: HashMap.set(attention.touched, observation.subject, step) }

/**
 * Attention after a decision: what a pointer points at is used.
 *
 * @since 0.1.0
 * @category folding
 */
export const decided = (attention: Attention, { changes, step }: Decided): Attention =>
  changes.reduce((all, { form }) => (form._tag === "Pointer" ? used(all, form.to, step) : all), attention)

/**
 * Attention after an entry was used on a step.
 *
 * @since 0.1.0
 * @category folding
 */
export const used = (attention: Attention, seq: Seq, step: number): Attention => {
  const before = useOf(attention, seq)
  return before.step >= step
    ? attention
    : { ...attention, used: HashMap.set(attention.used, seq, { step, times: before.times + 1 }) }
}

/**
 * How an entry was used so far: never at step 0.
 *
 * @since 0.1.0
 * @category accessors
 */
export const useOf = (attention: Attention, seq: Seq): Use =>
  Option.getOrElse(HashMap.get(attention.used, seq), () => NEVER)

const NEVER: Use = { step: 0, times: 0 }

/**
 * The last step at which an entry was of use: when it came, when its subject was touched, or when it was used.
 *
 * @since 0.1.0
 * @category accessors
 */
export const lastOf = (attention: Attention, seq: Seq, { observation, step }: Entered): number => {
  const subject = observation?.subject
  const touched = subject === undefined ? step : Option.getOrElse(HashMap.get(attention.touched, subject), () => step)
  return Math.max(step, touched, useOf(attention, seq).step)
}

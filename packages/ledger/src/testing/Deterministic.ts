/**
 * Law 7: same drafts, same bytes, same head; whatever the order of the keys, and however the drafts were cut into batches.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { EMPTY, type Head, type Sealed } from "../Event.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { ours, type Implementation } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const deterministic: Law<Implementation> = {
  number: 7,
  name: "the same drafts reach the same head, in one batch or in two",
  property: ({ sealAll }) =>
    FastCheck.property(Arbitraries.logId, Arbitraries.drafts(1), FastCheck.nat(), (log, drafts, where) => {
      const cut = where % drafts.length
      const whole = sealAll(log, EMPTY, drafts)
      const first = sealAll(log, EMPTY, drafts.slice(0, cut))
      const second = sealAll(log, headOf(first), drafts.slice(cut))
      return headOf(whole).digest === headOf([...first, ...second]).digest
    }),
  mutants: [
    { name: "the time of sealing is part of an event", implementation: { ...ours, sealAll: stamped() } },
    {
      name: "each batch begins its own chain",
      implementation: {
        ...ours,
        sealAll: (log, head, drafts) => ours.sealAll(log, { seq: head.seq, digest: EMPTY.digest }, drafts)
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const canonical: Law<Implementation> = {
  number: 7,
  name: "a value has one canonical text, which reads back as the value",
  property: ({ encode }) =>
    FastCheck.property(Arbitraries.payload, (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse())
      const text = encode(value)
      return text === encode(turned) && encode(JSON.parse(text)) === text
    }),
  mutants: [
    { name: "keys stand as they were written", implementation: { ...ours, encode: (value) => JSON.stringify(value) } }
  ]
}

const headOf = (events: ReadonlyArray<Sealed>): Head => {
  const last = events.at(-1)
  return last === undefined ? EMPTY : { seq: last.seq, digest: last.digest }
}

function stamped(): Implementation["sealAll"] {
  let clock = 0
  return (log, head, drafts) =>
    ours.sealAll(
      log,
      head,
      drafts.map((draft) => ({ ...draft, at: `${clock++}` }))
    )
}

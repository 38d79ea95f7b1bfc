/**
 * The heading of an entry in a section, and how an entry is admitted: its body, bounded, between heading and line break.
 *
 *     \n[{label}{ target}]\n   {the body, or one end of it and a mark}   \n
 *
 * Decided once, when the entry enters. The entry itself is never cut (law 2), and the form says where it is whole (law 4);
 * a harness whose entries already are such texts needs none of this: their form is `Whole`.
 *
 * Source: IO-03, IO-15, IO-16; the whole body behind a bounded form mends IO-W11.
 *
 * @since 0.1.0
 */
import type { Address } from "@palimpsest/ledger/Address"
import type { Size } from "@palimpsest/ledger/Body"
import { label, type Kind, type Observation } from "@palimpsest/ledger/Observation"
import type { Form } from "./Form.ts"
import { boundSplice, keptEnd, sizeOf } from "./SectionBound.ts"
import { scalarsIn, type Splice } from "./Splice.ts"

/**
 * An observation's entry as it arrives. `of` is where its text lies, `cap` is in scalar values.
 *
 * @since 0.1.0
 * @category models
 */
export interface Arrival {
  readonly of: Address
  readonly observation: Pick<Observation, "kind" | "target">
  readonly text: string
  readonly size?: Size
  readonly cap: number
}

/**
 * The form of an entry, and the scalar values that it shows: the number that its ledger entry has to carry, for a view
 * fits what it shows.
 *
 * @since 0.1.0
 * @category models
 */
export interface Admitted {
  readonly form: Form
  readonly scalars: number
}

/**
 * @since 0.1.0
 * @category admitting
 */
export const admit = (arrival: Arrival): Admitted => {
  const { cap, observation, of, text } = arrival
  const size = arrival.size ?? sizeOf(text)
  const put: Splice = [
    heading(observation.kind, observation.target),
    ...boundSplice(of, text, cap, observation.kind, size),
    "\n"
  ]
  const form: Form =
    size.scalars <= cap
      ? { _tag: "Framed", put }
      : { _tag: "Bounded", keep: keptEnd(observation.kind), cap, rest: of, put }
  return { form, scalars: scalarsIn(put) }
}

/**
 * @since 0.1.0
 * @category words
 */
export const heading = (kind: Kind, target: string | undefined): string => `\n[${subjectOf(kind, target)}]\n`

/**
 * What a heading and a stub call an entry: its label, and its target where it has one (IO-03, IO-31).
 *
 * @since 0.1.0
 * @category words
 */
export const subjectOf = (kind: Kind, target: string | undefined): string =>
  target === undefined ? label(kind) : `${label(kind)} ${target}`

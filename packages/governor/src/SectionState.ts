/**
 * The section of a run in hand: the ledger of its admitted observations, the view, and the entries that its texts come
 * from. An observation is admitted by the decision that gives it its first form; the ledger then counts what that form
 * shows (IO-13, IO-14).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { BodyFault } from "@palimpsest/ledger/BodyStore"
import { GENESIS } from "@palimpsest/ledger/Event"
import type { Entered } from "@palimpsest/ledger/Fact"
import { REREAD } from "./Draft.ts"
import type { Seq } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import type { Change, Decided, Requested } from "@palimpsest/compaction/Decision"
import { putOf, reasonOf, type Form, type Reason } from "@palimpsest/compaction/Form"
import * as SectionView from "@palimpsest/compaction/SectionView"
import { scalarsIn } from "@palimpsest/compaction/Splice"
import type { Happening } from "@palimpsest/compaction/Transcript"
import type { Elided } from "./Economy.ts"
import { entryText, spliceText, type Fault, type Reader } from "./Texts.ts"

/**
 * `arrived` are the observations that wait for their first form. `left` says why an entry is not shown, `gone` counts
 * those by reason.
 *
 * @since 0.1.0
 * @category models
 */
export interface SectionState {
  readonly ledger: Ledger.Ledger
  readonly view: SectionView.SectionView
  readonly entries: HashMap.HashMap<Seq, Entered>
  readonly arrived: ReadonlyArray<Seq>
  readonly left: HashMap.HashMap<Seq, Reason>
  readonly gone: Elided
  readonly epochs: number
  readonly scalars: number
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty = (): SectionState => ({
  ledger: Ledger.empty(),
  view: SectionView.empty,
  entries: HashMap.empty(),
  arrived: [],
  left: HashMap.empty(),
  gone: {},
  epochs: 0,
  scalars: 0
})

/**
 * The state after a batch of happenings, in order. The client's own history does not touch a section.
 *
 * @since 0.1.0
 * @category folding
 */
export const evolve = (state: SectionState, happenings: ReadonlyArray<Happening>): SectionState =>
  happenings.reduce((next, happening) => {
    switch (happening._tag) {
      case "Entered":
        return enter(next, happening.seq, happening.entered)
      case "Decided":
        return decide(next, happening.decided)
      default:
        return next
    }
  }, state)

/**
 * The text of the section, read from bodies.
 *
 * @since 0.1.0
 * @category rendering
 */
export const text = (state: SectionState, reader: Reader): Effect.Effect<string, Fault> => {
  const entry = (seq: Seq) =>
    Option.match(HashMap.get(state.entries, seq), {
      onNone: () => Effect.fail(new BodyFault({ digest: GENESIS, why: "missing" })),
      onSome: Effect.succeed
    })
  return Effect.gen(function* () {
    let out = yield* spliceText(reader, state.view.around.lead, entry)
    for (const { form, seq } of state.view.shown) {
      const put = putOf(form)
      out += put === undefined ? yield* entryText(reader, yield* entry(seq)) : yield* spliceText(reader, put, entry)
    }
    return out
  })
}

/**
 * The section as the messages of a request: one of the user, or none while there is nothing to show.
 *
 * @since 0.1.0
 * @category rendering
 */
export const messages = (section: string): ReadonlyArray<string> =>
  section === "" ? [] : [JSON.stringify({ role: "user", content: section })]

/**
 * The state after a request was made.
 *
 * @since 0.1.0
 * @category folding
 */
export const requested = (state: SectionState, request: Requested): SectionState => ({
  ...state,
  view: SectionView.evolve(state.view, request),
  scalars: request.scalars
})

/**
 * Changed entries of the next request, by reason.
 *
 * @since 0.1.0
 * @category accessors
 */
export const elided = (state: SectionState): Elided => {
  const counts: Partial<Record<Reason, number>> = { ...state.gone }
  for (const { form } of state.view.shown) {
    const reason = form._tag === "Stub" ? undefined : reasonOf(form)
    if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

const enter = (state: SectionState, seq: Seq, entered: Entered): SectionState => ({
  ...state,
  entries: HashMap.set(state.entries, seq, entered),
  // What was read again is shown in the place of the old text, and is not admitted beside it.
  arrived:
    entered.observation === undefined || entered.observation.classifier === REREAD
      ? state.arrived
      : [...state.arrived, seq]
})

const decide = (state: SectionState, decided: Decided): SectionState => {
  const admitted = decided.changes.reduce(admit, state)
  const noted = decided.changes.reduce(note, admitted)
  const epochs = state.epochs + (decided.epoch === undefined ? 0 : 1)
  return { ...noted, epochs, view: SectionView.evolve(noted.view, decided) }
}

/** The first form of what arrived: from here on the ledger counts it. */
const admit = (state: SectionState, { entries: [seq], form }: Change): SectionState => {
  const entered = Option.getOrUndefined(HashMap.get(state.entries, seq))
  if (entered === undefined || !isFirstForm(form) || !state.arrived.includes(seq)) return state
  const entry = { seq, step: entered.step, scalars: scalarsIn(form.put), observation: entered.observation }
  return {
    ...state,
    ledger: Either.getOrElse(Ledger.append(state.ledger, entry), () => state.ledger),
    view: SectionView.evolve(state.view, { _tag: "Entered", entry }),
    arrived: state.arrived.filter((waiting) => waiting !== seq)
  }
}

const isFirstForm = (form: Form): form is Form & { readonly _tag: "Framed" | "Bounded" } =>
  form._tag === "Framed" || form._tag === "Bounded"

/** Why entries left, or that they are back. A change over a range is over the observations in it. */
const note = (state: SectionState, { entries: [from, to], form }: Change): SectionState => {
  const reason = form._tag === "Stub" ? reasonOf(form) : undefined
  const gone: Partial<Record<Reason, number>> = { ...state.gone }
  let left = state.left
  for (let at = positionFrom(state.ledger, from); at < state.ledger.length; at++) {
    const seq = Ledger.at(state.ledger, at)?.seq
    if (seq === undefined || seq > to) break
    const before = Option.getOrUndefined(HashMap.get(left, seq))
    if (before !== undefined) gone[before] = (gone[before] ?? 1) - 1
    if (reason !== undefined) gone[reason] = (gone[reason] ?? 0) + 1
    left = reason === undefined ? HashMap.remove(left, seq) : HashMap.set(left, seq, reason)
  }
  return { ...state, left, gone }
}

const positionFrom = (ledger: Ledger.Ledger, seq: Seq): number => {
  let low = 0
  let high = ledger.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (Ledger.at(ledger, middle)!.seq < seq) low = middle + 1
    else high = middle
  }
  return low
}

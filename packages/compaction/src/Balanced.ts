/**
 * The preset `balanced`, on a transcript: only results change form. They are bounded at entry; what is spent
 * (superseded, invalidated) leaves first, then what is oldest; always in one batch, down to the low-water mark.
 *
 *     bound at entry → spent → aged → (at the ceiling) fresh, bounded harder → ContextExhausted
 *
 * 1. Bounded (law 5): with a ceiling, the tokens of what is planned do not pass it, or the plan is a refusal.
 * 2. Stable (law 6): a plan below the armed mark rewrites nothing that a request has shown.
 * 3. Addressed (law 4): every change carries the address where the entry is whole.
 * 4. Accounted (law 9): text, calls and reasoning are not touched; the user's words stay.
 *
 * Mends, of the section view: IO-W2 (no entry evicts smaller ones by not fitting: each is weighed by itself), IO-W3 (at
 * the ceiling the newest results are bounded to what is left, or the refusal is typed), IO-W4 (marks are charged),
 * IO-W7 (marks stand in place), IO-W9 (nothing near the front changes but in epochs), IO-W17 (marks are validated
 * integers), IO-W22 (a batch is one event, in the step's transaction). Pure: same view and marks, same plan (law 7).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Change } from "./Decision.ts"
import { isWhole, type Why } from "./Form.ts"
import { armed, goal, isWorth, type Marks } from "./Hysteresis.ts"
import { invalidated } from "./Invalidation.ts"
import { stub } from "./Mark.ts"
import { scalarsIn } from "./Splice.ts"
import { superseded, type Observed } from "./Supersession.ts"
import { weigh, type Item, type Transcript } from "./Transcript.ts"

/**
 * What to do before a request: nothing; a batch, with its cause; or, at the ceiling, bound the named fresh results to
 * `cap` scalar values each (which takes their texts) and then send; or refuse.
 *
 * @since 0.1.0
 * @category models
 */
export type Plan =
  | { readonly _tag: "Keep" }
  | { readonly _tag: "Batch"; readonly cause: "schedule" | "ceiling"; readonly changes: ReadonlyArray<Change> }
  | {
      readonly _tag: "Squeeze"
      readonly changes: ReadonlyArray<Change>
      readonly fresh: ReadonlyArray<Seq>
      readonly cap: number
    }
  | { readonly _tag: "Refuse"; readonly need: number; readonly have: number }

/**
 * Plans one request over a view in which new results are bounded already.
 *
 * @since 0.1.0
 * @category planning
 */
export const plan = (view: Transcript, marks: Marks, isPinned: IsPinned = NOTHING): Plan => {
  if (view.tokens <= armed(marks, view.settled)) return { _tag: "Keep" }
  const over = marks.ceiling !== undefined && view.tokens > marks.ceiling
  const all = candidates(view).filter(({ item }) => !isPinned(item))
  const { freed, victims } = retire(all, view.tokens - goal(marks))
  const changes = victims.map(toChange)
  if (!over) return isWorth(marks, freed) ? { _tag: "Batch", cause: "schedule", changes } : { _tag: "Keep" }
  const ceiling = marks.ceiling ?? 0
  if (view.tokens - freed <= ceiling) return { _tag: "Batch", cause: "ceiling", changes }
  return squeeze(view, view.tokens - freed, ceiling, changes, isPinned)
}

/**
 * Whether an entry is pinned: it stays as it is, at the ceiling too.
 *
 * @since 0.1.0
 * @category models
 */
export type IsPinned = (item: Item & { readonly _tag: "Entry" }) => boolean

/** A result that may leave: what it takes now, the mark that would stand for it, and why. */
interface Candidate {
  readonly item: Entry
  readonly gain: number
  readonly spent: boolean
  readonly change: Change
}

const candidates = (view: Transcript): ReadonlyArray<Candidate> => {
  const isFresh = freshIn(view)
  const results = view.messages.flatMap((message, at) =>
    message.items.filter(isWholeResult).filter(({ seq }) => !isFresh(at, seq))
  )
  const everything = view.messages.flatMap((message) => message.items.filter(isObserved)).sort((a, b) => a.seq - b.seq)
  const newer = superseded(everything.filter(({ form }) => form._tag !== "Framed").map(toObserved))
  const written = invalidated(everything.map(toObserved))
  return results.flatMap((item): ReadonlyArray<Candidate> => {
    const { seq } = item
    const whole = weigh({ ...item, form: { _tag: "Whole" } }).scalars
    const by = newer.get(seq)
    const write = written.get(seq)
    const why: Why =
      by !== undefined
        ? { _tag: "Superseded", by }
        : write !== undefined
          ? { _tag: "Invalidated", by: write }
          : { _tag: "Aged" }
    const form = stub({ seq }, item.entered.observation, whole, why)
    const gain = weigh(item).scalars - scalarsIn(form.put)
    return gain < LEAST_GAIN ? [] : [{ item, gain, spent: why._tag !== "Aged", change: { entries: [seq, seq], form } }]
  })
}

/** Spent first, then aged; the oldest first inside each; no more than is needed. Freed tokens are counted low. */
const retire = (
  all: ReadonlyArray<Candidate>,
  need: number
): { readonly victims: ReadonlyArray<Candidate>; readonly freed: number } => {
  const victims: Array<Candidate> = []
  let scalars = 0
  for (const candidate of [...all.filter(({ spent }) => spent), ...all.filter(({ spent }) => !spent)]) {
    if (Math.floor(scalars / 4) - victims.length >= need) break
    victims.push(candidate)
    scalars += candidate.gain
  }
  return { victims, freed: Math.max(0, Math.floor(scalars / 4) - victims.length) }
}

/**
 * At the ceiling, when nothing older is left: the newest results share what remains, at least a few lines each.
 *
 * @since 0.1.0
 * @category planning
 */
export const squeeze = (
  view: Transcript,
  tokens: number,
  ceiling: number,
  changes: ReadonlyArray<Change>,
  isPinned: IsPinned = NOTHING
): Plan => {
  const isFresh = freshIn(view)
  const fresh = view.messages.flatMap((message, at) =>
    message.items.filter(isWholeResult).filter(({ seq }) => isFresh(at, seq))
  )
  const large = fresh.filter((item) => !isPinned(item) && weigh(item).scalars > LEAST_CAP)
  const held = large.reduce((sum, item) => sum + weigh(item).scalars, 0)
  const rest = tokens - Math.floor(held / 4)
  const cap = large.length === 0 ? 0 : Math.floor(((ceiling - rest - large.length - 1) * 4) / large.length)
  if (cap < LEAST_CAP) {
    const need = rest + large.length * Math.ceil(LEAST_CAP / 4) + large.length + 1
    return { _tag: "Refuse", need: Math.max(need, ceiling + 1), have: ceiling }
  }
  const over = large.filter((item) => weigh(item).scalars > cap)
  return { _tag: "Squeeze", changes, fresh: over.map(({ seq }) => seq), cap }
}

/**
 * What the model has not seen yet is fresh: what stands behind its newest message, and what came after that message, as
 * a late result does that stands at its call.
 */
const freshIn = (view: Transcript): ((at: number, seq: Seq) => boolean) => {
  const newest = view.messages.findLastIndex(({ role }) => role === "assistant")
  const said = newest < 0 ? 0 : view.messages[newest]!.items.reduce((last, { seq }) => Math.max(last, seq), 0)
  return (at, seq) => at > newest || seq > said
}

type Entry = Item & { readonly _tag: "Entry" }

const isWholeResult = (item: Item): item is Entry =>
  item._tag === "Entry" &&
  item.entered.part._tag === "Result" &&
  item.entered.part.status !== "pending" &&
  (isWhole(item.form) || item.form._tag === "Bounded") &&
  item.entered.part.blocks.every((block) => block.encoding !== "bytes")

/** A failed or a pending result shows nothing of its subject, so it neither replaces nor changes what another shows. */
const isObserved = (item: Item): item is Entry =>
  item._tag === "Entry" &&
  item.entered.part._tag === "Result" &&
  item.entered.part.status === "ok" &&
  item.entered.observation !== undefined

const toObserved = (item: Entry): Observed => ({ seq: item.seq, observation: item.entered.observation! })

const toChange = ({ change }: Candidate): Change => change

const NOTHING: IsPinned = () => false

/** A mark must be clearly shorter than what it stands for (scalar values). */
const LEAST_GAIN = 80
/** A fresh result is not bounded below this (scalar values): a mark with a few lines around it. */
const LEAST_CAP = 400

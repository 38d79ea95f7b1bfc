/**
 * From what leaves to the changes of a decision: turns that stand beside each other leave under the same words, and take
 * in the words that stand between them; single entries leave behind marks of their own.
 *
 *     [turn][turn][words][turn]  ─>  one collapse          [turn] user's words [turn]  ─>  two
 *
 * A change names a range of the log, so no range covers an entry that stays.
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import { weightOf } from "@palimpsest/ledger/Part"
import type { Change } from "./Decision.ts"
import { classesOf, type Classes } from "./Classes.ts"
import type { Hiding, Why } from "./Form.ts"
import type { Offer } from "./Investment.ts"
import { collapsed, fold, stub } from "./Mark.ts"
import { isObserved, turnsOf, type EntryItem, type Turn } from "./Turns.ts"
import type { Hidden, Message, Transcript } from "./Transcript.ts"

/**
 * The changes by which offers are taken.
 *
 * @since 0.1.0
 * @category changes
 */
export const changesOf = (view: Transcript, offers: ReadonlyArray<Offer>): ReadonlyArray<Change> => {
  const classes = classesOf(view)
  const parts = offers
    .filter(({ mode }) => mode === "part")
    .flatMap(({ items }) => items.flatMap((item) => markOf(item, classes)))
  const whole = new Set(offers.filter(({ mode }) => mode === "whole").map(({ turn }) => turn.from))
  if (whole.size === 0) return parts
  const staying = stayingIn(view, whole)
  const groups = groupsOf(view, whole, staying)
  return [...parts, ...groups.flatMap((group) => collapseOf(group, othersThan(group, groups, staying)))]
}

/**
 * The calls whose arguments are to be folded, where that makes them shorter.
 *
 * @since 0.1.0
 * @category changes
 */
export const foldsOf = (offers: ReadonlyArray<Offer>): ReadonlyArray<Seq> =>
  offers.flatMap(({ items, mode }) =>
    mode === "whole" ? [] : items.filter(({ entered }) => entered.part._tag === "Call").map(({ seq }) => seq)
  )

/**
 * The reasoning that a rewrite ends where it is bound to its prefix: all that stands behind the first message that changes,
 * and what the client ended by a change of its own.
 *
 * @since 0.1.0
 * @category changes
 */
export const unboundBy = (
  view: Transcript,
  offers: ReadonlyArray<Offer>,
  ended: ReadonlyArray<Seq>
): ReadonlyArray<Change> => {
  const from = offers[0]?.turn.from ?? view.messages.length
  const leaving = new Set(offers.flatMap(({ items, mode }) => (mode === "whole" ? items.map(({ seq }) => seq) : [])))
  const behind = view.messages.slice(from).flatMap(reasoningIn)
  return [...new Set([...ended, ...behind])]
    .filter((seq) => !leaving.has(seq))
    .map((seq): Change => ({
      entries: [seq, seq],
      form: { _tag: "Collapse", why: { _tag: "Unbound" }, rest: { seq }, put: [] }
    }))
}

/**
 * The reasoning that a request showed behind the first of its messages that is no longer as it was: a provider that binds
 * reasoning to its prefix does not take it again (law 8).
 *
 * @since 0.1.0
 * @category changes
 */
export const endedIn = (shown: ReadonlyArray<Message>, now: ReadonlyArray<Message>): ReadonlyArray<Seq> => {
  const from = shown.findIndex((message, i) => now[i] !== message)
  if (from < 0) return []
  const standing = new Set(now.slice(from).flatMap(reasoningIn))
  return shown
    .slice(from)
    .flatMap(reasoningIn)
    .filter((seq) => standing.has(seq))
}

const reasoningIn = ({ items }: Message): ReadonlyArray<Seq> =>
  items.flatMap((item) => (item._tag === "Entry" && item.entered.part._tag === "Reasoning" ? [item.seq] : []))

const markOf = (item: EntryItem, classes: Classes): ReadonlyArray<Change> => {
  const { entered, seq } = item
  const { observation, part } = entered
  const { scalars } = weightOf(part)
  if (isObserved(item)) {
    return [{ entries: [seq, seq], form: stub({ seq }, observation, scalars, whyOf(seq, classes)) }]
  }
  return part._tag === "Text" ? [{ entries: [seq, seq], form: fold({ seq }, scalars) }] : []
}

const whyOf = (seq: Seq, { invalidated, superseded }: Classes): Why => {
  const by = superseded.get(seq)
  const write = invalidated.get(seq)
  if (by !== undefined) return { _tag: "Superseded", by }
  return write === undefined ? { _tag: "Aged" } : { _tag: "Invalidated", by: write }
}

/**
 * Turns that leave under the same words: a stretch of neighbours, of which each is a turn that leaves or words that stand
 * already. `of` are their entries, hidden ones too.
 */
interface Group {
  readonly of: ReadonlyArray<EntryItem | Hidden>
  readonly from: number
  readonly to: number
  readonly isNew: boolean
}

const groupsOf = (
  view: Transcript,
  whole: ReadonlySet<number>,
  staying: ReadonlyArray<number>
): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const turn of turnsOf(view)) {
    if (!turn.isWords && !whole.has(turn.from)) continue
    let next: Group = { of: entriesOf(view, turn), from: turn.from, to: turn.to, isNew: !turn.isWords }
    for (let last = groups.at(-1); last !== undefined && mayJoin(last, next, staying); last = groups.at(-1)) {
      groups.pop()
      next = { of: [...last.of, ...next.of], from: last.from, to: next.to, isNew: true }
    }
    groups.push(next)
  }
  return groups.filter(({ isNew }) => isNew)
}

/**
 * Neighbours join where one of them leaves now. Words that stand for much are not taken up again for little, so that what
 * a rewrite costs does not grow with the run: each entry is taken up about as often as the logarithm of their number (as
 * in a merge of sorted runs).
 */
const mayJoin = (a: Group, b: Group, staying: ReadonlyArray<number>): boolean =>
  a.to === b.from &&
  (a.isNew || b.isNew) &&
  (a.isNew || a.of.length <= RATIO * b.of.length) &&
  (b.isNew || b.of.length <= RATIO * a.of.length) &&
  !isBetween(staying, [...a.of, ...b.of])

const RATIO = 2

/** What a group's ranges must not hold: what stays, and what leaves under other words, as late results interleave. */
const othersThan = (
  group: Group,
  groups: ReadonlyArray<Group>,
  staying: ReadonlyArray<number>
): ReadonlyArray<number> =>
  groups.length === 1
    ? staying
    : [...staying, ...groups.flatMap((other) => (other === group ? [] : other.of.map(({ seq }) => seq)))].sort(
        (a, b) => a - b
      )

const entriesOf = (view: Transcript, turn: Turn): ReadonlyArray<EntryItem | Hidden> => [
  ...turn.items,
  ...view.messages.slice(turn.from, turn.to).flatMap(({ hidden }) => hidden)
]

const collapseOf = ({ of }: Group, others: ReadonlyArray<number>): ReadonlyArray<Change> => {
  const entries = [...of].sort((a, b) => a.seq - b.seq)
  const [first] = entries
  if (first === undefined) return []
  const last = entries[entries.length - 1] ?? first
  const calls = entries.filter(({ entered }) => entered.part._tag === "Call").length
  const observed = entries.flatMap(({ entered: { observation } }): ReadonlyArray<Observation> =>
    observation === undefined ? [] : [observation]
  )
  const words = collapsed({ seq: first.seq }, { seq: last.seq }, calls, observed)
  return rangesOf(entries, others).map(([from, to], i): Change => {
    const form: Hiding = { _tag: "Collapse", why: { _tag: "Aged" }, rest: { seq: from }, put: i === 0 ? words : [] }
    return { entries: [from, to], form }
  })
}

/** Entries in as few ranges of the log as hold nothing that stays. */
const rangesOf = (
  entries: ReadonlyArray<{ readonly seq: Seq }>,
  staying: ReadonlyArray<number>
): ReadonlyArray<readonly [Seq, Seq]> => {
  const ranges: Array<readonly [Seq, Seq]> = []
  for (const { seq } of entries) {
    const last = ranges.at(-1)
    if (last !== undefined && !holds(staying, last[0], seq)) ranges[ranges.length - 1] = [last[0], seq]
    else ranges.push([seq, seq])
  }
  return ranges
}

/** The seqs of everything that stands in a message and does not leave with a turn, in order. */
const stayingIn = (view: Transcript, whole: ReadonlySet<number>): ReadonlyArray<number> => {
  const leaving = new Set<number>()
  for (const turn of turnsOf(view)) if (whole.has(turn.from)) for (const { seq } of turn.items) leaving.add(seq)
  return view.messages
    .flatMap(({ items }) =>
      items.filter(({ _tag, seq }) => _tag === "Entry" && !leaving.has(seq)).map(({ seq }) => seq)
    )
    .sort((a, b) => a - b)
}

const isBetween = (staying: ReadonlyArray<number>, of: ReadonlyArray<{ readonly seq: Seq }>): boolean => {
  let from = Number.POSITIVE_INFINITY
  let to = 0
  for (const { seq } of of) {
    from = Math.min(from, seq)
    to = Math.max(to, seq)
  }
  return holds(staying, from, to)
}

/** Whether a sorted list has a number from one to another. */
const holds = (sorted: ReadonlyArray<number>, from: number, to: number): boolean => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < from) low = middle + 1
    else high = middle
  }
  return low < sorted.length && sorted[low]! <= to
}

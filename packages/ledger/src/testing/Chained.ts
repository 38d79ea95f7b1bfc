/**
 * Law 3: changing, dropping, reordering or inserting an event at or below a head that is known elsewhere is detected, and
 * names the event.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { EMPTY, type Draft, type Head, type Sealed } from "../Event.ts"
import { LogId } from "../Ids.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { ours, type Implementation } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * Walks a log up to a known head: the seq of the first event that is not as it was, undefined where all is well. This is
 * how a chain is to be checked; whoever keeps a head elsewhere can do it with `open` alone.
 *
 * @since 0.1.0
 * @category checking
 */
export const firstBroken = (
  open: Implementation["open"],
  log: LogId,
  known: Head,
  events: ReadonlyArray<Sealed>
): number | undefined => {
  let head = EMPTY
  for (const event of events) {
    const opened = open(log, head, event)
    if (Either.isLeft(opened)) return opened.left.seq
    head = { seq: event.seq, digest: event.digest }
    if (head.seq === known.seq && head.digest !== known.digest) return known.seq
  }
  return head.seq < known.seq ? head.seq + 1 : undefined
}

/**
 * @since 0.1.0
 * @category laws
 */
export const chained: Law<Implementation> = {
  number: 3,
  name: "a change at or below a known head is found, at the event that was changed",
  property: ({ open, sealAll }) =>
    FastCheck.property(
      Arbitraries.drafts(2),
      FastCheck.nat(),
      FastCheck.nat(),
      FastCheck.constantFrom(...KINDS),
      (drafts, where, whereElse, kind) => {
        const events = sealAll(LOG, EMPTY, drafts)
        const last = events.at(-1)!
        const known = { seq: last.seq, digest: last.digest }
        const i = where % events.length
        const changed = tamper(kind, drafts, events, i, whereElse)
        return (
          firstBroken(open, LOG, known, events) === undefined &&
          firstBroken(open, LOG, known, changed.events) === changed.at
        )
      }
    ),
  mutants: [
    { name: "bytes are not held against their digest", implementation: { ...ours, open: rehashed } },
    {
      name: "an event may follow any other",
      implementation: {
        ...ours,
        open: (log, before, stored) => ours.open(log, { ...before, digest: prevOf(stored) }, stored)
      }
    },
    {
      name: "the column of ids is not held against the bytes",
      implementation: {
        ...ours,
        open: (log, before, stored) => ours.open(log, before, { ...stored, id: idOf(stored) })
      }
    },
    {
      name: "gaps are passed over",
      implementation: {
        ...ours,
        open: (log, before, stored) => ours.open(log, { seq: stored.seq - 1, digest: before.digest }, stored)
      }
    }
  ]
}

const KINDS = ["bytes", "digest", "id", "drop", "swap", "insert", "seq", "forge", "rewrite"] as const
const LOG = LogId.make("run")

/** What a hand at the table could do to event `i`, and where it has to be found. */
const tamper = (
  kind: (typeof KINDS)[number],
  drafts: ReadonlyArray<Draft>,
  events: ReadonlyArray<Sealed>,
  i: number,
  whereElse: number
): { readonly events: ReadonlyArray<Sealed>; readonly at: number } => {
  const event = events[i]!
  const replaced = (by: Partial<Sealed>) => events.with(i, { ...event, ...by })
  switch (kind) {
    case "bytes": {
      const bytes = event.bytes.slice()
      bytes[whereElse % bytes.length]! ^= 1
      return { events: replaced({ bytes }), at: event.seq }
    }
    case "digest":
      return { events: replaced({ digest: events[(i + 1) % events.length]!.digest }), at: event.seq }
    case "id":
      return { events: replaced({ id: `${event.id}x` }), at: event.seq }
    case "drop":
      return { events: events.toSpliced(i, 1), at: event.seq }
    case "swap": {
      const j = (i + 1) % events.length
      const other = events[j]!
      const swapped = events.with(i, { ...other, seq: event.seq }).with(j, { ...event, seq: other.seq })
      return { events: swapped, at: Math.min(event.seq, other.seq) }
    }
    case "insert": {
      const before = { seq: event.seq, digest: event.digest }
      const [forged] = ours.sealAll(LOG, before, [{ ...drafts[i]!, id: "forged" }])
      const behind = { events: events.toSpliced(i + 1, 0, forged!), at: Math.min(event.seq + 2, events.length) }
      // Behind the known head it is simply a newer event: only the head itself can be held against it.
      return i === events.length - 1 ? { events: events.toSpliced(i, 0, event), at: event.seq + 1 } : behind
    }
    case "seq":
      return { events: replaced({ seq: (event.seq + 1) as Sealed["seq"] }), at: event.seq }
    case "forge": {
      // One event sealed anew in its place: it agrees with itself, and the event behind it does not follow it.
      const before = i === 0 ? EMPTY : { seq: i, digest: events[i - 1]!.digest }
      const [forged] = ours.sealAll(LOG, before, [{ ...drafts[i]!, payload: '{"forged":true}' }])
      return { events: events.with(i, forged!), at: Math.min(event.seq + 1, events.length) }
    }
    case "rewrite": {
      // Sealed anew from here on, in full agreement with itself: only the head that is known elsewhere tells.
      const before = i === 0 ? EMPTY : { seq: i, digest: events[i - 1]!.digest }
      const rest = ours.sealAll(LOG, before, drafts.slice(i).with(0, { ...drafts[i]!, payload: '{"forged":true}' }))
      return { events: [...events.slice(0, i), ...rest], at: events.length }
    }
  }
}

function rehashed(...[log, before, stored]: Parameters<Implementation["open"]>): ReturnType<Implementation["open"]> {
  return ours.open(log, before, { ...stored, digest: ours.hash(stored.bytes) })
}

const field = (stored: Sealed, name: string): unknown => {
  try {
    return Reflect.get(Object(JSON.parse(new TextDecoder().decode(stored.bytes))), name)
  } catch {
    return undefined
  }
}

const prevOf = (stored: Sealed): Head["digest"] => String(field(stored, "prev")) as Head["digest"]
const idOf = (stored: Sealed): string => String(field(stored, "id"))

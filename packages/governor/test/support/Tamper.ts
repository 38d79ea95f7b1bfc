/** Ways to spoil what a store holds, each with the event that an audit has to name. */
import * as FastCheck from "effect/FastCheck"
import type { Sealed } from "@palimpsest/ledger/Event"
import type { Digest, Seq } from "@palimpsest/ledger/Ids"
import { hash } from "./Hash.ts"
import { decode, encode } from "./Sessions.ts"
import type { Kept } from "./Store.ts"

export interface Tampered {
  readonly name: string
  readonly seq: number
  readonly kept: Kept
}

/** A tamper of the one log in hand; `n` and `m` are any numbers, taken around. */
export type Tamper = (kept: Kept, log: string, n: number, m: number) => Tampered

export const EVENTS: ReadonlyArray<Tamper> = [
  (kept, log, n) => at("an event is dropped", kept, log, n, (events, i) => events.filter((_, k) => k !== i)),
  (kept, log, n) => at("all from an event on are dropped", kept, log, n, (events, i) => events.slice(0, i)),
  (kept, log, n, m) =>
    at("a byte of an event is changed", kept, log, n, (events, i) => put(events, i, { bytes: flipped(events[i]!, m) })),
  (kept, log, n) => at("an event has another id", kept, log, n, (events, i) => put(events, i, { id: "another" })),
  (kept, log, n) =>
    at("an event has another's digest", kept, log, n, (events, i) =>
      put(events, i, { digest: (events[i - 1] ?? events[i + 1])!.digest })
    ),
  (kept, log, n) =>
    at("an event has another seq", kept, log, n, (events, i) => put(events, i, { seq: (events[i]!.seq + 1) as Seq })),
  (kept, log, n) => {
    const events = eventsOf(kept, log)
    const i = n % (events.length - 1)
    const [a, b] = [events[i]!, events[i + 1]!]
    const swapped = [...events.slice(0, i), b, a, ...events.slice(i + 2)]
    return { name: "two events are swapped", seq: i + 1, kept: withEvents(kept, log, swapped) }
  },
  (kept, log, n) => {
    const events = eventsOf(kept, log)
    const i = n % events.length
    const twice = [...events.slice(0, i + 1), ...events.slice(i)]
    return { name: "an event stands twice", seq: i + 2, kept: withEvents(kept, log, twice) }
  },
  (kept, log, n) => {
    const events = eventsOf(kept, log)
    const i = n % events.length
    const text = decode(events[i]!.bytes).replace(/"at":"[^"]*"/, '"at":"2001-01-01T00:00:00Z"')
    const bytes = encode(text)
    const changed = put(events, i, { bytes, digest: hash(bytes) })
    return {
      name: "an event is written anew",
      seq: Math.min(i + 2, events.length),
      kept: withEvents(kept, log, changed)
    }
  }
]

/** One body is spoilt; the event is the first that names it, under its own digest or as the record that it lies in. */
export const BODIES: ReadonlyArray<Tamper> = [
  (kept, log, n, m) =>
    body("a byte of a body is changed", kept, log, n, (bytes) => {
      const changed = bytes.slice()
      const i = m % Math.max(1, bytes.length)
      changed[i] = (changed[i] ?? 0) ^ (1 << (m % 7))
      return changed
    }),
  (kept, log, n) => body("a body has lost its end", kept, log, n, (bytes) => bytes.slice(0, -1)),
  (kept, log, n) => body("a body is missing", kept, log, n, () => undefined)
]

export const places = FastCheck.tuple(FastCheck.nat(), FastCheck.nat())

const eventsOf = (kept: Kept, log: string): ReadonlyArray<Sealed> => kept.logs.find((one) => one.log === log)!.events

const withEvents = (kept: Kept, log: string, events: ReadonlyArray<Sealed>): Kept => ({
  ...kept,
  logs: kept.logs.map((one) => (one.log === log ? { ...one, events } : one))
})

const at = (
  name: string,
  kept: Kept,
  log: string,
  n: number,
  change: (events: ReadonlyArray<Sealed>, i: number) => ReadonlyArray<Sealed>
): Tampered => {
  const events = eventsOf(kept, log)
  const i = n % events.length
  return { name, seq: i + 1, kept: withEvents(kept, log, change(events, i)) }
}

const put = (events: ReadonlyArray<Sealed>, i: number, change: Partial<Sealed>): ReadonlyArray<Sealed> =>
  events.map((event, k) => (k === i ? { ...event, ...change } : event))

const flipped = ({ bytes }: Sealed, m: number): Uint8Array =>
  bytes.map((byte, i) => (i === m % bytes.length ? byte ^ (1 << (m % 7)) : byte))

const body = (
  name: string,
  kept: Kept,
  log: string,
  n: number,
  change: (bytes: Uint8Array) => Uint8Array | undefined
): Tampered => {
  const named = namedBy(eventsOf(kept, log))
  const digests = kept.bodies.filter(({ bytes, digest }) => bytes.length > 0 && named.has(digest)).map((b) => b.digest)
  const digest = digests[n % digests.length]!
  const bodies = kept.bodies.flatMap((one) => {
    if (one.digest !== digest) return [one]
    const bytes = change(one.bytes)
    return bytes === undefined ? [] : [{ ...one, bytes }]
  })
  return { name, seq: named.get(digest)!, kept: { ...kept, bodies } }
}

/** The first event that names each digest. */
const namedBy = (events: ReadonlyArray<Sealed>): ReadonlyMap<Digest, number> => {
  const found = new Map<Digest, number>()
  for (const { bytes, seq } of events) {
    const text = decode(bytes)
    const payload = text.slice(text.indexOf('"payload":'), text.lastIndexOf('"prev":'))
    for (const [digest] of payload.matchAll(/(?<=")[0-9a-f]{64}(?=")/g)) {
      if (!found.has(digest as Digest)) found.set(digest as Digest, seq)
    }
  }
  return found
}

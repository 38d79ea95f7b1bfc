/**
 * What a run's governor was told, and what of it still stands: the fold of its commands.
 *
 *     asking none ── Ask ──> asking ── dear rewrite: Proposed ──> waiting ─┬─ Allow ──> allowed ── Decided ──> asking
 *                                                                          └─ Deny  ──> denied (until it saves twice that)
 *
 * 1. Pins come from events alone (law 15) and hold at the ceiling too: what is pinned is never in a plan (law 9).
 * 2. What an undo brought back is kept: no schedule takes it again, only a ceiling may.
 * 3. A person is asked once: while a question waits, no other is put. An allowance is for the next rewrite, at up to twice
 *    the price that was told, as a plan is made anew when it goes.
 * 4. Same events, same orders (law 7).
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Command, Commanded, Proposed } from "./Command.ts"
import type { Decided, Worth } from "./Decision.ts"
import * as Spans from "./Spans.ts"

/**
 * `isOn` is false after `Off`, `isHeld` true after `Hold`. `pins` never leave; `kept` were restored by an undo;
 * `restoring` is what an undo asked for and no request has shown yet. `asking` is the price (tokens re-billed) above which a
 * rewrite waits, `waiting` the question put, `allowed` and `denied` the worth of what was last answered.
 *
 * @since 0.1.0
 * @category models
 */
export interface Orders {
  readonly isOn: boolean
  readonly isHeld: boolean
  readonly pins: Spans.Spans
  readonly kept: Spans.Spans
  readonly restoring: Spans.Spans
  readonly asking: number | undefined
  readonly waiting: Waiting | undefined
  readonly allowed: Worth | undefined
  readonly denied: Worth | undefined
}

/**
 * A question that waits: the seq of its `Proposed`, and the price.
 *
 * @since 0.1.0
 * @category models
 */
export interface Waiting {
  readonly of: Seq
  readonly worth: Worth
}

/**
 * A run that was told nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Orders = {
  isOn: true,
  isHeld: false,
  pins: [],
  kept: [],
  restoring: [],
  asking: undefined,
  waiting: undefined,
  allowed: undefined,
  denied: undefined
}

/**
 * The orders after one more event, which stands at `seq`. A decision of ours ends what was asked about it; the one that
 * restores ends the undo.
 *
 * @since 0.1.0
 * @category folding
 */
export const record = (orders: Orders, seq: Seq, fact: Commanded | Proposed | Decided): Orders => {
  switch (fact._tag) {
    case "Commanded":
      return obey(orders, seq, fact.command)
    case "Proposed":
      return { ...orders, waiting: { of: seq, worth: fact.worth }, allowed: undefined, denied: undefined }
    case "Decided":
      if (fact.epoch === undefined || fact.epoch === "client") return orders
      if (fact.epoch === "command") return orders.restoring.length === 0 ? orders : { ...orders, restoring: [] }
      return isAnswered(orders) ? { ...orders, ...UNASKED } : orders
  }
}

/**
 * The pin that holds an entry, if one does.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pinOf = (orders: Orders, seq: number): Spans.Span | undefined => Spans.find(orders.pins, seq)

/**
 * The undo that an entry came back by, if one did.
 *
 * @since 0.1.0
 * @category accessors
 */
export const keepOf = (orders: Orders, seq: number): Spans.Span | undefined => Spans.find(orders.kept, seq)

/**
 * Whether a command would change anything.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isNews = (orders: Orders, command: Command): boolean => {
  switch (command._tag) {
    case "Off":
      return orders.isOn
    case "On":
      return !orders.isOn
    case "Hold":
      return !orders.isHeld
    case "Release":
      return orders.isHeld
    case "Ask":
      return orders.asking !== command.above
    case "Unask":
      return orders.asking !== undefined
    case "Allow":
    case "Deny":
      return orders.waiting?.of === command.of
    default:
      return true
  }
}

/**
 * Whether a rewrite of this worth goes, waits, or is to be put to a person first.
 *
 * @since 0.1.0
 * @category asking
 */
export const leave = ({ allowed, asking, denied, waiting }: Orders, worth: Worth): "go" | "wait" | "ask" => {
  if (asking === undefined || worth.rebills <= asking) return "go"
  if (allowed !== undefined && worth.rebills <= allowed.rebills * AGAIN) return "go"
  if (waiting !== undefined) return "wait"
  return denied !== undefined && worth.saves < Math.max(1, denied.saves) * AGAIN ? "wait" : "ask"
}

const obey = (orders: Orders, seq: Seq, command: Command): Orders => {
  switch (command._tag) {
    case "Pin":
      return { ...orders, pins: Spans.add(orders.pins, command.entries, seq) }
    case "Unpin":
      return {
        ...orders,
        pins: Spans.remove(orders.pins, command.entries),
        kept: Spans.remove(orders.kept, command.entries)
      }
    case "Off":
      return { ...orders, isOn: false }
    case "On":
      return { ...orders, isOn: true }
    case "Hold":
      return { ...orders, isHeld: true }
    case "Release":
      return { ...orders, isHeld: false }
    case "Ask":
      return { ...orders, ...UNASKED, asking: command.above }
    case "Unask":
      return { ...orders, ...UNASKED, asking: undefined }
    case "Allow":
      return orders.waiting?.of === command.of ? { ...orders, ...UNASKED, allowed: orders.waiting.worth } : orders
    case "Deny":
      return orders.waiting?.of === command.of ? { ...orders, ...UNASKED, denied: orders.waiting.worth } : orders
    case "Undo": {
      const add = (spans: Spans.Spans): Spans.Spans =>
        command.entries.reduce((all, entries) => Spans.add(all, entries, seq), spans)
      return { ...orders, kept: add(orders.kept), restoring: add(orders.restoring) }
    }
  }
}

const isAnswered = ({ allowed, denied, waiting }: Orders): boolean =>
  allowed !== undefined || denied !== undefined || waiting !== undefined

const UNASKED = { waiting: undefined, allowed: undefined, denied: undefined } as const

/** How many times the told price an allowance covers, and the denied saving asks again. */
const AGAIN = 2

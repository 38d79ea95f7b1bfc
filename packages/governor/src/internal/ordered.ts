/**
 * A plan under a person's orders: what was planned goes, waits, is asked about, or is not made at all.
 *
 *     off ───────────────> nothing but growth; over the ceiling, a refusal
 *     to restore ────────> the restoration, and beside it only what the ceiling forces
 *     held ──────────────> nothing but what the ceiling forces
 *     dearer than asked ─> Proposed, and nothing until it is answered, but what the ceiling forces
 */
import * as Effect from "effect/Effect"
import { standard } from "@palimpsest/budget/Price"
import type { IsPinned } from "@palimpsest/compaction/Balanced"
import type { Proposed } from "@palimpsest/compaction/Command"
import type { Cause, Change, Decided, Refused } from "@palimpsest/compaction/Decision"
import * as Orders from "@palimpsest/compaction/Orders"
import { ruleOf } from "@palimpsest/compaction/Reasoning"
import * as Restoration from "@palimpsest/compaction/Restoration"
import type { Transcript } from "@palimpsest/compaction/Transcript"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import { isGoverned, type Governed } from "../Config.ts"
import { isProtected } from "../Protect.ts"
import * as Session from "../Session.ts"
import { cachedIn } from "../Written.ts"

/** What is planned for a request, before it is written down. */
export interface Planned {
  readonly changes: ReadonlyArray<Change>
  readonly epoch?: Cause
  readonly worth?: Decided["worth"]
  readonly refused?: Pick<Refused, "need" | "have" | "pins"> & { readonly why?: Refused["why"] }
  readonly proposed?: Proposed
}

/** Plans over a session, where some entries have to stay. */
export type Plan<E> = (session: Session.Session, isPinned: IsPinned) => Effect.Effect<Planned, E>

/** Entries that stay, as nothing may leave of them: by a command, or by the configuration. */
export const pinnedIn = ({ config, orders, view }: Session.Session): IsPinned => {
  if (!isGoverned(config) || view._tag !== "Transcript") return NOTHING
  if (orders.pins.length === 0 && config.protect === undefined) return NOTHING
  const isOf = config.protect === undefined ? NOTHING : isProtected(config.protect, view.transcript)
  return (item) => Orders.pinOf(orders, item.seq) !== undefined || isOf(item)
}

/** The same, and what an undo brought back: only a ceiling may take that again. */
export const stayingIn = (session: Session.Session): IsPinned => {
  const isPinned = pinnedIn(session)
  const { orders } = session
  return orders.kept.length === 0 ? isPinned : (item) => isPinned(item) || Orders.keepOf(orders, item.seq) !== undefined
}

/** Plans under the orders of the session, over a view in which new results are bounded already. */
export const ordered = <E>(session: Session.Session, plan: Plan<E>): Effect.Effect<Planned, E> => {
  const { config, orders, view } = session
  if (!isGoverned(config) || view._tag !== "Transcript") return plan(session, NOTHING)
  if (!orders.isOn) return Effect.succeed(grown(config, view.transcript))
  return Effect.gen(function* () {
    const restored = orders.isHeld ? [] : Restoration.changes(view.transcript, orders, ruleOf(config.model))
    const opened = restored.length === 0 ? session : after(session, restored)
    const planned = yield* withPins(opened, plan)
    const isForced = planned.epoch === "ceiling" || planned.refused !== undefined || planned.epoch === undefined
    if (restored.length > 0) {
      const worth = worthOf(session, opened)
      const more = isForced ? planned : NONE
      return { ...more, changes: [...restored, ...more.changes], epoch: "command", worth }
    }
    if (isForced) return planned
    if (orders.isHeld) return NONE
    const worth = planned.worth ?? worthOf(session, after(session, planned.changes))
    switch (Orders.leave(orders, worth)) {
      case "go":
        return planned
      case "wait":
        return NONE
      case "ask":
        return { changes: [], proposed: { _tag: "Proposed", step: stepOf(session), cause: planned.epoch, worth } }
    }
  })
}

/** What an undo brought back stays too, unless nothing else makes room; and where only pins are in the way, they are named. */
const withPins = <E>(session: Session.Session, plan: Plan<E>): Effect.Effect<Planned, E> =>
  Effect.gen(function* () {
    const { orders } = session
    const isPinned = pinnedIn(session)
    const planned = yield* plan(session, stayingIn(session))
    if (planned.refused === undefined) return planned
    const harder = orders.kept.length === 0 ? planned : yield* plan(session, isPinned)
    if (harder.refused === undefined || isPinned === NOTHING) return harder
    const free = yield* plan(session, NOTHING)
    const [first, ...more] = free.refused === undefined ? pins(session, isPinned) : []
    return first === undefined
      ? harder
      : { ...harder, refused: { ...harder.refused, why: "Pinned" as const, pins: [first, ...more] } }
  })

const pins = ({ view }: Session.Session, isPinned: IsPinned): ReadonlyArray<Seq> =>
  view._tag === "Section"
    ? []
    : view.transcript.messages.flatMap(({ items }) =>
        items.flatMap((item) => (item._tag === "Entry" && isPinned(item) ? [item.seq] : []))
      )

const grown = ({ ceiling }: Governed, { tokens }: Transcript): Planned =>
  ceiling === undefined || tokens <= ceiling ? NONE : { changes: [], refused: { need: tokens, have: ceiling } }

const worthOf = (before: Session.Session, now: Session.Session): NonNullable<Decided["worth"]> =>
  before.view._tag === "Transcript" && now.view._tag === "Transcript"
    ? Restoration.worth(before.view.transcript, now.view.transcript, {
        cached: cachedIn(before.view.written.parts, before.view.transcript.messages),
        prices: standard,
        step: stepOf(before)
      })
    : { frees: 0, rebills: 0, saves: 0 }

const after = (session: Session.Session, changes: ReadonlyArray<Change>): Session.Session =>
  Session.fold(Session.record(session, { _tag: "Decided", step: stepOf(session), changes }))

const stepOf = ({ requests }: Session.Session): Step => (requests + 1) as Step

const NONE: Planned = { changes: [] }
const NOTHING: IsPinned = () => false

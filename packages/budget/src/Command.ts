/**
 * What can be asked of an account, and what it answers.
 *
 * Every command that is repeated (its answer was lost) is answered as before and leaves no second fact.
 *
 * Laws kept here: 10, 13. Source: LE-02, LE-16 to LE-20.
 *
 * @since 0.1.0
 */
import type { Allotment, Granted, Warned } from "./AccountFact.ts"
import type { Deposited, Epitaph } from "./Epitaph.ts"
import type { Hold } from "./Hold.ts"
import type { ReservationId, RunId } from "./Ids.ts"
import type { Limits } from "./Limits.ts"
import type { Reading } from "./Reading.ts"
import type { Rules } from "./Rules.ts"
import type { Spend } from "./Spend.ts"

/**
 * Begin the account of a tree: its root, and the limits and rules that are frozen from here. Again with the same it only
 * reads. Source: LE-20.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Open {
  readonly _tag: "Open"
  readonly root: RunId
  readonly limits: Limits
  readonly rules: Rules
}

/**
 * Check all limits of all scopes of the run, and hold. `leaseMs` in place of the rules'.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Reserve {
  readonly _tag: "Reserve"
  readonly reservation: ReservationId
  readonly run: RunId
  readonly hold: Hold
  readonly landing?: boolean
  readonly leaseMs?: number
}

/**
 * Whoever made the call is alive: its lease goes on for `leaseMs` from now, in place of the rules'.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Renew {
  readonly _tag: "Renew"
  readonly reservation: ReservationId
  readonly leaseMs?: number
}

/**
 * What the call cost, in place of what it held. Source: LE-09.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Settle {
  readonly _tag: "Settle"
  readonly reservation: ReservationId
  readonly spend: Spend
}

/**
 * The call was not made, or cost nothing: its hold is free.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Release {
  readonly _tag: "Release"
  readonly reservation: ReservationId
  readonly why: string
}

/**
 * Spending that no reservation was made for: found in a file, or told by a child with a loop of its own. Never refused for
 * a limit: it has happened. Source: field report B88.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Record {
  readonly _tag: "Record"
  readonly reservation: ReservationId
  readonly run: RunId
  readonly spend: Spend
}

/**
 * Check a child under the name that it would have, and open it. `limits` cap it; `allotment` sets aside for it.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Dispatch {
  readonly _tag: "Dispatch"
  readonly parent: RunId
  readonly child: RunId
  readonly limits?: Limits
  readonly allotment?: Allotment
}

/**
 * Raise the limits of a scope, by whom and why. `grant` is an id of the caller's. Source: LE-W14.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Grant extends Omit<typeof Granted.Type, "_tag" | "time" | "accepts" | "resumes"> {
  readonly _tag: "Grant"
  readonly accepts?: typeof Granted.Type.accepts
  readonly resumes?: typeof Granted.Type.resumes
}

/**
 * End a run because a limit was reached: refused where none was, so that a grant that came first is not lost. `wanted` is
 * the hold that was refused, where it was a call that was.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Exhaust {
  readonly _tag: "Exhaust"
  readonly run: RunId
  readonly wanted?: Hold
  readonly result?: string
}

/**
 * End a run otherwise than by running out. `result` refers to its last words. Source: LE-16, LE-17.
 *
 * @since 0.1.0
 * @category commands
 */
export interface End {
  readonly _tag: "End"
  readonly run: RunId
  readonly epitaph: Exclude<Epitaph, "budget-exhausted">
  readonly result?: string
}

/**
 * End the leases that have run out. Every other command does so first.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Expire {
  readonly _tag: "Expire"
}

/**
 * Where a run stands, or the root where none is named.
 *
 * @since 0.1.0
 * @category commands
 */
export interface Read {
  readonly _tag: "Read"
  readonly run?: RunId
}

/**
 * @since 0.1.0
 * @category models
 */
export type Command =
  | Open
  | Reserve
  | Renew
  | Settle
  | Release
  | Record
  | Dispatch
  | Grant
  | Exhaust
  | End
  | Expire
  | Read

/**
 * `until` and `leaseMs`: when the lease ends, in account time and from now. `deadlineMs`: how long the call may take before
 * a clock's limit is reached. `landingLeft`: how many landing calls the run has left, where the rules keep some.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Held {
  readonly _tag: "Held"
  readonly reservation: ReservationId
  readonly run: RunId
  readonly until: number
  readonly leaseMs: number
  readonly deadlineMs?: number
  readonly landingLeft?: number
  readonly warnings: ReadonlyArray<typeof Warned.Type>
}

/**
 * When the lease ends, in account time and from now, in milliseconds.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Renewal {
  readonly _tag: "Renewal"
  readonly until: number
  readonly leaseMs: number
}

/**
 * `charged` counts against limits. `late`: the lease had run out or been released before.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Settlement {
  readonly _tag: "Settlement"
  readonly charged: { readonly tokens: number; readonly micros: number }
  readonly late: boolean
  readonly warnings: ReadonlyArray<typeof Warned.Type>
}

/**
 * The hold is free, or was already.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Freed {
  readonly _tag: "Freed"
}

/**
 * The child is open; `limits` are its own, as narrowed by those above.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Dispatched {
  readonly _tag: "Dispatched"
  readonly child: RunId
  readonly depth: number
  readonly limits: Limits
}

/**
 * The limits of the scope as they are now.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Raised {
  readonly _tag: "Raised"
  readonly limits: Limits
}

/**
 * `deposit` goes to the parent's inbox in the same transaction; a root has no parent and none. `wakes`: whether the end
 * starts the parent.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Over {
  readonly _tag: "Over"
  readonly run: RunId
  readonly epitaph: Epitaph
  readonly wakes: boolean
  readonly deposit?: Deposited
}

/**
 * The reservations whose leases ended.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Swept {
  readonly _tag: "Swept"
  readonly expired: ReadonlyArray<ReservationId>
}

/**
 * A reading that holds nothing.
 *
 * @since 0.1.0
 * @category answers
 */
export interface Standing {
  readonly _tag: "Standing"
  readonly reading: Reading
}

/**
 * @since 0.1.0
 * @category answers
 */
export type Answer = Held | Renewal | Settlement | Freed | Dispatched | Raised | Over | Swept | Standing

/**
 * What reading one record of a source brings about: moves, in order. A host turns them into facts of its log; nothing
 * here numbers, times or stores anything.
 *
 * ```
 * Opened → ( Prompted → Entered… → Reported )*   with Entered of the user and of tools between
 *        ↘ Restarted, Cleared (by the client's own hand), Aside (what no model saw)
 * ```
 *
 * Every record is named by at least one `Entered` or `Aside` (laws 9 and 14). The moves of a record depend only on the
 * records up to it, so a source cut anywhere gives a prefix of the moves (law 7).
 *
 * @since 0.1.0
 */
import type { Entered as EnteredFact } from "@palimpsest/ledger/Fact"

/**
 * The run that a move is of, within its source: `main`; `side-1`, `side-2`, … for side chains that stand in the same
 * file; `agent-ID` for a sub-agent whose messages stand in progress lines (its id, or `x` and a digest of an id that is
 * not fit for a name); `row-1`, `row-2`, … for rows.
 *
 * @since 0.1.0
 * @category models
 */
export type RunKey = string

/**
 * An entry as a decoder gives it. The step is the host's to count, by `Prompted`.
 *
 * @since 0.1.0
 * @category models
 */
export type Entry = Omit<EnteredFact, "step" | "_tag">

/**
 * Common to all moves: the run, and when the source says that it happened ("" where it does not say).
 *
 * @since 0.1.0
 * @category models
 */
export interface Place {
  readonly run: RunKey
  readonly at: string
}

/**
 * A run begins. `parentCall` is the id of the call that began it: the one that its progress lines name, or one that was
 * seen and whose prompt is the run's first text. Which run that call stands in is the host's to know.
 *
 * @since 0.1.0
 * @category models
 */
export interface Opened extends Place {
  readonly _tag: "Opened"
  readonly parentCall?: string
}

/**
 * A request was made: what entered before is what it could hold, what enters next is its answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prompted extends Place {
  readonly _tag: "Prompted"
}

/**
 * One part of one message.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entered extends Place {
  readonly _tag: "Entered"
  readonly entry: Entry
}

/**
 * The record brought nothing that the model of this run saw. `type` says what it is, as `progress/hook_progress` or `malformed`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Aside extends Place {
  readonly _tag: "Aside"
  readonly type: string
}

/**
 * The client began its history anew. `keeps` are the keys of the messages that it is made of now, in this order; what
 * enters next stands behind them. Where a client keeps messages behind its summary, this comes when the summary has
 * entered, and the summary is the first of them; else it comes at the boundary.
 *
 * @since 0.1.0
 * @category models
 */
export interface Restarted extends Place {
  readonly _tag: "Restarted"
  readonly why: "client-compaction" | "fork"
  readonly keeps: ReadonlyArray<string>
}

/**
 * The client blanked the results of these calls in its requests, and shows `put` in their place.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cleared extends Place {
  readonly _tag: "Cleared"
  readonly calls: ReadonlyArray<string>
  readonly put: string
}

/**
 * What the provider reported for the newest request, as it stands in the source. The last one of a request wins.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reported extends Place {
  readonly _tag: "Reported"
  readonly usage: unknown
}

/** @since 0.1.0 */
export type Move = Opened | Prompted | Entered | Aside | Restarted | Cleared | Reported

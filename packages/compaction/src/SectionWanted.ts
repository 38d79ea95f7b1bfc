/**
 * What planning a section asks its caller for, and what it is given: the one channel between a pure plan and a world with
 * policies, workspaces and stores.
 *
 *     plan ── Reread(target) ──> caller ── Fresh(text, address) | Refused(why) ──> plan
 *          ── Restore(seq) ────> caller ── Restored(form) ───────────────────────> plan
 *
 * A view forgets the form of what stands behind a collapse (its size is what it shows), so an entry that returns is asked
 * for: the answer is the form in which it was admitted, as recorded.
 *
 * @since 0.1.0
 */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Form } from "./Form.ts"
import type { Reread, RereadAnswer } from "./SectionReread.ts"

/**
 * An entry that was left out is shown again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Restore {
  readonly _tag: "Restore"
  readonly seq: Seq
}

/**
 * `Whole`, `Framed` or `Bounded`, whichever its admission recorded.
 *
 * @since 0.1.0
 * @category models
 */
export interface Restored {
  readonly _tag: "Restored"
  readonly form: Form
}

/**
 * @since 0.1.0
 * @category models
 */
export type Wanted = Reread | Restore

/**
 * @since 0.1.0
 * @category models
 */
export type Given = RereadAnswer | Restored

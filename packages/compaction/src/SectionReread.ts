/**
 * Reading a stale file again, through the policy of now, before a section shows it. Planning asks; the caller, who has a
 * policy and a workspace, answers. Each refusal is a reason, never an error.
 *
 *     no workspace? ──> policy of now allows? ──> read inside the root ──> empty? ──> Fresh
 *          └────────────────┴── Refused(why) ──────────┴──────────────────┘
 *
 * Law 12: `ask` without an approver refuses, and planning has none. The path is confined by whoever reads it. The reasons
 * are the seed's: they name rules to the model, and an empty file is called gone (IO-W20).
 *
 * Source: IO-25, IO-27.
 *
 * @since 0.1.0
 */
import type { Address } from "@palimpsest/ledger/Address"
import type { Size } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"

/**
 * A wish to read `target` again: the read `seq` is stale since the write `invalidatedBy`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reread {
  readonly _tag: "Reread"
  readonly seq: Seq
  readonly target: string
  readonly invalidatedBy: Seq
}

/**
 * The answer. A fresh text is whole and is stored at `of`, where the view will take it from: an entry without observation,
 * the same one while the contents are the same. `size` spares a scan.
 *
 * @since 0.1.0
 * @category models
 */
export type RereadAnswer =
  | { readonly _tag: "Fresh"; readonly text: string; readonly of: Address; readonly size?: Size }
  | { readonly _tag: "Refused"; readonly why: string }

/**
 * What a workspace found. A file that is missing reads as empty.
 *
 * @since 0.1.0
 * @category models
 */
export type Contents =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Failed"; readonly why: string }

/**
 * Policy's answer about reading the target now, and the rule that gave it where one did.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ruled {
  readonly ruling: "allow" | "ask" | "deny"
  readonly rule?: string | undefined
}

/**
 * All guards at once, for a caller that can answer without waiting. `store` gives the address of a fresh text.
 *
 * @since 0.1.0
 * @category answering
 */
export const answer = (
  target: string,
  workspace: { readonly read: (target: string) => Contents } | undefined,
  ruled: Ruled,
  store: (text: string) => Address
): RereadAnswer => {
  const why = refusal(workspace !== undefined, ruled)
  if (why !== undefined) return { _tag: "Refused", why }
  return workspace === undefined ? { _tag: "Refused", why: NO_WORKSPACE } : found(workspace.read(target), store)
}

/**
 * Why the target may not be read at all; undefined where it may.
 *
 * @since 0.1.0
 * @category guards
 */
export const refusal = (hasWorkspace: boolean, ruled: Ruled): string | undefined => {
  if (!hasWorkspace) return NO_WORKSPACE
  if (ruled.ruling === "allow") return undefined
  const what = ruled.ruling === "deny" ? "the policy denies reading it" : "the policy sends reading it to a human"
  return ruled.rule === undefined ? what : `${what} by rule ${ruled.rule}`
}

/**
 * The answer for what was read.
 *
 * @since 0.1.0
 * @category guards
 */
export const found = (contents: Contents, store: (text: string) => Address): RereadAnswer => {
  if (contents._tag === "Failed") return { _tag: "Refused", why: `the re-read failed: ${contents.why}` }
  if (contents.text === "") return { _tag: "Refused", why: EMPTY }
  return { _tag: "Fresh", text: contents.text, of: store(contents.text) }
}

/**
 * @since 0.1.0
 * @category words
 */
export const NO_WORKSPACE = "this run has no workspace to re-read from"

/**
 * @since 0.1.0
 * @category words
 */
export const EMPTY = "it is now empty, or gone"

/**
 * What a run knows of its own view, as a value: what was shortened, what is kept where, and what was acted on.
 *
 *     whole ──preserve──> whole, kept at a path ──retire──> stub, naming that path
 *       └──────────────────────retire──────────────────────────┘
 *
 * 1. `spilled` is written once for a key, when its message is shortened: it both guards and detects a stub (CA-12).
 * 2. `preserved` is a path that was promised to someone: a stub uses it as it is, so no later failure to write can
 *    strand a pointer (CA-16). A failed write is not remembered.
 * 3. `consumedFrom` only rises (CA-09). Keeps CA-W4: any mutation spends all that was read before it.
 *
 * Mends CA-W5 and CA-W6 in kind: states are values, and the same transcript and decisions fold to the same state again.
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import * as Inflow from "./Inflow.ts"
import type { Spill } from "./Spill.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Decayer {
  readonly spilled: HashMap.HashMap<string, Retired>
  readonly preserved: HashMap.HashMap<string, string>
  /** Results at a lower index were in front of the model when it last changed the workspace. */
  readonly consumedFrom: number
  readonly consumed: HashSet.HashSet<string>
  readonly inflow: Inflow.Inflow
}

/**
 * A message that was shortened, and the path that its stub names, if it names one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Retired {
  readonly path: string | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: Decayer = {
  spilled: HashMap.empty(),
  preserved: HashMap.empty(),
  consumedFrom: 0,
  consumed: HashSet.empty(),
  inflow: Inflow.empty
}

/**
 * The bytes that a turn brought in.
 *
 * @since 0.1.0
 * @category folding
 */
export const observe = (decayer: Decayer, bytes: number): Decayer => ({
  ...decayer,
  inflow: Inflow.observe(decayer.inflow, bytes)
})

/**
 * The workspace changed while `index` messages stood before the model: they are spent.
 *
 * @since 0.1.0
 * @category folding
 */
export const actedPast = (decayer: Decayer, index: number): Decayer =>
  index > decayer.consumedFrom ? { ...decayer, consumedFrom: index } : decayer

/**
 * One result is spent: a pointer stands for it elsewhere.
 *
 * @since 0.1.0
 * @category folding
 */
export const used = (decayer: Decayer, key: string): Decayer => ({
  ...decayer,
  consumed: HashSet.add(decayer.consumed, key)
})

/**
 * A message was shortened.
 *
 * @since 0.1.0
 * @category folding
 */
export const retire = (decayer: Decayer, key: string, path: string | undefined): Decayer => ({
  ...decayer,
  spilled: HashMap.set(decayer.spilled, key, { path })
})

/**
 * A path that exists already is handed to a second key with the same bytes.
 *
 * @since 0.1.0
 * @category folding
 */
export const inherit = (decayer: Decayer, key: string, path: string | undefined): Decayer =>
  key === "" || path === undefined ? decayer : { ...decayer, preserved: HashMap.set(decayer.preserved, key, path) }

/**
 * A body is kept before anything points at it; once for a key. Undefined: it cannot be kept now.
 *
 * @since 0.1.0
 * @category folding
 */
export const preserve = (
  decayer: Decayer,
  spill: Spill,
  key: string,
  body: string
): { readonly decayer: Decayer; readonly path: string | undefined } => {
  const known = pathOf(decayer, key)
  if (known !== undefined) return { decayer, path: known }
  const path = retired(decayer, key)?.path ?? spill(key, body)
  return { decayer: inherit(decayer, key, path), path }
}

/**
 * Whether a message was shortened, and to what path.
 *
 * @since 0.1.0
 * @category accessors
 */
export const retired = (decayer: Decayer, key: string): Retired | undefined =>
  Option.getOrUndefined(HashMap.get(decayer.spilled, key))

/**
 * The path where a body is kept ahead of its stub.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pathOf = (decayer: Decayer, key: string): string | undefined =>
  Option.getOrUndefined(HashMap.get(decayer.preserved, key))

/**
 * Whether a result was acted on: by a change of the workspace after it, or by a pointer.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isConsumed = (decayer: Decayer, key: string, index: number): boolean =>
  index < decayer.consumedFrom || HashSet.has(decayer.consumed, key)

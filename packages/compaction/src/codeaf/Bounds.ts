/**
 * The bounds of a single result, at entry (CA-31): shares of the working window, decided once for a run, as a bound that
 * moved would rewrite what was sent already (law 6).
 *
 *     unknown window, at 32 KiB:   result 12,288   spill 10,240   preview 4,096   recall 8,192      and 2,000 lines
 *
 * A result over its bound is kept, and its end (a command, where the verdict stands last) or its beginning (a reading)
 * is carried, with the exact next command. Errors are never cut: they are read where they happened.
 *
 * Keeps CA-W9: a known window that is starved falls back to the bounds of the unknown one, which do not fit inside it.
 *
 * @since 0.1.0
 */
import { carried, countLines, type Cut, cutHead, cutTail, type Saved, type Window } from "./Cut.ts"
import { bytesOf } from "./Sized.ts"
import { budgetOf, DEFAULT_OBSERVATION_BYTES, DEFAULTS, observed, share, type Settings } from "./Windows.ts"

/**
 * Bytes. `preview` is below `spill`, and `spill` below `result`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bounds {
  /** A whole result. */
  readonly result: number
  /** Above it, a result is kept elsewhere. */
  readonly spill: number
  /** What is carried of one that is. */
  readonly preview: number
  /** A map from memory. */
  readonly recall: number
}

/**
 * The bounds of an unknown window, and the numerators of the shares of a known one.
 *
 * @since 0.1.0
 * @category constants
 */
export const REFERENCE: Bounds = { result: 12 << 10, spill: 10 << 10, preview: 4 << 10, recall: 8 << 10 }

/**
 * @since 0.1.0
 * @category constants
 */
export const MAX_RESULT_LINES = 2_000

/**
 * The bounds of a run whose model holds so many tokens (0: unknown). Ask once, and keep the answer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const boundsOf = (context: number, under: Settings = DEFAULTS): Bounds => {
  const budget = observed(budgetOf(context, under))
  const of = (bytes: number): number => share(budget, bytes, DEFAULT_OBSERVATION_BYTES, bytes)
  return {
    result: of(REFERENCE.result),
    spill: of(REFERENCE.spill),
    preview: of(REFERENCE.preview),
    recall: of(REFERENCE.recall)
  }
}

/**
 * A result as it comes from its tool. `bounded`: it was cut while it streamed, and says so itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface Incoming {
  readonly content: string
  readonly shape?: "read" | "command"
  readonly isError?: boolean
  readonly bounded?: boolean
}

/**
 * What enters the transcript. `save` is asked, before the cut, where the whole can be read; it is not asked for what fits.
 *
 * @since 0.1.0
 * @category bounding
 */
export const enter = (
  bounds: Bounds,
  { bounded = false, content, isError = false, shape = "read" }: Incoming,
  save: (content: string) => string | undefined
): { readonly content: string; readonly bounded: boolean } => {
  const found = entryCut(bounds, { bounded, content, isError, shape })
  if (found === undefined) return { content, bounded }
  const path = save(content)
  return { content: carried(found.cut, found.window, path === undefined ? undefined : { path }), bounded: true }
}

/**
 * Where a result is cut as it enters, for a caller that keeps ranges instead of texts; undefined where it is carried
 * whole.
 *
 * @since 0.1.0
 * @category bounding
 */
export const entryCut = (
  bounds: Bounds,
  { bounded = false, content, isError = false, shape = "read" }: Incoming
): { readonly cut: Cut; readonly window: Window } | undefined =>
  isError || bounded || isWithin(content, bounds.spill)
    ? undefined
    : cutTo(content, bounds.spill, bounds.preview, shape)

/**
 * A text within `carry` bytes and 2,000 lines as it is; else `keep` bytes of it (half of `carry` where that is no less),
 * with a notice.
 *
 * @since 0.1.0
 * @category bounding
 */
export const boundResult = (
  text: string,
  carry: number,
  keep: number,
  shape: "read" | "command",
  saved: Saved | undefined
): string => {
  if (isWithin(text, carry)) return text
  const { cut, window } = cutTo(text, carry, keep, shape)
  return carried(cut, window, saved)
}

const cutTo = (
  text: string,
  carry: number,
  keep: number,
  shape: "read" | "command"
): { readonly cut: Cut; readonly window: Window } => {
  const bytes = keep <= 0 || keep >= carry ? Math.trunc(carry / 2) : keep
  const window = { bytes, lines: MAX_RESULT_LINES }
  return { cut: shape === "command" ? cutTail(text, window) : cutHead(text, window), window }
}

const isWithin = (text: string, carry: number): boolean =>
  bytesOf(text) <= carry && countLines(text) <= MAX_RESULT_LINES

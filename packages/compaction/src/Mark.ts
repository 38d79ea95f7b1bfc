/**
 * The words of our own in a view, in one grammar: `[@41 …]`, ASCII only, so that a view of ASCII text stays one byte a
 * character. Foreign text inside a mark (a target) is cut on a character and cannot close the bracket. A mark means
 * nothing when it comes back (law 15): addresses are resolved by decisions, not by reading text.
 *
 * Mends CA-W8 in kind: labels are never sliced through a character nor able to forge the end of a mark.
 *
 * @since 0.1.0
 */
import { format, type Address } from "@palimpsest/ledger/Address"
import type { Seq } from "@palimpsest/ledger/Ids"
import { label, type Observation } from "@palimpsest/ledger/Observation"
import type { Form, Why } from "./Form.ts"
import type { Splice } from "./Splice.ts"

/**
 * The mark in place of a result that is left out: its address, what it was, how large, and why.
 *
 * @since 0.1.0
 * @category marks
 */
export const stub = (
  rest: Address,
  what: Observation | undefined,
  scalars: number,
  why: Why
): Form & { readonly _tag: "Stub" } => ({
  _tag: "Stub",
  why,
  rest,
  put: [`[${format(rest)} left out: ${nameOf(what)}, ${grouped(scalars)} chars, ${reason(why)}]`]
})

/**
 * The mark in place of a result whose bytes stand above.
 *
 * @since 0.1.0
 * @category marks
 */
export const pointer = (rest: Address, to: Seq): Form & { readonly _tag: "Pointer" } => ({
  _tag: "Pointer",
  to,
  rest,
  put: [`[${format(rest)} is the same as ${format({ seq: to })}, which stands above]`]
})

/**
 * The mark in place of the model's own words.
 *
 * @since 0.1.0
 * @category marks
 */
export const fold = (rest: Address, scalars: number): Form & { readonly _tag: "Fold" } => ({
  _tag: "Fold",
  rest,
  put: [`[${format(rest)} folded: ${grouped(scalars)} chars]`]
})

/**
 * The words for entries that left with their turns: their addresses, how many calls they were, and a few of the newest
 * things that they were of.
 *
 * @since 0.1.0
 * @category marks
 */
export const collapsed = (
  first: Address,
  last: Address,
  calls: number,
  observed: ReadonlyArray<Observation>
): Splice => {
  const range = first.seq === last.seq ? format(first) : `${format(first)}-${format(last)}`
  const names = new Set<string>()
  for (let i = observed.length - 1; i >= 0 && names.size < NAMED; i--) {
    const what = observed[i]!
    if (what.target !== undefined && NAMED_KINDS.has(what.kind)) names.add(nameOf(what))
  }
  const among = names.size === 0 ? "" : `, among them ${[...names].reverse().join(", ")}`
  return [`[${range} left out: ${calls} ${calls === 1 ? "call" : "calls"}${among}]`]
}

/**
 * The answer to a call whose result never came.
 *
 * @since 0.1.0
 * @category marks
 */
export const NO_RESULT: Splice = ["[no result was recorded for this call]"]

/**
 * A number with its thousands grouped by commas (IO-17).
 *
 * @since 0.1.0
 * @category formatting
 */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",")

const reason = (why: Why): string => {
  switch (why._tag) {
    case "Superseded":
      return `superseded by @${why.by}`
    case "Invalidated":
      return `changed by the write @${why.by}`
    case "Aged":
      return "aged"
    case "Refused":
      return `changed by the write @${why.invalidatedBy}, and not readable now`
    case "Duplicated":
      return `the same as @${why.of}`
    case "Consumed":
      return "acted on"
    case "Unbound":
      return "reasoning before a rewrite"
  }
}

const nameOf = (what: Observation | undefined): string => {
  if (what === undefined) return "result"
  return what.target === undefined ? label(what.kind) : `${label(what.kind)} ${plain(what.target)}`
}

/**
 * A target as it is shown in our words: at most 60 characters, printable ASCII kept, all else as `?`, and no brackets.
 *
 * @since 0.1.0
 * @category formatting
 */
export const plain = (target: string): string => {
  const chars = [...target]
  const cut = chars.length > TARGET_CHARS ? [...chars.slice(0, TARGET_CHARS - 3), "..."] : chars
  return cut
    .map((char) => (char === "[" ? "(" : char === "]" ? ")" : /^[\x20-\x7e]+$/.test(char) ? char : "?"))
    .join("")
}

const TARGET_CHARS = 60
/** How many things a collapse names, and of which kinds. */
const NAMED = 3
const NAMED_KINDS: ReadonlySet<Observation["kind"]> = new Set(["read", "write"])

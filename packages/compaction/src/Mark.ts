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
  }
}

const nameOf = (what: Observation | undefined): string => {
  if (what === undefined) return "result"
  return what.target === undefined ? label(what.kind) : `${label(what.kind)} ${plain(what.target)}`
}

/** At most 60 characters, printable ASCII kept, all else as `?`, and no brackets. */
const plain = (target: string): string => {
  const chars = [...target]
  const cut = chars.length > TARGET_CHARS ? [...chars.slice(0, TARGET_CHARS - 3), "..."] : chars
  return cut
    .map((char) => (char === "[" ? "(" : char === "]" ? ")" : /^[\x20-\x7e]+$/.test(char) ? char : "?"))
    .join("")
}

const TARGET_CHARS = 60

/**
 * The report of background jobs that a harness appends to a result: lines of state and elapsed time, true when they were
 * written and of no result in particular (CA-25).
 *
 *     …what the tool said
 *                                              one empty line
 *     [job 1 · running 4s · last: case 41/120]
 *     [job 2 · exited 0 after 1m02s]
 *
 * The first of the registered normalisers: what it takes off is no part of a fact's identity. Keeps CA-W15 (a time in any
 * other place still makes two results of one).
 *
 * @since 0.1.0
 */
import { integer } from "./Decimal.ts"

/**
 * What the tool said, without the report. Only whole lines at the very end are taken, and the empty lines before them.
 *
 * @since 0.1.0
 * @category normalisers
 */
export const stripJobReport = (text: string): string => {
  const lines = text.replace(/\n+$/, "").split("\n")
  let end = lines.length
  while (end > 0 && isReport(lines[end - 1]!)) end--
  if (end === lines.length) return text
  while (end > 0 && isBlank(lines[end - 1]!)) end--
  return lines.slice(0, end).join("\n")
}

/**
 * Whether a text holds nothing but white space.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isBlank = (text: string): boolean => /^[\p{White_Space}]*$/u.test(text)

const isReport = (line: string): boolean => {
  if (!line.startsWith(LEAD) || !line.endsWith("]")) return false
  const number = line.slice(LEAD.length).split(" · ", 2)
  return number.length === 2 && integer(number[0]!) !== undefined
}

const LEAD = "[job "

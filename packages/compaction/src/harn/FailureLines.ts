/**
 * Which lines of an output say that something failed. One filter, for the microcompaction of results and for the mask.
 *
 * Kept: HA-W12. It reads English and the shapes of some tools; a caret or a leading `got` keeps noise; the first 32 lines
 * win, so the last error of a long output may be lost; a time of day before a keyword looks like a place in a file.
 *
 * @since 0.1.0
 */
import { type Line, linesOf } from "./Bytes.ts"

/**
 * The most failure lines that are kept of one output.
 *
 * @since 0.1.0
 * @category constants
 */
export const MAX_FAILURE_LINES = 32

/**
 * The first failure lines of a text, at most 32, from its line number `skip` on (0 for all).
 *
 * @since 0.1.0
 * @category filters
 */
export const failureLines = (text: string, skip = 0): ReadonlyArray<Line> => {
  const found: Array<Line> = []
  for (const line of linesOf(text).slice(skip)) {
    if (!isFailureLine(line.text)) continue
    found.push(line)
    if (found.length === MAX_FAILURE_LINES) break
  }
  return found
}

/**
 * Whether a line says that something failed.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isFailureLine = (line: string): boolean => {
  const trimmed = line.trim()
  if (trimmed === "") return false
  const lower = trimmed.toLowerCase()
  return (
    STRONG.some((word) => trimmed.includes(word)) ||
    (isPlaced(trimmed) && KEYWORDS.some((word) => lower.includes(word))) ||
    INSIDE.some((word) => line.toLowerCase().includes(word)) ||
    STARTS.some((word) => lower.startsWith(word)) ||
    trimmed.includes("^") ||
    /^\d+ \|/.test(trimmed) ||
    /^L\d+:/.test(trimmed)
  )
}

/** Enough by themselves, in this spelling. */
const STRONG = ["FAIL", "panic", "Panic"] as const

/** Enough on a line whose first colon stands before a digit, as in `file.go:12`. */
const KEYWORDS = [
  "error",
  "undefined",
  "expected",
  "got",
  "cannot find",
  "not found",
  "no such",
  "unresolved",
  "missing",
  "declared but not used",
  "unused",
  "mismatch"
] as const

const INSIDE = [" error ", "panic:", "assertionerror"] as const

const STARTS = [
  "error:",
  "warning:",
  "note:",
  "left:",
  "right:",
  "expected:",
  "actual:",
  "got:",
  "want:",
  "got ",
  "want ",
  "assertion",
  "-->",
  "= help:",
  "= note:"
] as const

const isPlaced = (line: string): boolean => /^[^:]*:\d/.test(line)

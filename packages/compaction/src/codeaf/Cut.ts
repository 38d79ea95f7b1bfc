/**
 * A cut through a text that is too large, on line boundaries, with the command that reads on (CA-31). Lines are counted
 * as line tools count them, so the numbers in the command are true.
 *
 *     head: whole lines from the start, notice behind them       tail: notice first, whole lines up to the end
 *
 * Where not one line fits, part of one is kept, never half a character. The notice names a shell command of the preset's
 * own harness; its path is words, and the address is in the decision (law 4).
 *
 * @since 0.1.0
 */
import { bytesOf } from "./Sized.ts"

/**
 * What is kept of a text. No whole line fitted where `lines` is 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cut {
  readonly end: "head" | "tail"
  readonly kept: string
  readonly lines: number
  readonly totalLines: number
  readonly totalBytes: number
}

/**
 * The most that may be kept; the next command reads as much again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Window {
  readonly bytes: number
  readonly lines: number
}

/**
 * Where the whole is kept, or its first `first` bytes where no more of it was.
 *
 * @since 0.1.0
 * @category models
 */
export interface Saved {
  readonly path: string
  readonly first?: number
}

/**
 * A line break at the end ends the last line, and begins none.
 *
 * @since 0.1.0
 * @category sizes
 */
export const countLines = (text: string): number => {
  if (text === "") return 0
  let lines = text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/**
 * The first lines that fit. A last line without a line break is not whole.
 *
 * @since 0.1.0
 * @category cutting
 */
export const cutHead = (text: string, window: Window): Cut => {
  let end = 0
  let bytes = 0
  let lines = 0
  while (lines < window.lines) {
    const next = text.indexOf("\n", end) + 1
    if (next === 0) break
    bytes += bytesOf(text.slice(end, next))
    if (bytes > window.bytes) break
    end = next
    lines++
  }
  const kept = lines === 0 ? firstChars(text, window.bytes) : text.slice(0, end)
  return { end: "head", kept, lines, totalLines: countLines(text), totalBytes: bytesOf(text) }
}

/**
 * The last lines that fit.
 *
 * @since 0.1.0
 * @category cutting
 */
export const cutTail = (text: string, window: Window): Cut => {
  let start = text.length
  let bytes = 0
  let lines = 0
  let before = text.endsWith("\n") ? text.length - 1 : text.length
  while (lines < window.lines) {
    const begin = before === 0 ? 0 : text.lastIndexOf("\n", before - 1) + 1
    bytes += bytesOf(text.slice(begin, start))
    if (bytes > window.bytes) break
    start = begin
    lines++
    if (begin === 0) break
    before = begin - 1
  }
  const kept = lines === 0 ? lastChars(text, window.bytes) : text.slice(start)
  return { end: "tail", kept, lines, totalLines: countLines(text), totalBytes: bytesOf(text) }
}

/**
 * What is carried: the notice stands where the cut is.
 *
 * @since 0.1.0
 * @category rendering
 */
export const carried = (cut: Cut, window: Window, saved: Saved | undefined): string =>
  cut.end === "tail"
    ? `${notice(cut, window, saved)}\n${cut.kept}`
    : `${cut.kept.replace(/\n+$/, "")}\n\n${notice(cut, window, saved)}`

/**
 * What is shown of what, where the whole is, and the command that reads on.
 *
 * @since 0.1.0
 * @category rendering
 */
export const notice = (cut: Cut, window: Window, saved: Saved | undefined): string => {
  const shown = shownIn(cut, window, bytesOf(cut.kept))
  if (saved === undefined)
    return `[${shown} The rest was not saved — re-run narrowed (grep, head, tail) if you need it.]`
  const { first, path } = saved
  const whole = first === undefined ? `Whole output: ${path}` : `First ${first} bytes: ${path}`
  return `[${shown} ${whole} — ${command(cut, window, path)}]`
}

const shownIn = ({ end, lines, totalBytes, totalLines }: Cut, window: Window, kept: number): string => {
  if (lines === 0) {
    const [line, part] = end === "tail" ? [totalLines, "last"] : [1, "first"]
    return `Line ${line} of ${totalLines} is longer than the ${window.bytes} bytes that fit; showing its ${part} ${kept}, of ${totalBytes} bytes in all.`
  }
  return end === "tail"
    ? `Showing lines ${totalLines - lines + 1}-${totalLines} of ${totalLines}, the last ${kept} of ${totalBytes} bytes.`
    : `Showing lines 1-${lines} of ${totalLines}, the first ${kept} of ${totalBytes} bytes.`
}

const command = ({ end, kept, lines, totalLines }: Cut, window: Window, path: string): string => {
  if (lines === 0) {
    const from = bytesOf(kept)
    return end === "tail"
      ? `read that line from the start with sh: sed -n '${totalLines}p' ${path} | head -c ${window.bytes}`
      : `read on with sh: sed -n '1p' ${path} | cut -b ${from + 1}-${from + window.bytes}`
  }
  return end === "tail"
    ? `read the start with sh: sed -n '1,${Math.min(window.lines, totalLines - lines)}p' ${path}`
    : `continue with sh: sed -n '${lines + 1},${lines + window.lines}p' ${path}`
}

/** Whole characters within so many bytes, from the front. */
const firstChars = (text: string, most: number): string => {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += bytesOf(char)
    if (bytes > most) break
    end += char.length
  }
  return text.slice(0, end)
}

/** Whole characters within so many bytes, up to the end. */
const lastChars = (text: string, most: number): string => {
  // A character takes at least one byte for each of its units, so no more units than bytes can fit.
  const near = Array.from(text.slice(Math.max(0, text.length - most - 1)))
  let bytes = 0
  let at = near.length
  while (at > 0 && bytes + bytesOf(near[at - 1]!) <= most) bytes += bytesOf(near[--at]!)
  return near.slice(at).join("")
}

/** What commands print: values as JSON, or tables whose columns line up. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"

/** `--json`, wherever a table is printed. */
export const json = Options.boolean("json").pipe(Options.withDescription("print JSON instead of a table"))

/** Writes bytes or text to standard output, all of it, before going on. A closed pipe ends the writing quietly. */
export const write = (data: string | Uint8Array): Effect.Effect<void> => Effect.sync(() => writeAll(1, data))

/** One line on standard output. */
export const line = (text: string): Effect.Effect<void> => write(`${text}\n`)

/** One line on standard error. */
export const note = (text: string): Effect.Effect<void> => Effect.sync(() => writeAll(2, `${text}\n`))

/** Rows under a heading; numbers to the right, words to the left. */
export const table = (heading: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ""))))
  const isNumber = heading.map((_, column) => rows.every((row) => /^[-0-9.,%x]*$/.test(row[column] ?? "")))
  return all
    .map((row) =>
      row
        .map((cell, column) => {
          const gap = " ".repeat(widths[column]! - width(cell))
          return isNumber[column] === true ? gap + cell : cell + gap
        })
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** A whole number with its thousands apart. */
export const count = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",")

/** A share as a percentage with one decimal. */
export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

/** Progress by bytes on standard error, where that is a terminal. */
export const progress = (
  total: number
): { readonly at: (done: number) => Effect.Effect<void>; readonly end: Effect.Effect<void> } => {
  const isShown = process.stderr.isTTY && total > 0
  const show = (text: string) => Effect.sync(() => writeAll(2, `\r\u001b[K${text}`))
  return isShown
    ? { at: (done) => show(`${percent(Math.min(1, done / total))} of ${count(total)} bytes`), end: show("") }
    : { at: () => Effect.void, end: Effect.void }
}

const width = (text: string): number => [...text].length

const writeAll = (descriptor: number, data: string | Uint8Array): void => {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined
      if (code === "EAGAIN") continue
      if (code === "EPIPE") return
      throw error
    }
  }
}

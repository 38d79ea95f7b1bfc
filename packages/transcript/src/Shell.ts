/**
 * What a shell command reads, where that is sure: one plain command of a few well-known ones. Anything that a shell would
 * give another meaning (a pipe, a list, a redirection, a substitution, a variable, a pattern) is not looked into, as half
 * a reading of a command would call the wrong thing superseded.
 *
 * @since 0.1.0
 */
import { END, type Coverage } from "@palimpsest/ledger/Observation"

/**
 * What a command is an observation of: lines of a file; the end of a file, whose lines are not known; a search; a list.
 *
 * @since 0.1.0
 * @category models
 */
export type Reading =
  | { readonly _tag: "File"; readonly path: string; readonly covers: Coverage }
  | { readonly _tag: "Tail"; readonly path: string; readonly count: number }
  | { readonly _tag: "Search"; readonly words: ReadonlyArray<string> }
  | { readonly _tag: "List"; readonly words: ReadonlyArray<string> }

/**
 * Reads a command; undefined for all but the plain ones.
 *
 * @since 0.1.0
 * @category parsing
 */
export const read = (command: string): Reading | undefined => {
  const words = split(command.trim())
  const [name, ...rest] = words ?? []
  if (words === undefined || name === undefined) return undefined
  switch (name) {
    case "cat":
      return file(rest[0] === "-n" ? rest.slice(1) : rest, ALL)
    case "sed":
      return sed(rest)
    case "head": {
      const [count, path] = counted(rest)
      return count === undefined ? undefined : file(path, { _tag: "Lines", from: 1, to: count })
    }
    case "tail":
      return tail(rest)
    case "grep":
    case "egrep":
    case "fgrep":
    case "rg":
    case "ag":
      return { _tag: "Search", words }
    case "git":
      return rest[0] === "grep" ? { _tag: "Search", words } : undefined
    case "ls":
    case "find":
    case "fd":
    case "tree":
      return rest.some((word) => ACTS.test(word)) ? undefined : { _tag: "List", words }
    default:
      return undefined
  }
}

/**
 * The words of a plain command, quotes taken off; undefined where a shell would do more than split it.
 *
 * @since 0.1.0
 * @category parsing
 */
export const split = (command: string): ReadonlyArray<string> | undefined => {
  const words: Array<string> = []
  let word: string | undefined
  let i = 0
  while (i < command.length) {
    const char = command.charAt(i)
    if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word)
      word = undefined
      i++
    } else if (char === "'") {
      const end = command.indexOf("'", i + 1)
      if (end < 0) return undefined
      word = (word ?? "") + command.slice(i + 1, end)
      i = end + 1
    } else if (char === '"') {
      const quoted = doubleQuoted(command, i + 1)
      if (quoted === undefined) return undefined
      word = (word ?? "") + quoted.text
      i = quoted.end
    } else if (char === "\\") {
      if (i + 1 >= command.length || command.charAt(i + 1) === "\n") return undefined
      word = (word ?? "") + command.charAt(i + 1)
      i += 2
    } else {
      if (SPECIAL.test(char) || (word === undefined && (char === "#" || char === "!"))) return undefined
      word = (word ?? "") + char
      i++
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

const doubleQuoted = (command: string, from: number): { readonly text: string; readonly end: number } | undefined => {
  let text = ""
  for (let i = from; i < command.length; i++) {
    const char = command.charAt(i)
    if (char === '"') return { text, end: i + 1 }
    if (char === "$" || char === "`") return undefined
    if (char === "\\" && /["\\$`]/.test(command.charAt(i + 1))) text += command.charAt(++i)
    else text += char
  }
  return undefined
}

/** Exactly one file, by name. */
const file = (words: ReadonlyArray<string>, covers: Coverage): Reading | undefined => {
  const [path, more] = words[0] === "--" ? words.slice(1) : words
  if (path === undefined || path === "" || more !== undefined || path.startsWith("-")) return undefined
  return { _tag: "File", path, covers }
}

const sed = (words: ReadonlyArray<string>): Reading | undefined => {
  if (words[0] !== "-n") return undefined
  const [script, ...rest] = words[1] === "-e" ? words.slice(2) : words.slice(1)
  const match = /^(\d+)(?:,(\d+|\$))?p;?$/.exec(script ?? "")
  if (match === null) return undefined
  const from = Number(match[1])
  const to = match[2] === undefined ? from : match[2] === "$" ? END : Number(match[2])
  // Behind its end, sed still prints the first line of a range.
  return from < 1 || from > END || to > END ? undefined : file(rest, { _tag: "Lines", from, to: Math.max(from, to) })
}

const tail = (words: ReadonlyArray<string>): Reading | undefined => {
  const start = /^\+([1-9]\d{0,8})$/.exec(words[0] === "-n" ? (words[1] ?? "") : "")
  if (start !== null) return file(words.slice(2), { _tag: "Lines", from: Number(start[1]), to: END })
  const [count, rest] = counted(words)
  const found = count === undefined ? undefined : file(rest, ALL)
  return found?._tag === "File" && count !== undefined ? { _tag: "Tail", path: found.path, count } : undefined
}

/** The count of `head` and `tail` (`-n 5`, `-n5`, `-5`, `--lines=5`, or the default of 10), and the other words. */
const counted = (words: ReadonlyArray<string>): readonly [number | undefined, ReadonlyArray<string>] => {
  const [first, second] = words
  const isApart = first === "-n" || first === "--lines"
  const text = isApart ? second : /^(?:-n|-|--lines=)(\d+)$/.exec(first ?? "")?.[1]
  if (text === undefined) return first?.startsWith("-") === true ? [undefined, []] : [10, words]
  return [/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined, words.slice(isApart ? 2 : 1)]
}

const ALL: Coverage = { _tag: "All" }
const SPECIAL = /[|&;<>()$`*?[\]{}\n\r~]/
const ACTS = /^-(exec|execdir|ok|okdir|delete|fprint.*|fls)$/

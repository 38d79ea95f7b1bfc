/**
 * What must not stand in the tree, file by file: places that only exist on one machine, hosts of package registries,
 * tests that do not run, escapes from the types, and files that hold more than one concept. The patterns are put
 * together from pieces, so that this file does not match itself.
 */
import { codeOf } from "./code.ts"

export interface Rule {
  readonly name: string
  readonly applies: (path: string) => boolean
  /** What is wrong with this text, if anything; `line` is 1-based, 0 for the file. */
  readonly check: (text: string) => ReadonlyArray<{ readonly line: number; readonly found: string }>
}

const MOST_LINES = 400

const isCode = (path: string) => /\.(?:ts|mts|cts|tsx|mjs|cjs|js)$/.test(path)
const isTest = (path: string) => /(?:^|\/)test\//.test(path) && isCode(path)
const isSource = (path: string) => /^(?:packages|apps)\/[^/]+\/src\//.test(path) && isCode(path)

const joined = (...pieces: ReadonlyArray<string>) => pieces.join("")

/** Each line of a text that a pattern finds something in. */
const byLine = (pattern: RegExp) => (text: string) =>
  text.split("\n").flatMap((line, at) => {
    const match = pattern.exec(line)
    return match === null ? [] : [{ line: at + 1, found: match[0] }]
  })

/** The same, over code alone: a word in a comment or a string is no code. */
const inCode = (pattern: RegExp) => (text: string) =>
  [...codeOf(text).text.matchAll(new RegExp(pattern, "g"))].map((match) => ({ line: 0, found: match[0] }))

const homes = ["work", "root", "home", "Users", "tmp"].map((name) => joined("/", name, "/")).join("|")

export const RULES: ReadonlyArray<Rule> = [
  {
    name: "no path of one machine",
    applies: () => true,
    // A path begins where no other path goes on: `tools/tmp/x` and `https://a/home/b` are none.
    check: byLine(new RegExp(joined("(?<![\\w.*/)}~-])(?:", homes, ")[\\w.]")))
  },
  {
    name: "no registry host",
    applies: () => true,
    check: byLine(new RegExp(joined("\\breg", 'istry\\.[\\w-]+\\.\\w|"reso', 'lved": "http')))
  },
  {
    name: "no test that does not run, or runs alone",
    applies: isTest,
    check: inCode(/\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|skipIf|fails)\b|\b[xf](?:it|describe)\s*\(/)
  },
  {
    name: "no escape from the types",
    applies: isSource,
    check: (text) => [
      ...inCode(/:\s*any\b|\bas\s+any\b|<any>|\bas\s+unknown\s+as\b/)(text),
      ...byLine(new RegExp(joined("@ts-", "(?:ignore|expect-error|nocheck)")))(text)
    ]
  },
  {
    name: `no more than ${MOST_LINES} lines`,
    applies: isSource,
    check: (text) => {
      const lines = text.split("\n").length - 1
      return lines > MOST_LINES ? [{ line: 0, found: `${lines} lines` }] : []
    }
  }
]

/** What a rule finds in a file, in words. */
export const broken = (path: string, text: string): ReadonlyArray<string> =>
  RULES.filter((rule) => rule.applies(path)).flatMap((rule) =>
    rule.check(text).map(({ line, found }) => `${path}${line > 0 ? `:${line}` : ""}: ${rule.name}: ${found}`)
  )

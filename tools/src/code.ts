/**
 * Reads a TypeScript source far enough to tell code from comments and strings: comments are dropped, each string becomes
 * a numbered mark, so that a word in a comment or a string is never taken for code.
 *
 *     import { a } from "b" // c    ──>    import { a } from "0"      strings: ["b"]
 *
 * Parts of a template outside `${}` are dropped like a string; what stands inside is code.
 */
export interface Code {
  readonly text: string
  readonly strings: ReadonlyArray<string>
}

/** The code of a source. */
export const codeOf = (source: string): Code => {
  const strings: Array<string> = []
  // Depth of braces at which each open template goes on.
  const templates: Array<number> = []
  let depth = 0
  let text = ""
  let at = 0

  const template = () => {
    while (at < source.length) {
      if (source[at] === "\\") at += 2
      else if (source[at] === "`") return void at++
      else if (source.startsWith("${", at)) {
        templates.push(depth)
        at += 2
        text += " ${"
        return
      } else at++
    }
  }

  while (at < source.length) {
    const char = source[at]!
    if (source.startsWith("//", at)) {
      const end = source.indexOf("\n", at)
      at = end === -1 ? source.length : end
    } else if (source.startsWith("/*", at)) {
      const end = source.indexOf("*/", at + 2)
      at = end === -1 ? source.length : end + 2
      text += " "
    } else if (char === '"' || char === "'") {
      const end = endOf(source, at + 1, char)
      text += `"${strings.push(source.slice(at + 1, end)) - 1}"`
      at = end + 1
    } else if (char === "`") {
      at++
      template()
    } else if (char === "/" && startsRegex(text)) {
      at = endOfRegex(source, at + 1)
      text += " /0/ "
    } else {
      at++
      text += char
      if (char === "{") depth++
      else if (char === "}") {
        if (templates.at(-1) === depth) {
          templates.pop()
          template()
        } else depth--
      }
    }
  }
  return { text, strings }
}

/** The modules that a source imports, re-exports or loads, types included. */
export const importsOf = (code: Code): ReadonlyArray<string> =>
  [...code.text.matchAll(/\b(?:from|import)\s*\(?\s*"(\d+)"/g)].map((match) => code.strings[Number(match[1])]!)

const endOf = (source: string, from: number, quote: string): number => {
  let at = from
  while (at < source.length && source[at] !== quote && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1
  return at
}

/** A slash begins a regular expression where no value can have ended: behind an operator, a bracket or `return`. */
const startsRegex = (before: string): boolean =>
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of))$/.test(before.trimEnd())

const endOfRegex = (source: string, from: number): number => {
  let at = from
  let inClass = false
  while (at < source.length && source[at] !== "\n" && (inClass || source[at] !== "/")) {
    if (source[at] === "\\") at++
    else if (source[at] === "[") inClass = true
    else if (source[at] === "]") inClass = false
    at++
  }
  return at + 1
}

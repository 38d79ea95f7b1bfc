/**
 * Patterns: anchored globs with two wildcards. `*` is any run of characters, `/` and line ends included; `?` is exactly
 * one Unicode scalar value. Everything else stands for itself, and a backslash is no escape.
 *
 * A pattern is matched against a whole target, or against its base name; for `net` also against the host without its
 * port. It is first brought to the form that targets have on the same platform, so that a rule for `./a` guards `a`, and
 * then read once into a shape whose common forms are a comparison each.
 *
 * Malformed, and refused when a policy is loaded rather than matching nothing: an empty pattern; one with `[`, `]`, `{`
 * or `}`, which other globs read as a class or a choice and this one does not have (write `?` for the character); one
 * with NUL or a lone surrogate. For `read` and `write` also one that ends in `/`, or has a `..` behind another
 * segment: no canonical target looks like that, so such a rule would guard nothing. For `net` one that is more than a
 * host and a port (a path would be ignored, and an allow would grant more than it says), and one with wildcards beyond
 * ASCII, as hosts are compared in their ASCII form.
 *
 * Laws kept here: 13 (a deny that cannot match is not accepted), 14 (malformed is an error). Source: IO-38.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { Act } from "./Act.ts"
import { matchesWildcard } from "./internal/wildcard.ts"
import { type Platform, posix } from "./Platform.ts"
import * as Target from "./Target.ts"

/**
 * How a pattern is tried. `part` has no wildcard in it.
 *
 * @since 0.1.0
 * @category models
 */
export type Shape =
  | { readonly _tag: "Any" }
  | { readonly _tag: "Literal"; readonly part: string }
  | { readonly _tag: "Prefix"; readonly part: string }
  | { readonly _tag: "Suffix"; readonly part: string }
  | { readonly _tag: "Inside"; readonly part: string }
  | { readonly _tag: "General" }

/**
 * A pattern that has been read: `text` is what its author wrote, `glob` its canonical form.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pattern {
  readonly text: string
  readonly glob: string
  readonly shape: Shape
}

/**
 * Reads a pattern for an act, or says in words what is wrong with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parse = (act: Act, text: string, platform: Platform = posix): Either.Either<Pattern, string> => {
  const fault = faultOf(act, text, platform)
  if (fault !== undefined) return Either.left(fault)
  // What the canonical form of an endpoint does to a URL would do harm to a wildcard.
  const canonical =
    act === "net" && /[*?]/.test(text)
      ? text.toLowerCase().replace(/([^.*?])\.(:|$)/, "$1$2")
      : Target.canonical(act, text, platform)
  const glob = canonical.replace(/\*{2,}/g, "*")
  return Either.right({ text, glob, shape: shapeOf(glob) })
}

/**
 * What is wrong with a pattern for an act, or `undefined` where nothing is.
 *
 * @since 0.1.0
 * @category predicates
 */
export const faultOf = (act: Act, text: string, { separators }: Platform = posix): string | undefined => {
  if (text === "") return "an empty pattern"
  if (/[\0\p{Cs}]/u.test(text)) return "a NUL or a lone surrogate"
  if (act === "net") {
    if (/[\\/@#]|[^!-~].*[*?]|[*?].*[^!-~]|\s/s.test(text)) return "a net rule names HOST or HOST:PORT in ASCII"
    if (/^\[[\da-f.]*:[\da-f:.]*\](?::[\d*?]+)?$/i.test(text)) return undefined
  }
  const bracket = /[[\]{}]/.exec(text)?.[0]
  if (bracket !== undefined) return `"${bracket}" has no meaning: only "*" and "?" have`
  if (act !== "read" && act !== "write") return undefined
  const path = separators === "/" ? text : text.replaceAll("\\", "/")
  if (/[^/]\/+$/.test(path)) return `no target ends in "/": "${text}*" names what is under it`
  if (/(?:^|\/)(?!\.\.?\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(path)) return `no target has ".." behind another segment`
  return separators !== "/" && /[^/. ][^/]*[. ](?:\/|$)/.test(path) ? `no segment ends in "." or " " here` : undefined
}

/**
 * Whether a pattern matches one canonical string whole. Base names and hosts are for the caller to try.
 *
 * @since 0.1.0
 * @category matching
 */
export const matches = ({ glob, shape }: Pattern, subject: string): boolean => {
  switch (shape._tag) {
    case "Any":
      return true
    case "Literal":
      return subject === shape.part
    case "Prefix":
      return subject.startsWith(shape.part)
    case "Suffix":
      return subject.endsWith(shape.part)
    case "Inside":
      return subject.includes(shape.part)
    case "General":
      return matchesWildcard(glob, subject)
  }
}

const shapeOf = (glob: string): Shape => {
  const [, head, part = "", tail] = /^(\*?)([^*?]*)(\*?)$/.exec(glob) ?? []
  if (head === undefined) return { _tag: "General" }
  if (part === "" && head !== "") return { _tag: "Any" }
  const _tag = head === "" ? (tail === "" ? "Literal" : "Prefix") : tail === "" ? "Suffix" : "Inside"
  return { _tag, part }
}

/**
 * Patterns: anchored globs with two wildcards. `*` is any run of characters, `/` and line ends included; `?` is exactly
 * one Unicode scalar value. Everything else stands for itself: case counts, a backslash is no escape, and no Unicode
 * normalisation is done.
 *
 * A pattern is matched against a whole target, or against its base name; for `net` also against the host without its
 * port. It is first brought to the form that targets have, so that a rule for `./a` guards `a`, and then read once into a
 * shape whose common forms are a comparison each.
 *
 * Malformed, and refused when a policy is loaded rather than matching nothing: an empty pattern; one with `[`, `]`, `{`
 * or `}`, which other globs read as a class or a choice and this one does not have (write `?` for the character); one
 * with NUL or a lone surrogate. For `read` and `write` also one that ends in `/`, or has a `..` behind another
 * segment: no canonical target looks like that, so such a rule would guard nothing.
 *
 * Laws kept here: 13 (a deny that cannot match is not accepted), 14 (malformed is an error). Source: IO-38.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { Act } from "./Act.ts"
import { matchesWildcard } from "./internal/wildcard.ts"
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
  | { readonly _tag: "General"; readonly glob: string }

/**
 * A pattern that has been read: `text` is what its author wrote.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pattern {
  readonly text: string
  readonly shape: Shape
}

/**
 * Reads a pattern for an act, or says in words what is wrong with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parse = (act: Act, text: string): Either.Either<Pattern, string> => {
  const fault = faultOf(act, text)
  return fault === undefined ? Either.right({ text, shape: shapeOf(Target.canonical(act, text)) }) : Either.left(fault)
}

/**
 * What is wrong with a pattern for an act, or `undefined` where nothing is.
 *
 * @since 0.1.0
 * @category predicates
 */
export const faultOf = (act: Act, text: string): string | undefined => {
  if (text === "") return "an empty pattern"
  const bracket = /[[\]{}]/.exec(text)
  if (bracket !== null) return `"${bracket[0]}" has no meaning here: only "*" and "?" are wildcards`
  if (text.includes("\0")) return "a NUL character"
  if (LONE_SURROGATE.test(text)) return "a lone surrogate"
  if (act !== "read" && act !== "write") return undefined
  if (text.length > 1 && text.endsWith("/")) return `no target ends in "/": "${text}*" names what is under it`
  if (/(?:^|\/)(?!\.\.?\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(text)) {
    return `no target has ".." behind another segment`
  }
  return undefined
}

/**
 * Whether a pattern matches one canonical string whole. Base names and hosts are for the caller to try.
 *
 * @since 0.1.0
 * @category matching
 */
export const matches = (pattern: Pattern, subject: string): boolean => {
  const shape = pattern.shape
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
      return matchesWildcard(shape.glob, subject)
  }
}

const shapeOf = (written: string): Shape => {
  const glob = written.replace(/\*{2,}/g, "*")
  if (glob === "*") return { _tag: "Any" }
  const first = glob.indexOf("*")
  if (glob.includes("?")) return { _tag: "General", glob }
  if (first === -1) return { _tag: "Literal", part: glob }
  const last = glob.lastIndexOf("*")
  if (first === last && first === 0) return { _tag: "Suffix", part: glob.slice(1) }
  if (first === last && last === glob.length - 1) return { _tag: "Prefix", part: glob.slice(0, -1) }
  if (first === 0 && last === glob.length - 1 && glob.indexOf("*", 1) === last) {
    return { _tag: "Inside", part: glob.slice(1, -1) }
  }
  return { _tag: "General", glob }
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

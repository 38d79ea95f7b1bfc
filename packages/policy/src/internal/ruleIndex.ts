/**
 * An index over the rules of one act and one ruling: the first of them, in layer then rule order, that matches.
 *
 * Literals are one look-up. A pattern that begins with a literal is filed under its first character, one that ends with
 * one under its last, and only the others are tried in turn. Every list is in rule order, so a look stops at the first
 * rule that comes later than the best so far. A part that stands anywhere in a base name or host stands in the whole
 * target as well, so those patterns are tried once.
 */
import type { Rule } from "../Layer.ts"
import * as Pattern from "../Pattern.ts"
import type { Verdict } from "../Verdict.ts"

/** One rule of a compiled policy. `ordinal` is its place among all rules of the policy. */
export interface Entry {
  readonly ordinal: number
  readonly layer: number
  readonly index: number
  readonly narrowing: boolean
  readonly rule: Rule
  readonly pattern: Pattern.Pattern
  readonly verdict: Verdict
}

/** What a pattern is tried on: a whole target, its base name, and the host where the act is `net`. */
export interface Subjects {
  readonly whole: string
  readonly base: string | undefined
  readonly host: string | undefined
}

export interface RuleIndex {
  readonly literals: ReadonlyMap<string, Entry> | undefined
  readonly byFirst: Filed
  readonly byLast: Filed
  readonly inside: ReadonlyArray<Entry>
  readonly others: ReadonlyArray<Entry>
  readonly size: number
}

/** Entries must be in ordinal order. */
export const make = (entries: ReadonlyArray<Entry>): RuleIndex => {
  const literals = new Map<string, Entry>()
  const byFirst = new Map<number, Array<Entry>>()
  const byLast = new Map<number, Array<Entry>>()
  const inside: Array<Entry> = []
  const others: Array<Entry> = []
  for (const entry of entries) {
    const shape = entry.pattern.shape
    if (shape._tag === "Literal") {
      if (!literals.has(shape.part)) literals.set(shape.part, entry)
    } else if (shape._tag === "Inside" || shape._tag === "Any") inside.push(entry)
    else {
      const text = shape._tag === "Prefix" ? `${shape.part}*` : shape._tag === "Suffix" ? `*${shape.part}` : shape.glob
      if (!isWildcard(text.charCodeAt(0))) file(byFirst, text.charCodeAt(0), entry)
      else if (!isWildcard(text.charCodeAt(text.length - 1))) file(byLast, text.charCodeAt(text.length - 1), entry)
      else others.push(entry)
    }
  }
  return {
    literals: literals.size === 0 ? undefined : literals,
    byFirst: byFirst.size === 0 ? undefined : byFirst,
    byLast: byLast.size === 0 ? undefined : byLast,
    inside,
    others,
    size: entries.length
  }
}

export const first = (index: RuleIndex, subjects: Subjects): Entry | undefined => {
  if (index.size === 0) return undefined
  let best = scan(index.inside, subjects.whole, undefined)
  best = firstOf(index, subjects.whole, best)
  if (subjects.base !== undefined) best = firstOf(index, subjects.base, best)
  return subjects.host === undefined ? best : firstOf(index, subjects.host, best)
}

export const matches = (pattern: Pattern.Pattern, { base, host, whole }: Subjects): boolean =>
  Pattern.matches(pattern, whole) ||
  (base !== undefined && Pattern.matches(pattern, base)) ||
  (host !== undefined && Pattern.matches(pattern, host))

type Filed = ReadonlyMap<number, ReadonlyArray<Entry>> | undefined

const firstOf = (index: RuleIndex, subject: string, found: Entry | undefined): Entry | undefined => {
  let best = found
  const literal = index.literals?.get(subject)
  if (literal !== undefined && isBefore(literal, best)) best = literal
  best = scan(index.byFirst?.get(subject.charCodeAt(0)), subject, best)
  best = scan(index.byLast?.get(subject.charCodeAt(subject.length - 1)), subject, best)
  return scan(index.others, subject, best)
}

const scan = (
  entries: ReadonlyArray<Entry> | undefined,
  subject: string,
  best: Entry | undefined
): Entry | undefined => {
  if (entries === undefined) return best
  for (const entry of entries) {
    if (!isBefore(entry, best)) return best
    if (Pattern.matches(entry.pattern, subject)) return entry
  }
  return best
}

const isBefore = (entry: Entry, best: Entry | undefined): boolean => best === undefined || entry.ordinal < best.ordinal

const isWildcard = (code: number): boolean => code === 0x2a || code === 0x3f

const file = (bucket: Map<number, Array<Entry>>, key: number, entry: Entry): void => {
  const filed = bucket.get(key)
  if (filed === undefined) bucket.set(key, [entry])
  else filed.push(entry)
}

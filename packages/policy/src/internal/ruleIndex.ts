/**
 * An index over the rules of one act and one ruling: the first of them, in layer then rule order, that matches. Literals
 * are one look-up, prefixes and suffixes are filed under their outer character, and only what is left is tried in turn.
 * Every list is in that order, so a look can stop at the first rule that comes later than the best so far.
 */
import * as Pattern from "../Pattern.ts"
import type { Rule } from "../Layer.ts"
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
  readonly literals: ReadonlyMap<string, Entry>
  readonly prefixes: ReadonlyMap<number, ReadonlyArray<Entry>>
  readonly suffixes: ReadonlyMap<number, ReadonlyArray<Entry>>
  readonly others: ReadonlyArray<Entry>
  readonly size: number
}

/** Entries must be in ordinal order. */
export const make = (entries: ReadonlyArray<Entry>): RuleIndex => {
  const literals = new Map<string, Entry>()
  const prefixes = new Map<number, Array<Entry>>()
  const suffixes = new Map<number, Array<Entry>>()
  const others: Array<Entry> = []
  for (const entry of entries) {
    const shape = entry.pattern.shape
    if (shape._tag === "Literal") {
      if (!literals.has(shape.part)) literals.set(shape.part, entry)
    } else if (shape._tag === "Prefix") file(prefixes, shape.part.charCodeAt(0), entry)
    else if (shape._tag === "Suffix") file(suffixes, shape.part.charCodeAt(shape.part.length - 1), entry)
    else others.push(entry)
  }
  return { literals, prefixes, suffixes, others, size: entries.length }
}

export const first = (index: RuleIndex, subjects: Subjects): Entry | undefined => {
  if (index.size === 0) return undefined
  let best = firstOf(index, subjects.whole, undefined)
  if (subjects.base !== undefined) best = firstOf(index, subjects.base, best)
  if (subjects.host !== undefined) best = firstOf(index, subjects.host, best)
  return best
}

export const matches = (pattern: Pattern.Pattern, { base, host, whole }: Subjects): boolean =>
  Pattern.matches(pattern, whole) ||
  (base !== undefined && Pattern.matches(pattern, base)) ||
  (host !== undefined && Pattern.matches(pattern, host))

const firstOf = (index: RuleIndex, subject: string, found: Entry | undefined): Entry | undefined => {
  let best = found
  if (index.literals.size > 0) {
    const literal = index.literals.get(subject)
    if (literal !== undefined && isBefore(literal, best)) best = literal
  }
  if (index.prefixes.size > 0) best = scan(index.prefixes.get(subject.charCodeAt(0)), subject, best)
  if (index.suffixes.size > 0) best = scan(index.suffixes.get(subject.charCodeAt(subject.length - 1)), subject, best)
  return index.others.length > 0 ? scan(index.others, subject, best) : best
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

const file = (bucket: Map<number, Array<Entry>>, key: number, entry: Entry): void => {
  const filed = bucket.get(key)
  if (filed === undefined) bucket.set(key, [entry])
  else filed.push(entry)
}

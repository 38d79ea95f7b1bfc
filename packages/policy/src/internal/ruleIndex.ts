/**
 * An index over the rules of one act. Each rule is filed under one literal piece of its pattern, and is only tried where a
 * target has that piece:
 *
 *     secret.txt  names   the whole of a subject  one look-up
 *     src/gen-*   heads   how a subject begins    a walk through a trie, from its first character
 *     *.key       tails   how it ends             the same, from its last character
 *     *private*   pieces  anywhere in it          the same, from every character
 *     *           others  no literal at all       always
 *
 * A rule is filed under the piece that the fewest rules share, so a hundred rules with one beginning in common are still
 * told apart by what differs in them. A base name ends as its target does and a host lies in it, so the whole target has
 * every piece that they have; only heads and names differ.
 */
import type { Rule } from "../Layer.ts"
import * as Pattern from "../Pattern.ts"
import type { Ruling } from "../Ruling.ts"
import type { Verdict } from "../Verdict.ts"

/** One rule of a compiled policy. `ordinal` is its place among all rules of the policy. */
export interface Entry {
  readonly ordinal: number
  readonly layerIndex: number
  readonly ruleIndex: number
  readonly narrowing: boolean
  readonly kind: Kind
  readonly rule: Rule
  readonly pattern: Pattern.Pattern
  readonly verdict: Verdict
}

/** What a rule does: `raise` is the ask of a narrowing layer, which never lowers an answer. */
export type Kind = Ruling | "raise"

/** The first rule that matched, of each kind. Where there is a deny, the others need not be known. */
export type Found = { [K in Kind]?: Entry }

/** What a pattern is tried on: a whole target, its base name, and the host where the act is `net`. */
export interface Subjects {
  readonly whole: string
  readonly base: string | undefined
  readonly host: string | undefined
}

export interface RuleIndex {
  readonly names: Map<string, Array<Entry>>
  readonly heads: Node
  readonly tails: Node
  readonly pieces: Node
  readonly others: Array<Entry>
}

/** Entries must be in ordinal order. */
export const make = (entries: ReadonlyArray<Entry>): RuleIndex => {
  const index: RuleIndex = { names: new Map(), heads: leaf(), tails: leaf(), pieces: leaf(), others: [] }
  const literals = entries.map(({ pattern }) => pattern.glob.split(/[*?]/))
  const rules = new Map<string, number>()
  for (const literal of literals.flat()) rules.set(literal, (rules.get(literal) ?? 0) + 1)
  const rank = (literal: string) => (literal === "" ? -Infinity : literal.length / MOST - rules.get(literal)!)
  entries.forEach((entry, i) => {
    const [first = "", ...rest] = literals[i]!
    const best = rest.reduce((best, literal) => (rank(literal) > rank(best) ? literal : best), first)
    if (rest.length === 0) index.names.set(first, [...(index.names.get(first) ?? []), entry])
    else if (best === "") index.others.push(entry)
    else if (best === first) file(index.heads, best.split(""), entry)
    else if (best === rest.at(-1)) file(index.tails, best.split("").reverse(), entry)
    else file(index.pieces, best.split(""), entry)
  })
  return index
}

export const find = (index: RuleIndex, subjects: Subjects): Found => {
  const found: Found = {}
  const { base, host, whole } = subjects
  tryAll(index.others, subjects, found)
  tryAt(index, whole, subjects, found)
  if (base !== undefined) tryAt(index, base, subjects, found)
  if (host !== undefined) tryAt(index, host, subjects, found)
  if (index.pieces.next.size > 0) {
    // What a target has many times is tried once, or a target could be made that costs the square of itself.
    const hits = new Set<Node>()
    for (let at = 0; at < whole.length; at++) {
      walk(index.pieces, whole, at, 1, (node) => hits.add(node))
    }
    for (const node of hits) tryAll(node.entries, subjects, found)
  }
  return found
}

export const matches = (pattern: Pattern.Pattern, { base, host, whole }: Subjects): boolean =>
  Pattern.matches(pattern, whole) ||
  (base !== undefined && Pattern.matches(pattern, base)) ||
  (host !== undefined && Pattern.matches(pattern, host))

interface Node {
  readonly entries: Array<Entry>
  readonly next: Map<number, Node>
}

/** More units than a pattern has: length decides only between pieces that as many rules share. */
const MOST = 2 ** 32

const leaf = (): Node => ({ entries: [], next: new Map() })

const file = (root: Node, units: ReadonlyArray<string>, entry: Entry): void => {
  let node = root
  for (const unit of units) {
    const code = unit.charCodeAt(0)
    const next = node.next.get(code) ?? leaf()
    node.next.set(code, next)
    node = next
  }
  node.entries.push(entry)
}

const tryAt = ({ heads, names, tails }: RuleIndex, subject: string, subjects: Subjects, found: Found): void => {
  const visit = ({ entries }: Node) => tryAll(entries, subjects, found)
  tryAll(names.get(subject) ?? [], subjects, found)
  walk(heads, subject, 0, 1, visit)
  walk(tails, subject, subject.length - 1, -1, visit)
}

const walk = (root: Node, text: string, from: number, by: 1 | -1, visit: (node: Node) => void): void => {
  let at = from
  for (let node = root.next.get(text.charCodeAt(at)); node !== undefined; node = node.next.get(text.charCodeAt(at))) {
    if (node.entries.length > 0) visit(node)
    at += by
  }
}

const tryAll = (entries: ReadonlyArray<Entry>, subjects: Subjects, found: Found): void => {
  for (const entry of entries) {
    const best = found.deny ?? found[entry.kind]
    if (best !== undefined && (entry.kind !== best.kind || best.ordinal < entry.ordinal)) continue
    if (matches(entry.pattern, subjects)) found[entry.kind] = entry
  }
}

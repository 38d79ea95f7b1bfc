/**
 * YAML with its places: the value of a text, and the line and column at which each part of it begins, in the shape that
 * `JsonText` gives. YAML 1.2, core schema: `no` is a text and `010` is ten. What is refused is said in `Documents`.
 */
import * as Either from "effect/Either"
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node
} from "yaml"
import type { Malformed, Parsed } from "./JsonText.ts"

/** Parses a text that holds one document. */
export const parse = (text: string): Either.Either<Parsed, Malformed> => {
  const lines = new LineCounter()
  const placeAt = (offset: number) => {
    const { col, line } = lines.linePos(offset)
    return line === 0 ? { line: 1, column: 1 } : { line, column: col }
  }
  const wrong = (offset: number, why: string) => Either.left({ ...placeAt(offset), why })
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2", merge: false })
    const [fault] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])
    if (fault?.code === "MULTIPLE_DOCS") return wrong(fault.pos[0], "a second document begins here; expected one")
    // Where it runs out of stack depends on the machine.
    if (fault !== undefined && /call stack/.test(fault.message)) return wrong(0, "nested too deep")
    if (fault !== undefined) return wrong(fault.pos[0], wordsOf(fault.message))
    const refused = refusedIn(document)
    if (refused !== undefined) return wrong(refused.at, refused.why)
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    return Either.right({ value, placeOf: (keys) => placeAt(startOf(document, keys)) })
  } catch (error) {
    // Its parser calls itself for each level, and it gives up on aliases that multiply, with these two.
    if (error instanceof RangeError) return wrong(0, "nested too deep")
    if (error instanceof ReferenceError) return wrong(0, wordsOf(error.message))
    throw error
  }
}

interface Refused {
  readonly at: number
  readonly why: string
}

/** What the parser lets pass, and a decoder could not see any more. */
const refusedIn = (document: Document.Parsed): Refused | undefined => {
  let refused: Refused | undefined
  const refuse = (at: number, why: string) => {
    refused ??= { at, why }
    return visit.BREAK
  }
  visit(document, {
    Alias: (_, alias, path) => {
      const at = alias.range?.[0] ?? 0
      const to = alias.resolve(document)
      if (to === undefined) return refuse(at, `*${alias.source} names nothing that stands above it`)
      return path.includes(to) ? refuse(at, `*${alias.source} stands inside what it names`) : undefined
    },
    Node: (_, node, path) =>
      path.length > DEEPEST ? refuse(node.range?.[0] ?? 0, `nested deeper than ${DEEPEST}`) : undefined,
    Pair: (_, { key }) => {
      if (isScalar(key) && typeof key.value === "string") return undefined
      return refuse(startOfNode(key) ?? 0, "expected a key that is a text; put it in quotes")
    }
  })
  return refused
}

/** Where the part begins that keys lead to; of a member it is where its key stands. */
const startOf = (document: Document.Parsed, keys: ReadonlyArray<PropertyKey>): number => {
  let at: unknown = document.contents
  let start = startOfNode(at) ?? 0
  for (const key of keys) {
    const here: unknown = isAlias(at) ? at.resolve(document) : at
    const found: unknown = isMap(here)
      ? here.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
      : isSeq(here) && typeof key === "number"
        ? here.items[key]
        : undefined
    if (found === undefined) return start
    start = startOfNode(isPair(found) ? found.key : found) ?? start
    at = isPair(found) ? found.value : found
  }
  return start
}

const startOfNode = (node: unknown): number | undefined =>
  isNodeLike(node) && node.range !== undefined && node.range !== null ? node.range[0] : undefined

const isNodeLike = (node: unknown): node is Pick<Node, "range"> =>
  typeof node === "object" && node !== null && "range" in node

/** One line, and no more of the text than says what is wrong. */
const wordsOf = (message: string): string => message.split("\n")[0] ?? ""

const MOST_ALIASES = 100
const DEEPEST = 200

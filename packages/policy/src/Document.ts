/**
 * Policy documents: JSON or YAML that somebody has parsed, read strictly, with every fault at its exact place:
 *
 * ```
 * layers[0].rules[3].ruling: expected "allow", "ask" or "deny", got "warn"
 * ```
 *
 * Laws kept here: 14.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Policy from "./Policy.ts"

/**
 * One fault: its keys from the root down, the same as text (empty for the document itself), and what is wrong there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fault {
  readonly keys: ReadonlyArray<PropertyKey>
  readonly path: string
  readonly why: string
}

/**
 * @since 0.1.0
 * @category errors
 */
export class MalformedDocument extends Data.TaggedError("MalformedDocument")<{
  readonly faults: ReadonlyArray<Fault>
}> {
  override get message(): string {
    return this.faults.map(({ path, why }) => (path === "" ? why : `${path}: ${why}`)).join("\n")
  }
}

/**
 * Reads a policy from a parsed document, or gives all its faults, one for each place, in the order of the schema.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (document: unknown): Either.Either<Policy.Policy, MalformedDocument> =>
  Either.mapLeft(Policy.decode(document), (error) => {
    const places = new Map<string, { readonly keys: Fault["keys"]; readonly told: Array<string> }>()
    for (const { message, path: keys } of ParseResult.ArrayFormatter.formatErrorSync(error)) {
      const path = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("")
      const place = places.get(path) ?? { keys, told: [] }
      places.set(path, place)
      place.told.push(message)
    }
    const faults = [...places].map(([path, { keys, told }]) => ({
      keys,
      path: path.replace(/^\./, ""),
      why: whyOf(told)
    }))
    return new MalformedDocument({ faults })
  })

/** What is wrong with a choice is told once for each of its members: here it becomes one sentence. */
const whyOf = (told: ReadonlyArray<string>): string => {
  const [, , actual] = EXPECTED.exec(told[0] ?? "") ?? []
  if (actual === undefined) return told.join("; ")
  const kinds = told.map((message) => (EXPECTED.exec(message)?.[1] ?? message).replace(/^[{(].*/s, "an object"))
  const expected = kinds.map((kind) => kind.replace(/^ReadonlyArray<.*/s, "a list")).join(" or ")
  return `expected ${expected}, got ${actual.length > MOST ? `${actual.slice(0, MOST)}...` : actual}`
}

const EXPECTED = /^Expected (.*), actual (.*)$/s
const MOST = 60

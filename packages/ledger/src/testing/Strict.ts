/**
 * Law 14: in our own formats unknown kinds, keys and malformed values fail to decode, and nothing defaults silently.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { EMPTY } from "../Event.ts"
import { KINDS } from "../Observation.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { fact } from "./FactArbitraries.ts"
import { ours, type Implementation } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const kinds: Law<Implementation> = {
  number: 14,
  name: "a kind is one of ten words, in their case",
  property: ({ decodeKind }) =>
    FastCheck.property(
      FastCheck.oneof(
        FastCheck.constantFrom<unknown>(...KINDS),
        FastCheck.constantFrom<unknown>("wrote", "Read", "sing", "note", "mcp tool", "read ", "", null, 1, ["read"]),
        FastCheck.string()
      ),
      (given) => {
        const decoded = Either.getOrUndefined(decodeKind(given))
        return decoded === KINDS.find((kind) => kind === given)
      }
    ),
  mutants: [
    {
      name: "an unknown kind is a message",
      implementation: {
        ...ours,
        decodeKind: (given) => Either.orElse(ours.decodeKind(given), () => Either.right("message" as const))
      }
    },
    {
      name: "case does not matter",
      implementation: {
        ...ours,
        decodeKind: (given) => ours.decodeKind(typeof given === "string" ? given.toLowerCase() : given)
      }
    },
    {
      name: "labels are read as kinds",
      implementation: { ...ours, decodeKind: (given) => ours.decodeKind(given === "wrote" ? "write" : given) }
    }
  ]
}

/**
 * A fact comes back from its JSON; with a key too many, at any depth, or another tag, it does not.
 *
 * @since 0.1.0
 * @category laws
 */
export const facts: Law<Implementation> = {
  number: 14,
  name: "a fact decodes whole or not at all",
  property: ({ decodeFact, encodeFact }) =>
    FastCheck.property(fact, FastCheck.nat(), (given, where) => {
      const json: unknown = JSON.parse(ours.encode(encodeFact(given)))
      const back = Either.getOrUndefined(decodeFact(json))
      return (
        back !== undefined &&
        ours.encode(back) === ours.encode(given) &&
        Either.isLeft(decodeFact(withExtraKey(json, where))) &&
        Either.isLeft(decodeFact({ ...Object(json), _tag: "Sung" })) &&
        Either.isLeft(decodeFact({ ...Object(json), step: -1 }))
      )
    }),
  mutants: [
    {
      name: "keys too many are dropped",
      implementation: { ...ours, decodeFact: (json) => ours.decodeFact(known(json)) }
    },
    {
      name: "a step below zero is zero",
      implementation: {
        ...ours,
        decodeFact: (json) => ours.decodeFact(Object(json).step < 0 ? { ...Object(json), step: 0 } : json)
      }
    }
  ]
}

/**
 * An event's bytes are exactly its canonical form: one key, space or digit more and it does not open.
 *
 * @since 0.1.0
 * @category laws
 */
export const events: Law<Implementation> = {
  number: 14,
  name: "an event opens from its canonical bytes alone",
  property: ({ open, sealAll }) =>
    FastCheck.property(
      Arbitraries.logId,
      Arbitraries.drafts(1),
      FastCheck.constantFrom(...SPOILERS),
      (log, [draft], spoil) => {
        const [sealed] = sealAll(log, EMPTY, [draft!])
        const bytes = new TextEncoder().encode(spoil(new TextDecoder().decode(sealed!.bytes)))
        const spoilt = { ...sealed!, bytes, digest: ours.hash(bytes) }
        return Either.isRight(open(log, EMPTY, sealed!)) && Either.isLeft(open(log, EMPTY, spoilt))
      }
    ),
  mutants: [
    {
      name: "whatever parses is an event",
      implementation: {
        ...ours,
        open: (log, before, stored) =>
          Either.orElse(ours.open(log, before, stored), () =>
            ours.open(log, before, ours.sealAll(log, before, [BLANK])[0]!)
          )
      }
    }
  ]
}

const BLANK = { id: "blank", at: "", kind: "Blank", version: 1, payload: "{}" }

const SPOILERS: ReadonlyArray<(text: string) => string> = [
  (text) => text.replace(/\}$/, ',"zzz":1}'),
  (text) => text.replace("{", "{ "),
  (text) => text.replace('"version":1', '"version":1.0'),
  (text) => text.replace('"version":1', '"version":0'),
  (text) => text.replace(/"at":"[^"]*",/, ""),
  (text) => `${text}\n`,
  (text) => text.replace(/^\{"at":/, '{"at":"twice","at":'),
  () => "[]",
  () => ""
]

/** The JSON with a key that nobody knows, in one of its objects. */
const withExtraKey = (json: unknown, where: number): unknown => {
  const objects: Array<Record<string, unknown>> = []
  const copy: unknown = JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) objects.push(Object(value))
    return value
  })
  objects[where % objects.length]!["extra"] = true
  return copy
}

const known = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (key, value: unknown) => (key === "extra" ? undefined : value))

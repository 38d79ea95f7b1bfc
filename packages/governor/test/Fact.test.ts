import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { EMPTY, open, seal, type Event } from "@palimpsest/ledger/Event"
import { LogId, type Step } from "@palimpsest/ledger/Ids"
import * as Fact from "../src/Fact.ts"
import { fact } from "./support/Facts.ts"
import { hash } from "./support/Hash.ts"
import { isObject, objectOf, withKey, withLeaf } from "./support/Json.ts"

const RUN = LogId.make("run")

/** The event of a fact, sealed and opened again. */
const eventOf = (given: Fact.Fact): Event =>
  Either.getOrThrow(open(hash, RUN, EMPTY, seal(hash, RUN, EMPTY, Either.getOrThrow(Fact.draft("1", "", given)))))

type Decode = (event: Event) => Either.Either<Fact.Fact, Fact.UnknownFact>

const law = (decode: Decode) =>
  FastCheck.property(fact, FastCheck.nat(), (given, n) => {
    const event = eventOf(given)
    const wrong = (change: Partial<Event>, what: string) => {
      const decoded = decode({ ...event, seq: event.seq, ...change })
      if (Either.isRight(decoded)) throw new Error(`${what} decodes: ${JSON.stringify({ ...event, ...change })}`)
      const { _tag, log, seq, why } = decoded.left
      if (_tag !== "UnknownFact" || log !== "run" || seq !== 1 || why === "")
        throw new Error(`${what}: it is not named`)
    }
    expect(Either.getOrThrow(decode(event))).toEqual(given)
    wrong({ kind: "Sung" }, "an unknown kind")
    wrong({ kind: given._tag.toLowerCase() }, "a kind in another case")
    wrong({ version: 2 }, "a later version")
    wrong({ payload: objectOf(withKey(event.payload, n, "extra")) }, "a key too many")
    wrong({ payload: { ...event.payload, _tag: given._tag } }, "a tag in the payload")
    wrong({ payload: objectOf(withLeaf(event.payload, n, swapped)) }, "a value of another type")
    wrong({ payload: objectOf(withLeaf(event.payload, n, () => null)) }, "a value that is null")
    wrong({ payload: { ...event.payload, step: -1 } }, "a step below zero")
    wrong({ payload: { ...event.payload, step: 0.5 } }, "half a step")
    wrong({ payload: {} }, "nothing")
  })

const swapped = (leaf: string | number): unknown => (typeof leaf === "string" ? 7 : String(leaf))

const MUTANTS: Readonly<Record<string, Decode>> = {
  "an unknown kind is laid aside": (event) =>
    Either.orElse(Fact.decode(event), () => Either.right({ _tag: "Ended", step: 0, epitaph: "stopped" } as Fact.Fact)),
  "a later version is read as this one": (event) => Fact.decode({ ...event, version: 1 }),
  "keys too many are dropped": (event) => Fact.decode({ ...event, payload: objectOf(known(event.payload)) }),
  "the tag of the payload wins": ({ payload: { _tag: tag, ...payload }, ...event }) =>
    Fact.decode({ ...event, kind: typeof tag === "string" ? tag : event.kind, payload }),
  "numbers are read from text": (event) => Fact.decode({ ...event, payload: objectOf(numbered(event.payload)) }),
  "what is null is missing": (event) => Fact.decode({ ...event, payload: objectOf(withoutNull(event.payload)) })
}

describe("law 14: a fact decodes whole or not at all", () => {
  it("comes back from its event; an unknown kind, version, key or value is an error that names the event", () => {
    FastCheck.assert(law(Fact.decode), { numRuns: 150 })
  })

  it("tells every mutant apart", () => {
    for (const [name, mutant] of Object.entries(MUTANTS)) {
      expect(FastCheck.check(law(mutant), { numRuns: 1_000, seed: 7 }).failed, name).toBe(true)
    }
  })

  it("says what is wrong, and where", () => {
    const event = eventOf({ _tag: "Ended", step: 3 as Step, epitaph: "died" })
    const why = (change: Partial<Event>) =>
      Either.match(Fact.decode({ ...event, ...change }), { onLeft: ({ message }) => message, onRight: () => "" })
    expect(why({ version: 9 })).toBe("event 1 of run: version 9 of Ended is not known here")
    expect(why({ payload: { step: 3, epitaph: "sang" } })).toContain('["epitaph"]')
    expect(why({ payload: { step: 3, epitaph: "died", extra: 1 } })).toContain('["extra"]')
    expect(why({ kind: "Sung" })).toContain("Sung")
  })
})

const known = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, held: unknown) => (key === "extra" ? undefined : held))

const numbered = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, held: unknown) =>
    typeof held === "string" && /^\d{1,6}$/.test(held) ? Number(held) : held
  )

const withoutNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((held) => held !== null).map(withoutNull)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]) => (held === null ? [] : [[key, withoutNull(held)]]))
  )
}

/**
 * Hand-written generators of what a ledger holds. They draw from small alphabets, so that subjects meet again and failures
 * shrink to something one can read; deriving them from the schemas would be several times slower.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type * as Address from "../Address.ts"
import * as Body from "../Body.ts"
import { sorted } from "../Canonical.ts"
import type { Draft } from "../Event.ts"
import { LogId, type Seq, type Step } from "../Ids.ts"
import type { Entry } from "../Ledger.ts"
import { END, KINDS, type Coverage, type Observation } from "../Observation.ts"
import { pure } from "../Sha256.ts"

/**
 * Any text: ASCII, combining marks, astral characters, U+0000, U+FEFF, U+FFFD, and lone surrogates.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const text: FastCheck.Arbitrary<string> = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom(
      "a",
      "b",
      "\n",
      " ",
      '"',
      "\\",
      "é",
      "e\u0301",
      "\u0000",
      "\ufeff",
      "\ufffd",
      "😀",
      "\u2028"
    ),
    FastCheck.constantFrom("\ud83d", "\ude00", "\udfff", "\ud800"),
    FastCheck.string({ maxLength: 4 })
  ),
  { maxLength: 8 }
).map((pieces) => pieces.join(""))

/**
 * Text that UTF-8 can carry.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const wellFormed: FastCheck.Arbitrary<string> = text.map((any) => any.replace(/\p{Surrogate}/gu, "\ufffd"))

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const coverage: FastCheck.Arbitrary<Coverage> = FastCheck.oneof(
  FastCheck.constant<Coverage>({ _tag: "All" }),
  FastCheck.tuple(FastCheck.integer({ min: 1, max: 9 }), FastCheck.integer({ min: 0, max: 9 })).map(
    ([from, more]): Coverage => ({ _tag: "Lines", from, to: more === 9 ? END : from + more })
  )
)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const observation: FastCheck.Arbitrary<Observation> = FastCheck.record(
  {
    kind: FastCheck.constantFrom(...KINDS),
    target: FastCheck.constantFrom("a", "./a", "b"),
    subject: FastCheck.constantFrom("a", "b", "c"),
    covers: coverage,
    classifier: FastCheck.constantFrom("names/1", "shell/2")
  },
  { requiredKeys: ["kind", "covers", "classifier"] }
)

/**
 * Entries that can stand behind each other: `seq` rises, `step` never falls, both with gaps.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const entries: FastCheck.Arbitrary<ReadonlyArray<Entry>> = FastCheck.array(
  FastCheck.record({
    gap: FastCheck.integer({ min: 1, max: 3 }),
    steps: FastCheck.constantFrom(0, 0, 0, 1, 2),
    scalars: FastCheck.integer({ min: 0, max: 100 }),
    observation: FastCheck.option(observation, { nil: undefined })
  }),
  { maxLength: 40 }
).map((given) => {
  let seq = 0
  let step = 0
  return given.map((entry) => ({
    seq: (seq += entry.gap) as Seq,
    step: (step += entry.steps) as Step,
    scalars: entry.scalars,
    observation: entry.observation
  }))
})

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const logId: FastCheck.Arbitrary<LogId> = FastCheck.constantFrom(LogId.make("run"), LogId.make("run~source"))

/**
 * The payload of a draft: an object whose values are any JSON that has a canonical form, and a text that keeps two
 * drafts apart.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const payload: FastCheck.Arbitrary<Readonly<Record<string, unknown>>> = FastCheck.dictionary(
  wellFormed,
  FastCheck.oneof(
    wellFormed,
    FastCheck.maxSafeInteger(),
    FastCheck.double({ noDefaultInfinity: true, noNaN: true, min: -1e9, max: 1e9 }),
    FastCheck.boolean(),
    FastCheck.constant(null),
    FastCheck.array(wellFormed, { maxLength: 2 })
  ),
  { maxKeys: 4 }
)

/**
 * Drafts for one log: their ids differ.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const drafts = (minLength = 0): FastCheck.Arbitrary<ReadonlyArray<Draft>> =>
  FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("Entered", "Decided"), payload), {
    minLength,
    maxLength: 12
  }).map((given) =>
    given.map(([kind, value], i) => ({
      id: `event-${i}`,
      at: i % 2 === 0 ? "" : "2026-01-01T00:00:00Z",
      kind,
      version: 1,
      payload: sorted(value)
    }))
  )

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const body: FastCheck.Arbitrary<Body.Body> = FastCheck.tuple(
  text,
  FastCheck.constantFrom<Body.Place["_tag"]>("Own", "Within", "Parsed")
).map(([said, place]) => {
  const own = Body.ownText(pure, said).body
  return place === "Own" ? own : { ...own, at: { _tag: place, record: own.digest, path: "/message/content/0" } }
})

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const address: FastCheck.Arbitrary<Address.Address> = FastCheck.record(
  {
    seq: FastCheck.integer({ min: 1, max: END }).map((seq) => seq as Seq),
    block: FastCheck.integer({ min: 1, max: 999_999 }),
    lines: FastCheck.tuple(FastCheck.integer({ min: 1, max: 99_999 }), FastCheck.nat({ max: 99_999 })).map(
      ([from, more]): readonly [number, number] => [from, from + more]
    )
  },
  { requiredKeys: ["seq"] }
)

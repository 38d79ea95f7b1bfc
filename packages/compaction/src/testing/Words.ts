/**
 * Texts for generated sessions, described by an alphabet and a size so that failures shrink, and bodies for them. A body
 * made here has a digest of its own and is stored nowhere: the laws hold its text beside it.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { JSON_MEDIA, scalarsOf, TEXT, type Body } from "@palimpsest/ledger/Body"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import { Digest } from "@palimpsest/ledger/Ids"

/**
 * A text of so many scalar values, in lines of one alphabet.
 *
 * @since 0.1.0
 * @category models
 */
export interface Words {
  readonly alphabet: keyof typeof LINES
  readonly scalars: number
}

/**
 * The text itself.
 *
 * @since 0.1.0
 * @category texts
 */
export const textOf = ({ alphabet, scalars }: Words): string => {
  const line = LINES[alphabet]
  const chars = [...line]
  return line.repeat(Math.floor(scalars / chars.length)) + chars.slice(0, scalars % chars.length).join("")
}

/**
 * A body of a text. `name` tells it from every other one.
 *
 * @since 0.1.0
 * @category bodies
 */
export const bodyOf = (text: string, name: number): Body => ({
  digest: Digest.make(name.toString(16).padStart(64, "0")),
  encoding: isWellFormed(text) ? "utf8" : "json",
  media: isWellFormed(text) ? TEXT : JSON_MEDIA,
  size: { bytes: text.length, scalars: scalarsOf(text) },
  at: { _tag: "Own" }
})

/**
 * A body of a picture.
 *
 * @since 0.1.0
 * @category bodies
 */
export const pictureOf = (name: number): Body => ({
  ...bodyOf("", name),
  encoding: "bytes",
  media: "image/png",
  size: { bytes: 9_000, scalars: 0 }
})

/** One line of each: plain, wide, astral and joined, ill-formed, without line breaks, like a mark of ours; and of its length. */
const LINES = {
  plain: "const answer = compute(41) // and some words behind it\n",
  wide: "视图是事件的折叠，帳簿は追記のみ、원장은 바뀌지 않는다\r\n",
  astral: "👩🏽‍💻 🙂 e\u0301 and é\n",
  broken: "half \ud83d a \ude00 pair\n",
  endless: "0123456789abcdef",
  mark: "[@3 left out: read src/a.ts, 9,999 chars, superseded by @5]\n",
  masked: "one 3 seven was read src.a.ts. 9.999 chars, superseded by 5\n"
} as const

/**
 * Words of few to some thousand scalar values; none at all; and seldom a megabyte.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const words: FastCheck.Arbitrary<Words> = FastCheck.record({
  alphabet: FastCheck.constantFrom<Words["alphabet"]>("plain", "plain", "wide", "astral", "broken", "endless", "mark"),
  scalars: FastCheck.oneof(
    { weight: 40, arbitrary: FastCheck.nat({ max: 900 }) },
    { weight: 60, arbitrary: FastCheck.nat({ max: 8_000 }) },
    { weight: 10, arbitrary: FastCheck.nat({ max: 60_000 }) },
    { weight: 8, arbitrary: FastCheck.constant(0) },
    { weight: 1, arbitrary: FastCheck.constant(1_000_000) }
  )
})

/**
 * What people say: short.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const short: FastCheck.Arbitrary<Words> = FastCheck.record({
  alphabet: FastCheck.constantFrom<Words["alphabet"]>("plain", "wide", "astral", "broken", "mark"),
  scalars: FastCheck.integer({ min: 1, max: 120 })
})

/**
 * What a model says at length.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const lengthy: FastCheck.Arbitrary<Words> = FastCheck.record({
  alphabet: FastCheck.constantFrom<Words["alphabet"]>("plain", "wide", "astral", "broken", "mark"),
  scalars: FastCheck.integer({ min: 121, max: 2_400 })
})

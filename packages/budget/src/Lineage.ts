/**
 * Run ids that carry their ancestry, as lernie writes them: one `<ts>-<short>` pair for each level, joined by hyphens.
 *
 * ```
 * 20260422T065432Z-a1b2c3d4-20260422T065500Z-e5f6a7b8
 * └──────── root ─────────┘ └──────── child ────────┘    depth 1
 * ```
 *
 * An id is parsed whole or refused: an odd count of tokens, a date that no calendar has or a token with another character
 * is an error that says which token, where hyphen arithmetic would have guessed a depth. What is parsed formats back to
 * the same text.
 *
 * Laws kept here: 14 (strict). Source: LE-11, LE-14, mending LE-W7.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/**
 * The text of a lineage: a string that `parse` accepts.
 *
 * @since 0.1.0
 * @category models
 */
export const LineageId = Schema.String.pipe(
  Schema.filter((text) => Either.match(parts(text), { onLeft: ({ message }) => message, onRight: () => undefined })),
  Schema.brand("LineageId"),
  Schema.annotations({ identifier: "LineageId" })
)
/** @since 0.1.0 */
export type LineageId = typeof LineageId.Type

/**
 * One level. `ts` is a moment in UTC, `YYYYMMDDTHHMMSSZ`; `short` is 1 to 64 letters and digits.
 *
 * @since 0.1.0
 * @category models
 */
export interface Level {
  readonly ts: string
  readonly short: string
}

/**
 * A run and those above it, the root first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lineage {
  readonly levels: readonly [Level, ...ReadonlyArray<Level>]
}

/**
 * A text that is no lineage. `token` is the place, from 0, of the first token at fault.
 *
 * @since 0.1.0
 * @category errors
 */
export class MalformedLineage extends Data.TaggedError("MalformedLineage")<{
  readonly text: string
  readonly token: number
  readonly expected: string
}> {
  override get message(): string {
    return `run id ${JSON.stringify(this.text)}, token ${this.token}: expected ${this.expected}`
  }
}

/**
 * A text as a lineage. Source: LE-14.
 *
 * @since 0.1.0
 * @category codec
 */
export const parse = (text: string): Either.Either<Lineage, MalformedLineage> => parts(text)

/**
 * A lineage as its text: the inverse of `parse`.
 *
 * @since 0.1.0
 * @category codec
 */
export const format = (lineage: Lineage): Either.Either<LineageId, MalformedLineage> => {
  const text = lineage.levels.map(({ short, ts }) => `${ts}-${short}`).join("-")
  return Either.map(parts(text), () => LineageId.make(text))
}

/**
 * The number of levels above the run; 0 for a root. Source: LE-14.
 *
 * @since 0.1.0
 * @category accessors
 */
export const depth = ({ levels }: Lineage): number => levels.length - 1

/**
 * The root of the tree that the run is in. Source: LE-14.
 *
 * @since 0.1.0
 * @category accessors
 */
export const root = ({ levels: [first] }: Lineage): Lineage => ({ levels: [first] })

/**
 * The run above; none above a root. Source: LE-14.
 *
 * @since 0.1.0
 * @category accessors
 */
export const parent = ({ levels: [first, ...rest] }: Lineage): Lineage | undefined =>
  rest.length === 0 ? undefined : { levels: [first, ...rest.slice(0, -1)] }

/**
 * The run one level below, which need not exist yet. Source: LE-19.
 *
 * @since 0.1.0
 * @category constructors
 */
export const child = ({ levels: [first, ...rest] }: Lineage, level: Level): Lineage => ({
  levels: [first, ...rest, level]
})

/**
 * Whether a run is another or descends from it: `conv` holds `conv-child` and not `convX`. Source: LE-11.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isWithin = (ancestor: string, run: string): boolean => run === ancestor || run.startsWith(`${ancestor}-`)

function parts(text: string): Either.Either<Lineage, MalformedLineage> {
  const tokens = text.split("-")
  const bad = (token: number, expected: string) => Either.left(new MalformedLineage({ text, token, expected }))
  const levels: Array<Level> = []
  for (let i = 0; i < tokens.length; i += 2) {
    const [ts = "", short] = [tokens[i], tokens[i + 1]]
    if (!isMoment(ts)) return bad(i, "a moment as YYYYMMDDTHHMMSSZ")
    if (short === undefined) return bad(i + 1, "a short id behind the moment: ids are pairs")
    if (!SHORT.test(short)) return bad(i + 1, "a short id of 1 to 64 letters and digits")
    levels.push({ ts, short })
  }
  const [first, ...rest] = levels
  return first === undefined ? bad(0, "a pair") : Either.right({ levels: [first, ...rest] })
}

const SHORT = /^[A-Za-z0-9]{1,64}$/
const MOMENT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/

const isMoment = (ts: string): boolean => {
  const [, ...fields] = MOMENT.exec(ts) ?? []
  const [year = 0, month = 0, day = 0, hour = 24, minute = 60, second = 61] = fields.map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= days(year, month) && hour < 24 && minute < 60 && second <= 60
}

const days = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

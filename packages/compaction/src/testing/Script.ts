/**
 * What a client and its model do, as data: turns of words, answers and results, with everything that happens to real
 * sessions. A script is played by the simulation, under any implementation.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { END, type Coverage, type Observation } from "@palimpsest/ledger/Observation"
import type { Marks } from "../Hysteresis.ts"
import type { Shape } from "../Transcript.ts"
import { lengthy, short, words, type Words } from "./Words.ts"

/**
 * A call and what becomes of it: its result comes in the same turn, after the next request, never, or is first said to be
 * pending and comes later.
 *
 * @since 0.1.0
 * @category models
 */
export interface Asked {
  readonly observation: Observation
  readonly comes: "now" | "late" | "never" | "pending"
  readonly blocks: readonly [Words, ...ReadonlyArray<Words>]
  readonly picture: boolean
}

/**
 * One turn: what is said, what the client does to its own history, and what the model answers. `split` puts each result
 * between the lines of the answer, `reversed` brings the results in the other order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Turn {
  readonly said: ReadonlyArray<Words>
  readonly client: "nothing" | "picture" | "orphan" | "system" | "clear" | "restart"
  readonly thought: Words | undefined
  readonly answer: Words | undefined
  readonly asked: ReadonlyArray<Asked>
  readonly split: boolean
  readonly reversed: boolean
}

/**
 * A session: the task, and turns.
 *
 * @since 0.1.0
 * @category models
 */
export interface Script {
  readonly shape: Shape
  readonly task: Words
  readonly turns: ReadonlyArray<Turn>
}

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const coverage: FastCheck.Arbitrary<Coverage> = FastCheck.oneof(
  FastCheck.constant<Coverage>({ _tag: "All" }),
  FastCheck.tuple(FastCheck.integer({ min: 1, max: 60 }), FastCheck.nat({ max: 60 })).map(([from, more]): Coverage => ({
    _tag: "Lines",
    from,
    to: more > 50 ? END : from + more
  }))
)

/**
 * Observations over three files and one search, so that supersession and invalidation are common. What fails has no
 * subject, as no classifier gives it one.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const observation: FastCheck.Arbitrary<Observation> = FastCheck.tuple(
  FastCheck.constantFrom<Observation["kind"]>("read", "read", "read", "write", "grep", "tool", "error"),
  FastCheck.constantFrom("a", "b", "[c] 视图\n"),
  coverage
).map(([kind, target, covers]): Observation => ({
  kind,
  target,
  ...(kind === "tool" || kind === "error" ? {} : { subject: kind === "grep" ? `grep:${target}` : `file:${target}` }),
  covers: kind === "read" ? covers : { _tag: "All" },
  classifier: "test"
}))

/** One block mostly; some; or so many that none of them gets room of its own. */
const furtherBlocks: FastCheck.Arbitrary<ReadonlyArray<Words>> = FastCheck.oneof(
  { weight: 12, arbitrary: FastCheck.constant([]) },
  { weight: 3, arbitrary: FastCheck.array(words, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: FastCheck.array(short, { minLength: 20, maxLength: 40 }) }
)

const asked: FastCheck.Arbitrary<Asked> = FastCheck.record({
  observation,
  comes: FastCheck.constantFrom<Asked["comes"]>("now", "now", "now", "now", "now", "now", "late", "never", "pending"),
  blocks: FastCheck.tuple(words, furtherBlocks).map(([first, rest]): Asked["blocks"] => [first, ...rest]),
  picture: FastCheck.nat({ max: 14 }).map((n) => n === 14)
})

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const turn: FastCheck.Arbitrary<Turn> = FastCheck.record({
  said: FastCheck.array(short, { maxLength: 2 }),
  client: FastCheck.constantFrom<Turn["client"]>(
    ...Array.from({ length: 14 }, () => "nothing" as const),
    "picture",
    "orphan",
    "system",
    "clear",
    "restart"
  ),
  thought: FastCheck.option(short, { nil: undefined, freq: 2 }),
  answer: FastCheck.option(FastCheck.oneof({ weight: 5, arbitrary: short }, { weight: 1, arbitrary: lengthy }), {
    nil: undefined,
    freq: 2
  }),
  asked: FastCheck.array(asked, { maxLength: 4 }),
  split: FastCheck.boolean(),
  reversed: FastCheck.boolean()
})

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const script: FastCheck.Arbitrary<Script> = FastCheck.record({
  shape: FastCheck.constantFrom<Shape>("anthropic", "openai-chat"),
  task: short,
  turns: FastCheck.array(turn, { minLength: 1, maxLength: 14, size: "max" })
})

/**
 * Marks that such a session passes often: a line of some thousand tokens, a low-water mark below it, and perhaps a
 * ceiling, from 200 tokens.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const marks: FastCheck.Arbitrary<Marks> = FastCheck.record({
  line: FastCheck.integer({ min: 500, max: 6_000 }),
  low: FastCheck.integer({ min: 20, max: 80 }),
  ceiling: FastCheck.option(FastCheck.integer({ min: 200, max: 9_000 }), { nil: undefined, freq: 2 })
}).map(({ ceiling, line, low }) => ({ line, lowWater: Math.floor((line * low) / 100), ceiling }))

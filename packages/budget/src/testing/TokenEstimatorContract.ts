/**
 * What any `TokenEstimator` must do (laws 5 and 7): count every text there is, alike whenever it is asked; and, where it is
 * said to be an upper bound, never below what it bounds.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { TokenEstimator } from "../TokenEstimator.ts"
import { hold, type Check, type Violation } from "./Contract.ts"

/**
 * The contract. It samples texts from `seed` on.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks = (seed = 5): ReadonlyArray<Check<TokenEstimator>> => [
  check("an estimate is a whole number, not negative, of any text", (estimate) =>
    always(seed, (text) => Number.isSafeInteger(estimate(text)) && estimate(text) >= 0)
  ),
  check("the empty text is nothing, and no other text is", (estimate) =>
    always(seed, (text) => (text === "") === (estimate(text) === 0))
  ),
  check("a text has one estimate, whatever else was asked between", (estimate) => {
    const first = new Map<string, number>()
    return Effect.zipRight(
      always(seed, (text) => first.set(text, estimate(text)).size > 0),
      always(seed, (text) => estimate(text) === first.get(text))
    )
  }),
  check("a hundred times a text is more than the text", (estimate) =>
    always(seed, (text) => text === "" || estimate(text.repeat(100)) > estimate(text))
  ),
  check("a long text is counted, not refused and not cut", (estimate) => {
    const [short, long] = [estimate(LINE.repeat(1_000)), estimate(LINE.repeat(20_000))]
    return hold(
      long > short * 10 && short > 1_000,
      `${short} tokens of ${LINE.length} kB, ${long} of twenty times that`
    )
  })
]

/**
 * What an upper bound must do besides: never be below `count`, a tokenizer's own count of a text.
 *
 * @since 0.1.0
 * @category contracts
 */
export const boundChecks = (
  count: (text: string) => number,
  of: string,
  seed = 5
): ReadonlyArray<Check<TokenEstimator>> => [
  check(`an estimate is never below ${of}`, (estimate) => always(seed, (text) => estimate(text) >= count(text)))
]

/**
 * Texts of every alphabet, ill-formed ones, code, and long runs of one character.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const text: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom("", "a", " ", "\n", "\0", "\ud83d", "a\udc00b", "\ufeff", "👩🏽‍💻", "e\u0301", "<|endoftext|>"),
  FastCheck.string({ unit: "grapheme", maxLength: 60 }),
  FastCheck.string({ unit: "binary", maxLength: 60 }),
  FastCheck.string({ maxLength: 200 }),
  FastCheck.tuple(FastCheck.constantFrom("x", " ", "\t", "日", "🙂", "const a = 1\n"), FastCheck.nat(500)).map(
    ([of, times]) => of.repeat(times)
  )
)

type Estimate = (text: string) => number

const check = (name: string, holds: (estimate: Estimate) => Effect.Effect<void, Violation>): Check<TokenEstimator> => ({
  name,
  check: Effect.flatMap(TokenEstimator, ({ estimate }) => Effect.suspend(() => holds(estimate)))
})

/** An estimator that throws on a text has no estimate for it, which is as wrong as a false one. */
const always = (seed: number, holds: (text: string) => boolean): Effect.Effect<void, Violation> =>
  Effect.suspend(() => {
    const { counterexample, failed } = FastCheck.check(FastCheck.property(text, holds), { seed, numRuns: RUNS })
    return hold(!failed, `not of the text ${JSON.stringify(counterexample?.[0])}`)
  })

const RUNS = 300

const LINE = "export const answer = compute(41) // 視図 👍\n"

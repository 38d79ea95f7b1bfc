/**
 * Calibration: how far an estimate of tokens is off for a model, learnt from the provider's own counts.
 *
 * ```
 * ratio = counted / estimate, of one and the same whole request      (system, tools and media on both sides)
 * mean  = EWMA of ratio          error = EWMA of |ratio - mean|
 * bound = estimate x (mean + 3 error), never above the proven upper bound where there is one
 * ```
 *
 * A request whose count was not measured teaches nothing. A model that was never counted has no calibration: its bound is
 * the proven one, or the estimate with a margin of all of it. Ratios are kept in millionths, so that two machines that saw
 * the same counts give the same bound.
 *
 * Laws kept here: 7, 11, 14. Source: IO-34, mending IO-W15 and IO-W16; field report B74.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Measure from "./Measure.ts"

/**
 * What is known of one model. `mean` and `error` are millionths; `samples` how many requests they are of.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Known = Schema.Struct({
  mean: Schema.NonNegativeInt,
  error: Schema.NonNegativeInt,
  samples: Schema.Positive.pipe(Schema.int())
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * By model.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Calibration = Schema.Record({ key: Schema.String, value: Known })

/**
 * @since 0.1.0
 * @category models
 */
export type Calibration = typeof Calibration.Type

/**
 * Estimate and count of one request, on one row. Both are of the whole input: an estimate of a part of it against the
 * count of all would learn the wrong thing. Source: IO-34, IO-W15.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair {
  readonly model: string
  readonly estimate: number
  readonly counted: Measure.Measure
}

/**
 * @since 0.1.0
 * @category constants
 */
export const none: Calibration = {}

/**
 * The calibration after one more request. Nothing is learnt from a count that was not measured, or from an estimate of
 * nothing.
 *
 * @since 0.1.0
 * @category learning
 */
export const observe = (calibration: Calibration, { counted, estimate, model }: Pair): Calibration =>
  Measure.match(counted, {
    measured: (n) => {
      if (!Number.isSafeInteger(estimate) || estimate < 1) return calibration
      const ratio = Math.min(MOST, Math.round((n / estimate) * MILLION))
      const before = knownOf(calibration, model)
      const known =
        before === undefined
          ? { mean: ratio, error: Math.round(ratio / 4), samples: 1 }
          : {
              mean: toward(before.mean, ratio),
              error: toward(before.error, Math.abs(ratio - before.mean)),
              samples: before.samples + 1
            }
      return { ...calibration, [model]: known }
    },
    unmeasured: () => calibration
  })

/**
 * The tokens that a request of this estimate is expected to be counted as.
 *
 * @since 0.1.0
 * @category estimates
 */
export const expected = (calibration: Calibration, model: string, estimate: number): number => {
  const known = knownOf(calibration, model)
  return known === undefined ? estimate : scaled(estimate, known.mean)
}

/**
 * A bound of the input for a reservation: the calibrated estimate and its margin, or the proven bound where that is less.
 * `overshoot` is what the count may pass the bound by: none for a proven bound, the margin again for a calibrated one.
 *
 * @since 0.1.0
 * @category estimates
 */
export const bound = (
  calibration: Calibration,
  model: string,
  { estimate, proven }: { readonly estimate: number; readonly proven?: number }
): { readonly inputBound: number; readonly overshoot: number } => {
  const known = knownOf(calibration, model)
  if (known === undefined && proven !== undefined) return { inputBound: proven, overshoot: 0 }
  const mean = known === undefined ? MILLION : known.mean
  const margin = known === undefined ? MILLION : known.error * MARGIN
  const calibrated = scaled(estimate, mean + margin)
  if (proven !== undefined && proven <= calibrated) return { inputBound: proven, overshoot: 0 }
  const overshoot = scaled(estimate, margin)
  return {
    inputBound: calibrated,
    overshoot: proven === undefined ? overshoot : Math.min(overshoot, proven - calibrated)
  }
}

const MILLION = 1_000_000
const MOST = 1_000 * MILLION
const MARGIN = 3

/** A fifth of the way: the last ten requests weigh nine tenths. */
const toward = (from: number, to: number): number => from + Math.round((to - from) / 5)

const scaled = (estimate: number, millionths: number): number =>
  Number((BigInt(Math.max(0, Math.ceil(estimate))) * BigInt(millionths) + 999_999n) / 1_000_000n)

const knownOf = (calibration: Calibration, model: string) =>
  Object.hasOwn(calibration, model) ? calibration[model] : undefined

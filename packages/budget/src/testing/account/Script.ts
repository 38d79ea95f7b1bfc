/**
 * Scripts: what happens to an account, as small numbers that any implementation can be driven by. Names are places in a
 * list, so that a script that is cut short still makes sense.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Limits } from "../../Limits.ts"
import type { Rules } from "../../Rules.ts"

/**
 * One thing that happens. `run` and `call` are places, taken modulo what there is.
 *
 * @since 0.1.0
 * @category models
 */
export type Deed =
  | {
      readonly _tag: "Reserve"
      readonly run: number
      readonly tokens: number
      readonly micros: number
      readonly overshoot: number
      readonly leaseMs: number
    }
  | { readonly _tag: "Settle"; readonly call: number; readonly share: number; readonly measured: boolean }
  | { readonly _tag: "Release"; readonly call: number }
  | { readonly _tag: "Renew"; readonly call: number }
  | {
      readonly _tag: "Dispatch"
      readonly run: number
      readonly limits: Limits
      readonly allot: number | undefined
    }
  | { readonly _tag: "Grant"; readonly run: number; readonly tokens: number }
  | { readonly _tag: "End"; readonly run: number }
  | { readonly _tag: "Exhaust"; readonly run: number }

/**
 * What a clock says before a deed: how much time passes, what the wall says besides, and whether the monotonic reading
 * falls back, or the process starts anew.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tick {
  readonly passes: number
  readonly wall: number
  readonly back: number
  readonly restarts: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Script {
  readonly limits: Limits
  readonly rules: Rules
  readonly deeds: ReadonlyArray<readonly [Tick, Deed]>
}

const few = FastCheck.nat(7)

const limits: FastCheck.Arbitrary<Limits> = FastCheck.record(
  {
    tokens: FastCheck.integer({ min: 1, max: 400 }),
    micros: FastCheck.integer({ min: 1, max: 400 }),
    calls: FastCheck.integer({ min: 1, max: 12 }),
    depth: FastCheck.integer({ min: 0, max: 3 }),
    children: FastCheck.integer({ min: 0, max: 6 }),
    liveChildren: FastCheck.integer({ min: 0, max: 4 })
  },
  { requiredKeys: [] }
)

const deed: FastCheck.Arbitrary<Deed> = FastCheck.oneof(
  {
    weight: 8,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Reserve" as const),
      run: few,
      tokens: FastCheck.nat(120),
      micros: FastCheck.nat(120),
      overshoot: FastCheck.oneof(FastCheck.constant(0), FastCheck.nat(30)),
      leaseMs: FastCheck.integer({ min: 1, max: 400 })
    })
  },
  {
    weight: 6,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Settle" as const),
      call: FastCheck.nat(20),
      share: FastCheck.nat(100),
      measured: FastCheck.nat(4).map((n) => n > 0)
    })
  },
  {
    weight: 3,
    arbitrary: FastCheck.tuple(FastCheck.boolean(), FastCheck.nat(20)).map(([isRelease, call]): Deed =>
      isRelease ? { _tag: "Release", call } : { _tag: "Renew", call }
    )
  },
  {
    weight: 3,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Dispatch" as const),
      run: few,
      limits,
      allot: FastCheck.option(FastCheck.integer({ min: 1, max: 150 }), { nil: undefined })
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Grant" as const),
      run: few,
      tokens: FastCheck.integer({ min: 1, max: 100 })
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.tuple(FastCheck.boolean(), few).map(([isEnd, run]): Deed =>
      isEnd ? { _tag: "End", run } : { _tag: "Exhaust", run }
    )
  }
)

const tick: FastCheck.Arbitrary<Tick> = FastCheck.record({
  passes: FastCheck.oneof(FastCheck.nat(50), FastCheck.constantFrom(0, 1, 500)),
  wall: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: -60_000, max: 60_000 })),
  back: FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.constant(0) },
    { weight: 1, arbitrary: FastCheck.nat(60_000) }
  ),
  restarts: FastCheck.oneof(
    { weight: 12, arbitrary: FastCheck.constant(false) },
    { weight: 1, arbitrary: FastCheck.constant(true) }
  )
})

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const script: FastCheck.Arbitrary<Script> = FastCheck.record({
  limits,
  rules: FastCheck.record({
    unmeasured: FastCheck.constant("charge" as const),
    expiry: FastCheck.constantFrom("release", "charge"),
    leaseMs: FastCheck.constant(100)
  }),
  deeds: FastCheck.array(FastCheck.tuple(tick, deed), { maxLength: 60, size: "max" })
})

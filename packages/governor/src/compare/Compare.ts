/**
 * Presets and raw side by side over recorded sessions, in memory.
 *
 *     session ─> recording ─> uses ─┬─> each preset: open loop, closed loop, as sent ─┐
 *                                   ├─> raw ──────────────────────────────────────────┼─> figures
 *                                   └─> lower bound ──────────────────────────────────┘
 *
 * Every ratio but `asSentRatio` is in the accounting of the performance notes, section 4: every answer of the model is one
 * request that carries all earlier messages as the preset shows them, the client's own compactions undone, text and
 * arguments only. `asSentRatio` is what a report says.
 *
 * 1. What was needed is told from the recording, and is the same for every preset.
 * 2. A run, its side chains and its sub-agents are driven each by itself, and their costs added up (law 10).
 * 3. `worstTurnRatio` is the largest ratio of one request's cost to that of raw's request of the same number, in the same
 *    run, in the open loop.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { detect, type UnknownFormat } from "@palimpsest/transcript/Format"
import { shapeOf } from "@palimpsest/transcript/Shape"
import type { Config } from "../Config.ts"
import * as Economy from "../Economy.ts"
import type { ImportError } from "../Import.ts"
import type { RunError } from "../Runs.ts"
import type { WalkError } from "../Walk.ts"
import * as AsSent from "./AsSent.ts"
import { drive, type Driven, type Terms } from "./Drive.ts"
import { figuresOf, ratio, total, type Figures, type Sums } from "./Figures.ts"
import * as LowerBound from "./LowerBound.ts"
import * as Recording from "./Recording.ts"
import type * as Restore from "./Restore.ts"
import * as Uses from "./Uses.ts"

/**
 * A configuration under the name that its figures carry.
 *
 * @since 0.1.0
 * @category models
 */
export interface Named {
  readonly name: string
  readonly config: Config
}

/**
 * What a comparison is made under. `recall` is how much a miss of the closed loop brings back; without `asSent` that ratio
 * is left out, which takes most of the time.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<Terms, "recall"> {
  readonly recall: Restore.Recall
  readonly asSent: boolean
}

/**
 * A session compared: the sums of each configuration, of raw, and of the lower bound.
 *
 * @since 0.1.0
 * @category models
 */
export interface Compared {
  readonly session: string
  readonly presets: ReadonlyArray<Sums>
  readonly raw: Sums
  readonly lowerBound: Economy.Tally
}

/** @since 0.1.0 */
export type CompareError = ImportError | NotCanonical | RunError | WalkError

/**
 * Compares configurations over one session. `session` is what the session is called.
 *
 * @since 0.1.0
 * @category comparing
 */
export const compare = (
  hash: Hasher,
  session: string,
  source: Recording.Source,
  named: ReadonlyArray<Named>,
  options: Options
): Effect.Effect<Compared, CompareError> =>
  Effect.gen(function* () {
    const recording = yield* Recording.read(hash, source)
    const runs = recording.runs.map((run) => ({ run, uses: Uses.of(run) }))
    const { recall, ...open } = options
    const driveAll = (config: Config, terms: Terms) =>
      Effect.forEach(runs, ({ run, uses }) => drive(hash, recording, run, uses, config, terms))
    const rawConfig: Config = { preset: "raw", shape: shapeOf(source.format) }
    const raws = yield* driveAll(rawConfig, open)
    const under = ({ config, name }: Named): Effect.Effect<Sums, CompareError> =>
      Effect.gen(function* () {
        const opened = config.preset === "raw" ? raws : yield* driveAll(config, open)
        const closed = opened.every(({ lost }) => lost === 0) ? opened : yield* driveAll(config, { ...open, recall })
        const asSent = options.asSent ? yield* AsSent.of(hash, source, config, open) : undefined
        return sumsOf(name, opened, closed, raws, asSent)
      })
    return {
      session,
      presets: yield* Effect.forEach(named, under),
      raw: yield* under({ name: "raw", config: rawConfig }),
      lowerBound: Economy.total(runs.map(({ run, uses }) => LowerBound.of(run, uses, open)))
    }
  })

/**
 * The figures of one session, or of several together.
 *
 * @since 0.1.0
 * @category models
 */
export interface Table {
  readonly presets: ReadonlyArray<Figures>
  readonly raw: Figures & { readonly requests: number; readonly tokens: number; readonly cost: number }
  readonly lowerBound: number
}

/**
 * Of several sessions each is listed, and for each preset the one in which it costs most beside raw.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tables extends Table {
  readonly sessions: ReadonlyArray<Table & { readonly session: string }>
  readonly worst: ReadonlyArray<{ readonly preset: string; readonly session: string; readonly openRatio: number }>
}

/**
 * The figures of one session.
 *
 * @since 0.1.0
 * @category tables
 */
export const tableOf = ({ lowerBound, presets, raw }: Omit<Compared, "session">): Table => {
  const { cost, sent, tokens } = raw.open
  return {
    presets: presets.map((sums) => figuresOf(sums, raw)),
    raw: { ...figuresOf(raw, raw), requests: sent, tokens, cost },
    lowerBound: ratio(lowerBound.cost, cost)
  }
}

/**
 * The figures of several sessions, of which there is at least one, all compared under the same configurations.
 *
 * @since 0.1.0
 * @category tables
 */
export const tablesOf = (all: readonly [Compared, ...ReadonlyArray<Compared>]): Tables => {
  const [first, ...rest] = all
  const sessions = all.map((one) => ({ session: one.session, ...tableOf(one) }))
  const sums = first.presets.map((sum, i) => total([sum, ...rest.flatMap(({ presets }) => presets[i] ?? [])]))
  const table = tableOf({
    presets: sums,
    raw: total([first.raw, ...rest.map(({ raw }) => raw)]),
    lowerBound: Economy.total(all.map(({ lowerBound }) => lowerBound))
  })
  const worst = sums.map(({ preset }, i) =>
    sessions.reduce(
      (found, { presets, session }) => {
        const openRatio = presets[i]?.openRatio ?? 0
        return openRatio > found.openRatio ? { preset, session, openRatio } : found
      },
      { preset, session: first.session, openRatio: 0 }
    )
  )
  return { ...table, sessions, worst }
}

/**
 * Compares configurations over the bytes of one session, whose format is recognised, and gives its figures.
 *
 * @since 0.1.0
 * @category comparing
 */
export const evaluate = (
  hash: Hasher,
  bytes: Uint8Array,
  name: string,
  configs: (shape: Config["shape"]) => ReadonlyArray<Named>,
  options: Options
): Effect.Effect<Compared, CompareError | UnknownFormat> =>
  Effect.flatMap(detect(bytes), (format) => compare(hash, name, { format, bytes }, configs(shapeOf(format)), options))

const sumsOf = (
  preset: string,
  open: ReadonlyArray<Driven>,
  closed: ReadonlyArray<Driven>,
  raw: ReadonlyArray<Driven>,
  asSent: AsSent.AsSent | undefined
): Sums => ({
  preset,
  asSent,
  open: Economy.total(open.map(({ tally }) => tally)),
  closed: Economy.total(closed.map(({ tally }) => tally)),
  uses: sum(open, ({ uses }) => uses),
  lost: sum(open, ({ lost }) => lost),
  missed: sum(closed, ({ lost }) => lost),
  rewrites: sum(open, ({ rewrites }) => rewrites),
  refused: sum(open, ({ refused }) => refused),
  worstTurn: Math.max(
    0,
    ...open.map(({ costs }, run) =>
      costs.reduce((most, cost, i) => Math.max(most, cost / (raw[run]?.costs[i] ?? cost)), 0)
    )
  )
})

const sum = <A>(all: ReadonlyArray<A>, of: (one: A) => number): number => all.reduce((total, one) => total + of(one), 0)
